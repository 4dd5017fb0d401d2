//! Signatures of the JVM as Java source writes them.

/// A JVM signature as Java source writes it; hidden classes keep their suffix: `Shop$$Lambda/0x00000008000c0`.
pub fn source_name(signature: &str) -> String {
    let element = signature.trim_start_matches('[');
    let dimensions = signature.len() - element.len();
    let name = match element {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        "V" => "void".to_owned(),
        // A hidden class is `Lpkg/Name.0x0000;`: the dot becomes the slash that Class.getName() shows.
        class => {
            let class = class.strip_prefix('L').unwrap_or(class);
            let class = class.strip_suffix(';').unwrap_or(class);
            class
                .chars()
                .map(|c| match c {
                    '/' => '.',
                    '.' => '/',
                    c => c,
                })
                .collect()
        }
    };
    name + &"[]".repeat(dimensions)
}

#[cfg(test)]
mod tests {
    use super::source_name;

    #[test]
    fn names_read_like_source() {
        for (signature, name) in [
            ("Ljava/util/HashMap$Node;", "java.util.HashMap$Node"),
            ("[[Ljava/lang/Object;", "java.lang.Object[][]"),
            ("[I", "int[]"),
            ("Lshop/Main$$Lambda.0x01;", "shop.Main$$Lambda/0x01"),
        ] {
            assert_eq!(source_name(signature), name);
        }
    }
}
