//! A leak trace as terminals show it.

use crate::report::trace::{LeakTrace, TraceLine};
use crate::view::names::width;
use crate::view::plain::plain;
use std::borrow::Cow;

/// A trace with control characters shown.
#[must_use]
pub fn shown(trace: &LeakTrace) -> Vec<TraceLine> {
    trace.lines().into_iter().map(shown_line).collect()
}

fn shown_line(line: TraceLine) -> TraceLine {
    match plain(&line.text) {
        Cow::Borrowed(_) => line,
        Cow::Owned(text) => {
            let column = |column| column_shown(&line.text, column);
            let marked = line.marked.map(|(from, to)| (column(from), column(to)));
            TraceLine { text, marked }
        }
    }
}

/// The column at which a column of a line is shown when control characters in it are visible.
fn column_shown(text: &str, column: usize) -> usize {
    width(&plain(&text.chars().take(column).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_underlined_stays_underlined_behind_a_control_character() {
        let line = TraceLine { text: "a\u{1b} ⟶ field".to_owned(), marked: Some((5, 10)) };
        assert_eq!(shown_line(line), TraceLine { text: r"a\u{1b} ⟶ field".to_owned(), marked: Some((10, 15)) });
    }
}
