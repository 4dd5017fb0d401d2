//! From Java source names to the names in dumps.

/// The element type's name, for the name of an array.
pub(super) fn array(name: &str) -> Option<&str> {
    name.strip_suffix("[]")
}

/// The letter of a primitive type.
pub(super) fn letter(primitive: &str) -> Option<char> {
    Some(match primitive {
        "boolean" => 'Z',
        "byte" => 'B',
        "char" => 'C',
        "short" => 'S',
        "int" => 'I',
        "long" => 'J',
        "float" => 'F',
        "double" => 'D',
        _ => return None,
    })
}

/// The name as `Class.getName()` returns it, with `separator` between packages: `[Ljava.lang.Object;`,
/// `java.lang.String`. Hidden classes keep the slash before their number.
pub(super) fn binary(name: &str, separator: char) -> String {
    let element = name.trim_end_matches("[]");
    let dimensions = (name.len() - element.len()) / 2;
    let plain = if separator == '.' { element.to_owned() } else { element.replace('.', "/") };
    if dimensions == 0 {
        return plain;
    }
    let descriptor = letter(element).map_or_else(|| format!("L{plain};"), String::from);
    "[".repeat(dimensions) + &descriptor
}

#[cfg(test)]
mod tests {
    use super::super::super::names::source_name;
    use super::*;

    #[test]
    fn what_is_written_is_read_as_the_same_name() {
        for name in
            ["int[][]", "java.util.HashMap$Node[]", "java.lang.String", "a.B$$Lambda$1/0x0000000800", "?", "Main"]
        {
            assert_eq!(source_name(&binary(name, '/')), name);
            assert_eq!(source_name(&binary(name, '.')), name);
        }
    }
}
