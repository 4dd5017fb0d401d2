//! Text for terminals. Names come from the watched program, which often makes them from its users' input: a terminal
//! must not take a part of them for a command, nor show them backwards. The JSON keeps the original text.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a terminal reacts to the character instead of showing it: control characters (C0, DEL, C1), line separators,
/// and characters that change the direction of writing.
#[must_use]
pub fn is_order(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || turns || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// One line of text that a terminal only shows: `\u{1b}` stands for an escape, `\n` for a line feed.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    escaped(text, is_order)
}

/// The same for text of several lines.
#[must_use]
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| letter != '\n' && is_order(letter))
}

/// Writes one line, without blanks at its end.
pub fn line(out: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{}", plain(text).trim_end());
}

fn escaped(text: &str, is_order: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_order) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_order(letter) { shown.extend(letter.escape_debug()) } else { shown.push(letter) }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown_instead() {
        let name = "\u{1b}]0;owned\u{7}\u{1b}[31m\u{9b}1m\u{7f}\u{202e}gpj.exe\u{2066}\r\n";
        let shown = r"\u{1b}]0;owned\u{7}\u{1b}[31m\u{9b}1m\u{7f}\u{202e}gpj.exe\u{2066}\r\n";
        assert_eq!(plain(name), shown);
        assert!(!shown.contains(is_order));
    }

    #[test]
    fn names_in_any_script_stay_as_they_are() {
        for name in ["com.example.Bestellung$Ä", "漢字", "שלום", "👩‍🚀", "a ⟶ b…"] {
            assert!(matches!(plain(name), Cow::Borrowed(same) if same == name), "{name}");
        }
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(plain_lines("a\nb\u{1b}c\n"), "a\nb\\u{1b}c\n");
    }
}
