//! Warnings that may come again and again, such as those on peers that are turned away: each text at most once a
//! minute.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Time between two lines of one text.
const INTERVAL: Duration = Duration::from_secs(60);
/// Texts that are remembered; numbers in them do not count. Beyond these, only one line a minute is printed for all.
const MAX_TEXTS: usize = 32;

/// The warnings of a run.
#[derive(Debug, Default)]
pub(crate) struct Sparse {
    texts: HashMap<String, Line>,
}

#[derive(Debug)]
struct Line {
    printed: Instant,
    left_out: u64,
}

impl Sparse {
    /// Prints a warning, unless one of the same text was printed a moment ago.
    pub(crate) fn warn(&mut self, text: &str) {
        match self.due(text, Instant::now()) {
            Some(0) => tracing::warn!("{text}"),
            Some(count) => tracing::warn!("{text} ({count} more such lines were left out)"),
            None => {}
        }
    }

    /// Number of lines that were left out since the last one; `None` when this one is left out, too.
    fn due(&mut self, text: &str, now: Instant) -> Option<u64> {
        let mut shape: String = text.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        if self.texts.len() >= MAX_TEXTS && !self.texts.contains_key(&shape) {
            shape.clear();
        }
        let Some(line) = self.texts.get_mut(&shape) else {
            self.texts.insert(shape, Line { printed: now, left_out: 0 });
            return Some(0);
        };
        if now.saturating_duration_since(line.printed) < INTERVAL {
            line.left_out += 1;
            return None;
        }
        let left_out = std::mem::take(&mut line.left_out);
        line.printed = now;
        Some(left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_printed_once_a_minute_with_the_number_of_those_between() {
        let (mut sparse, begin) = (Sparse::default(), Instant::now());
        let mut due = |text: &str, second| sparse.due(text, begin + Duration::from_secs(second));
        assert_eq!(due("process 1 was sent away", 0), Some(0));
        assert_eq!(due("process 2 was sent away", 1), None);
        assert_eq!(due("a peer failed", 2), Some(0));
        assert_eq!(due("process 3 was sent away", 59), None);
        assert_eq!(due("process 4 was sent away", 61), Some(2));
        assert_eq!(due("process 5 was sent away", 122), Some(0));
    }

    #[test]
    fn texts_without_end_take_no_memory_without_end() {
        let (mut sparse, now) = (Sparse::default(), Instant::now());
        let word = |mut number: u32| -> String {
            std::iter::repeat_with(|| {
                let letter = char::from(b'a' + (number % 26) as u8);
                number /= 26;
                letter
            })
            .take(4)
            .collect()
        };
        let printed = (0..1_000).filter(|&number| sparse.due(&word(number), now).is_some()).count();
        assert!(printed <= MAX_TEXTS + 1 && sparse.texts.len() <= MAX_TEXTS + 1);
    }
}
