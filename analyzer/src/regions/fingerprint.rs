//! A name for a region that survives restarts: made of names of classes and fields, never of addresses or numbers.

/// FNV-1a over the words that make a region what it is. Which these are is the caller's; of each only what a program
/// calls itself is taken: see [`lasting`].
pub fn fingerprint(words: &[&str]) -> String {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mut hash = OFFSET;
    let mut mix = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    for word in words {
        lasting(word).bytes().for_each(&mut mix);
        mix(0);
    }
    format!("{hash:016x}")
}

/// What of a name lasts. Generated classes end in numbers that differ from run to run: `$$Lambda$14/0x0000`, `$Proxy12`,
/// `GeneratedMethodAccessor7`, `$$EnhancerBySpringCGLIB$$3f2a1b0c`; threads are numbered. So what follows a slash in the
/// name of a class goes (the suffix of a hidden class), and so does each part behind a dollar that is a number in any
/// notation, and every digit of what is left.
pub fn lasting(word: &str) -> String {
    let mut kept = String::with_capacity(word.len());
    for piece in word.split_inclusive([' ', '"']) {
        let (name, end) = match piece.strip_suffix([' ', '"']) {
            Some(name) => (name, &piece[name.len()..]),
            None => (piece, ""),
        };
        let shown = without_hidden_suffix(name);
        let parts = shown.split('$').enumerate().filter(|(at, part)| *at == 0 || !is_number(part));
        let parts: Vec<&str> = parts.map(|(_, part)| part).collect();
        kept.extend(parts.join("$").chars().filter(|letter| !letter.is_ascii_digit()));
        kept.push_str(end);
    }
    kept
}

/// `Shop$$Lambda/0x00000008000c0.run` → `Shop$$Lambda.run`; before JDK 15 the number behind a dot or slash is decimal.
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
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    digits.chars().any(|letter| letter.is_ascii_digit()) && digits.chars().all(|letter| letter.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_generated_classes_are_left_out() {
        for (one, other) in [
            ("shop.Main$$Lambda$14/0x0000000800066840", "shop.Main$$Lambda/0x00007f3a0c01aa00"),
            ("shop.Main$$Lambda$14/356573597", "shop.Main$$Lambda$15/99"),
            ("jdk.proxy2.$Proxy12", "jdk.proxy3.$Proxy7"),
            ("jdk.internal.reflect.GeneratedMethodAccessor7", "jdk.internal.reflect.GeneratedMethodAccessor12"),
            ("shop.Cart$$EnhancerBySpringCGLIB$$3f2a1b0c", "shop.Cart$$EnhancerBySpringCGLIB$$99d"),
            ("thread \"pool-1-thread-7\"", "thread \"pool-2-thread-11\""),
            (
                "local variable of shop.Main$$Lambda/0x01ab.run (thread \"w-1\")",
                "local variable of shop.Main$$Lambda.0x9.run (thread \"w-2\")",
            ),
        ] {
            assert_eq!(lasting(one), lasting(other));
        }
        assert_eq!(lasting("shop.Main$$Lambda$14/0x0000000800066840"), "shop.Main$$Lambda");
    }

    #[test]
    fn names_that_people_gave_stay_apart() {
        let names = ["shop.Main$Add", "shop.Main$Bad", "shop.Main", "static shop.Main", "shop.bed", "a/b", "shop.Cafe"];
        for (at, one) in names.iter().enumerate() {
            assert_eq!(lasting(one), *one);
            assert!(names[at + 1..].iter().all(|other| fingerprint(&[one]) != fingerprint(&[other])));
        }
    }

    #[test]
    fn words_do_not_run_into_one_another() {
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
    }
}
