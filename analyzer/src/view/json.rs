//! Reports for other programs, `rootbound.report/1` or `rootbound.dump/1`: one object, indented.

use crate::view::plain::is_order;
use serde::Serialize;

/// The whole report as text that ends with a newline.
///
/// # Errors
/// The errors of the serializer; a report made by this crate has none.
pub fn to_json(report: &impl Serialize) -> serde_json::Result<String> {
    let mut text = shown(serde_json::to_string_pretty(report)?);
    text.push('\n');
    Ok(text)
}

/// Escapes characters that a terminal would obey by their number, which JSON allows for every character and demands for
/// some. Only strings have such characters, and all of them have four digits.
fn shown(text: String) -> String {
    let is_order = |letter: char| letter != '\n' && is_order(letter);
    if !text.contains(is_order) {
        return text;
    }
    let mut shown = String::with_capacity(text.len() + 64);
    for letter in text.chars() {
        if is_order(letter) { shown.push_str(&format!("\\u{:04x}", u32::from(letter))) } else { shown.push(letter) }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_to_the_letter_and_no_terminal_obeys_them() {
        let names = ["\u{1b}]0;owned\u{7}", "\u{9b}31m\u{7f}", "\u{202e}gpj.exe", "plain\n漢字"];
        let text = to_json(&names).unwrap();
        assert!(!text.contains(|letter| letter != '\n' && is_order(letter)), "{text}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), names);
    }
}
