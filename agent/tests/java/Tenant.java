import java.util.ArrayList;

/** What a class loader of its own loads: a class that keeps a list. */
public class Tenant {
    static final ArrayList<Object> pieces = new ArrayList<>();

    static class Piece {
    }

    static {
        for (int i = 0; i < 300; i++) {
            pieces.add(new Piece());
        }
    }
}
