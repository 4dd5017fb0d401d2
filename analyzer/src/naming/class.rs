//! Names of classes.

/// `java.util.HashMap$Node[]` → `HashMap$Node[]`.
#[must_use]
pub fn simple_name(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, simple)| simple)
}

/// Whether arrays of the class hold primitive values.
#[must_use]
pub fn is_array_of_values(name: &str) -> bool {
    const VALUES: [&str; 8] = ["boolean", "byte", "char", "short", "int", "float", "long", "double"];
    name.strip_suffix("[]").is_some_and(|element| VALUES.contains(&element))
}

/// Short form for sentences: `com.example.Shop$Session` → `Session`, `Shop$$Lambda/0x7f` → `lambda of Shop`; a class
/// without a name of its own keeps that of the class around it: `Shop$1`.
#[must_use]
pub fn short_name(name: &str) -> String {
    let without = without_hidden_suffix(name);
    let simple = simple_name(&without);
    if let Some((host, _)) = simple.split_once("$$Lambda") {
        return format!("lambda of {}", short_name(host));
    }
    match simple.rsplit_once('$') {
        Some((_, own)) if own.starts_with(|letter: char| letter.is_alphabetic()) => own.to_owned(),
        _ => simple.to_owned(),
    }
}

/// `shop.Rule0017` → `shop.Rule#`, `Shop$$Enhancer$$1a2b3c4d` → `Shop$$Enhancer$$#`: the name that generated classes
/// share.
#[must_use]
pub fn without_numbers(name: &str) -> String {
    let mut shared = String::with_capacity(name.len());
    for part in without_hidden_suffix(name).split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()) {
        let (word, end) = part.split_at(part.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric()).len());
        let has_digit = word.bytes().any(|letter| letter.is_ascii_digit());
        if has_digit && word.len() >= HASH_LENGTH && word.bytes().all(|letter| letter.is_ascii_hexdigit()) {
            shared.push('#');
        } else {
            push_without_numbers(word, &mut shared);
        }
        shared.push_str(end);
    }
    shared
}

/// Fewer hexadecimal digits may be a word.
const HASH_LENGTH: usize = 6;

fn push_without_numbers(word: &str, shared: &mut String) {
    for letter in word.chars() {
        match letter.is_ascii_digit() {
            true if shared.ends_with('#') => {}
            true => shared.push('#'),
            false => shared.push(letter),
        }
    }
}

/// Whether the class comes with the JDK. For wording alone: no judgement depends on it.
#[must_use]
pub fn is_platform(name: &str) -> bool {
    ["java.", "javax.", "jdk.", "sun.", "com.sun."].iter().any(|package| name.starts_with(package))
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
        // No package, class or field has a number as its name.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_is_what_a_programmer_says() {
        let names = ["com.example.Shop$Session", "com.example.Shop$1", "java.util.HashMap", "byte[]", "shop.Order[]"];
        assert_eq!(names.map(short_name), ["Session", "Shop$1", "HashMap", "byte[]", "Order[]"]);
        assert_eq!(short_name("com.example.Shop$$Lambda/0x00007f4ca8001668"), "lambda of Shop");
    }

    #[test]
    fn generated_classes_share_a_name_without_numbers() {
        let names =
            ["shop.Rule0017", "Shop$$Enhancer$$1a2b3c4d", "jdk.proxy2.$Proxy12", "Main$$Lambda/0x00007f4ca8001668"];
        let shared = ["shop.Rule#", "Shop$$Enhancer$$#", "jdk.proxy#.$Proxy#", "Main$$Lambda"];
        assert_eq!(names.map(without_numbers), shared);
        assert_eq!(without_numbers("shop.Facade"), "shop.Facade");
    }
}
