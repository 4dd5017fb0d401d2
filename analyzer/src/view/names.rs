//! Names that must fit: the end of a class name identifies the class, the beginning its owner; the middle matters
//! least.

use crate::naming::class::simple_name;
use crate::view::plain::plain;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Mark for an omitted part.
const GAP: char = '…';

/// Columns that `text` takes on a terminal.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// `com.example.shop.Orders$Entry` → `com…Orders$Entry` → `…Orders$Entry` → `Orders$Entry` → `Orders$En…`: the first
/// that fits `columns`. A word before the name (`by type:`, `class `) is no part of it: pass the name alone.
#[must_use]
pub fn fit_class(name: &str, columns: usize) -> String {
    let name = &*plain(name);
    if width(name) <= columns {
        return name.to_owned();
    }
    let simple = simple_name(name);
    let first = name.split('.').next().unwrap_or_default();
    let candidates = [format!("{first}{GAP}{simple}"), format!("{GAP}{simple}"), simple.to_owned()];
    candidates.into_iter().find(|candidate| width(candidate) <= columns).unwrap_or_else(|| cut(simple, columns))
}

/// Any text, cut at its end when it is too long.
#[must_use]
pub fn cut(text: &str, columns: usize) -> String {
    let text = &*plain(text);
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    let mut kept: String = fitting(text.chars(), room).collect();
    kept.push(GAP);
    kept
}

/// Any text, cut at its beginning when it is too long.
#[must_use]
pub fn cut_front(text: &str, columns: usize) -> String {
    let text = &*plain(text);
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    let kept: Vec<char> = fitting(text.chars().rev(), room).collect();
    std::iter::once(GAP).chain(kept.into_iter().rev()).collect()
}

/// The first letters, as many as fit `room` columns.
fn fitting(letters: impl Iterator<Item = char>, room: usize) -> impl Iterator<Item = char> {
    let mut used = 0;
    letters.take_while(move |letter| {
        used += letter.width().unwrap_or(0);
        used <= room
    })
}

/// Any text, in lines of at most `columns`; words that are longer are broken.
#[must_use]
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let text = plain(text);
    if width(&text) <= columns {
        return vec![text.into_owned()];
    }
    textwrap::wrap(&text, columns.max(1)).into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// `text` followed by blanks up to `columns`.
#[must_use]
pub fn pad_right(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Blanks and then `text`, `columns` in all.
#[must_use]
pub fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_name_loses_its_middle_first_and_its_simple_name_last() {
        let name = "com.example.shop.Orders$Entry";
        let texts = [29, 28, 15, 12, 8, 0].map(|columns| fit_class(name, columns));
        assert_eq!(texts, [name, "com…Orders$Entry", "…Orders$Entry", "Orders$Entry", "Orders$…", ""]);
    }

    #[test]
    fn what_is_shown_instead_of_a_control_character_takes_its_room() {
        assert_eq!(cut("a\u{1b}b", 20), r"a\u{1b}b");
        assert_eq!(cut("a\u{1b}b", 5), r"a\u{…");
        assert_eq!(fit_class("shop.O\u{202e}rder", 8), r"O\u{202…");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!(width(&pad_left("漢字", 6)), 6);
    }
}
