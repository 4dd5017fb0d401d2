import java.io.File;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;

/** Validates an XML file against a schema: {@code ValidXml SCHEMA FILE}. Ends with 1 and the fault where it does not fit. */
public final class ValidXml {
    public static void main(String[] args) throws Exception {
        var schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(new File(args[0]));
        schema.newValidator().validate(new StreamSource(new File(args[1])));
        System.out.println("valid");
    }
}
