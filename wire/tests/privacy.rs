//! Privacy by construction: the vocabulary names program elements and never carries a value of the program.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

/// Every text field of the messages, with what it may hold. A new text field fails the test until it is listed here
/// with a reason, which is the moment to ask whether it could carry a value of the watched program.
const TEXT_FIELDS: &[(&str, &str)] = &[
    ("vm", "name and version of the JVM"),
    ("gc", "name of a collector"),
    ("main", "main class or jar, without arguments"),
    ("agent_version", "our own version"),
    ("incapable", "our own words"),
    ("name", "name of a class, field, method or thread"),
    ("descriptor", "type of a field"),
    ("failure", "our own words"),
    ("reason", "our own words"),
    ("obstacle", "our own words"),
    ("remark", "our own words"),
    ("text", "our own words"),
    ("Failed", "our own words"),
    ("refusal", "our own words"),
    ("class", "name of a class in a stack"),
    ("method", "name of a method in a stack"),
    ("file", "name of a source file, as the compiler wrote it into the class"),
];

#[test]
fn no_message_has_a_text_field_beyond_names_and_our_own_words() {
    for line in source().lines().map(str::trim).filter(|line| !line.starts_with("//") && line.contains("String")) {
        let field = line.trim_start_matches("pub ").split([':', '(']).next().unwrap();
        assert!(TEXT_FIELDS.iter().any(|(known, _)| *known == field), "unlisted text field: {line}");
    }
}

#[test]
fn no_message_has_a_field_of_raw_bytes_or_of_a_java_primitive_type() {
    for forbidden in ["Vec<u8>", "&[u8]", "i8", "i16", "i32", "i64", "char"] {
        let code = source();
        let used = code.lines().filter(|line| !line.trim_start().starts_with("//")).any(|line| {
            line.split(|c: char| !c.is_alphanumeric() && !"<>&[]".contains(c)).any(|word| word == forbidden)
        });
        assert!(!used, "{forbidden} is used in message/");
    }
}

/// All files of the messages.
fn source() -> String {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/message")).unwrap();
    folder.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}
