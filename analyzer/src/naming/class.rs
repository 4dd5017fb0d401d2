//! Names of classes.

/// `java.util.HashMap$Node[]` → `HashMap$Node[]`.
#[must_use]
pub fn simple_name(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, simple)| simple)
}

/// Whether it is the name of a class of arrays.
#[must_use]
pub fn is_array(name: &str) -> bool {
    name.ends_with("[]")
}

/// `Shop$$Lambda/0x00000008000c0.run` → `Shop$$Lambda.run`; before JDK 15 the number behind a dot or slash is decimal.
#[must_use]
pub fn without_hidden_suffix(name: &str) -> String {
    let is_address = |part: &str| {
        let digits = part.strip_prefix("0x").unwrap_or(part);
        !digits.is_empty() && digits.chars().all(|letter| letter.is_ascii_hexdigit()) && is_number(part)
    };
    let mut kept = String::with_capacity(name.len());
    for (at, part) in name.split('.').enumerate() {
        let part = match part.split_once('/') {
            Some((before, address)) if is_address(address) => before,
            _ => part,
        };
        // No package, class or field is called by a number.
        if at > 0 && is_address(part) {
            continue;
        }
        if at > 0 {
            kept.push('.');
        }
        kept.push_str(part);
    }
    kept
}

/// Whether the text is a number in decimal or hexadecimal notation: with at least one digit, so that `add` is a word.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    digits.chars().any(|letter| letter.is_ascii_digit()) && digits.chars().all(|letter| letter.is_ascii_hexdigit())
}
