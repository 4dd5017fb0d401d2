//! Class names as dumps write them, to Java source names.

/// The name in Java source: `[Ljava/lang/Object;` is `java.lang.Object[]`, `[[I` is `int[][]`. A hidden class keeps the
/// suffix of its name: `Shop$$Lambda/0x00000008000c0`.
pub(super) fn source_name(name: &str) -> String {
    let element = name.trim_start_matches('[');
    let dimensions = name.len() - element.len();
    let element = match (dimensions, element) {
        (0, plain) => dotted(plain),
        (_, descriptor) => of_descriptor(descriptor),
    };
    element + &"[]".repeat(dimensions)
}

/// The type that a JVM descriptor without dimensions names; any other text counts as a class name.
fn of_descriptor(descriptor: &str) -> String {
    let primitive = descriptor.chars().next().filter(|_| descriptor.len() == 1).and_then(primitive_name);
    match primitive {
        Some(name) => name.to_owned(),
        None => {
            let class = descriptor.strip_prefix('L').and_then(|class| class.strip_suffix(';'));
            dotted(class.unwrap_or(descriptor))
        }
    }
}

/// The primitive type of a descriptor's letter.
pub(super) fn primitive_name(letter: char) -> Option<&'static str> {
    Some(match letter {
        'Z' => "boolean",
        'B' => "byte",
        'C' => "char",
        'S' => "short",
        'I' => "int",
        'J' => "long",
        'F' => "float",
        'D' => "double",
        _ => return None,
    })
}

/// Replaces slashes by dots, except before the number of a hidden class. HotSpot separates that number by `+`, before
/// JDK 15 by a slash.
fn dotted(class: &str) -> String {
    let is_number = |tail: &str| tail.starts_with("0x") || !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit());
    match class.rfind(['+', '/', '.']) {
        Some(at) if is_number(&class[at + 1..]) => format!("{}/{}", class[..at].replace('/', "."), &class[at + 1..]),
        _ => class.replace('/', "."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_java_source() {
        for (name, expected) in [
            ("java/util/HashMap$Node", "java.util.HashMap$Node"),
            ("[Ljava/lang/Object;", "java.lang.Object[]"),
            ("[[I", "int[][]"),
            ("[Z", "boolean[]"),
            ("a/B$$Lambda+0x0000000800c01000", "a.B$$Lambda/0x0000000800c01000"),
            ("a/B$$Lambda$14/0x0000000800", "a.B$$Lambda$14/0x0000000800"),
            ("java.lang.String[]", "java.lang.String[]"),
            ("I", "I"),
            ("[", "[]"),
            ("", ""),
            ("[é", "é[]"),
        ] {
            assert_eq!(source_name(name), expected);
        }
    }
}
