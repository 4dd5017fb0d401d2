//! A leak trace as terminals show it.

use crate::report::trace::{LeakTrace, TraceLine};
use crate::view::names::width;
use crate::view::plain::plain;
use std::borrow::Cow;

/// Columns by which each line of a trace is indented more than the one before.
const INDENT: usize = 2;
/// Most lines that are repeated together: a node, and what stands between it and the next.
const LONGEST_TURN: usize = 3;
/// Times that lines stand there before the others are left out.
const LEAST_TURNS: usize = 3;

/// A trace with control characters shown, and with lines that repeat, those of a chain, only once.
#[must_use]
pub fn shown(trace: &LeakTrace) -> Vec<TraceLine> {
    let lines: Vec<TraceLine> = trace.lines().into_iter().map(shown_line).collect();
    folded(&lines)
}

fn folded(lines: &[TraceLine]) -> Vec<TraceLine> {
    let mut shown = Vec::with_capacity(lines.len());
    let mut at = 0;
    while at < lines.len() {
        let turns = (1..=LONGEST_TURN).map(|length| (length, turns(&lines[at..], length)));
        let Some((length, count)) = turns.into_iter().find(|&(_, count)| count >= LEAST_TURNS) else {
            shown.push(moved(&lines[at], shown.len()));
            at += 1;
            continue;
        };
        for line in &lines[at..at + length] {
            shown.push(moved(line, shown.len()));
        }
        let these = if length == 1 { "this line".to_owned() } else { format!("these {length} lines") };
        let text = format!("{}… {these} {} times more", " ".repeat(INDENT * shown.len()), count - 1);
        shown.push(TraceLine { text, marked: None });
        at += length * count;
    }
    shown
}

/// How many times the first lines, as many as `length`, stand there one after another. Only the first may be underlined.
fn turns(lines: &[TraceLine], length: usize) -> usize {
    let Some(first) = lines.get(..length) else { return 0 };
    let is_alike = |(line, first): (&TraceLine, &TraceLine)| {
        line.marked.is_none() && line.text.trim_start() == first.text.trim_start()
    };
    let others = lines[length..].chunks_exact(length);
    1 + others.take_while(|turn| turn.iter().zip(first).all(is_alike)).count()
}

/// The line as one with this number of lines above it.
fn moved(line: &TraceLine, above: usize) -> TraceLine {
    let text = line.text.trim_start();
    let (before, after) = (line.text.len() - text.len(), INDENT * above);
    let column = |column: usize| (column + after).saturating_sub(before);
    TraceLine {
        text: format!("{}{text}", " ".repeat(after)),
        marked: line.marked.map(|(from, to)| (column(from), column(to))),
    }
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

    fn trace(texts: &[&str], marked: usize) -> Vec<TraceLine> {
        let line = |(at, text): (usize, &&str)| TraceLine {
            text: format!("{}{text}", " ".repeat(INDENT * at)),
            marked: (at == marked).then_some((INDENT * at, INDENT * at + 4)),
        };
        texts.iter().enumerate().map(line).collect()
    }

    #[test]
    fn lines_of_a_chain_stand_there_once_with_their_number() {
        let chain =
            ["List.head", "Node.next", "Ref.value", "Node.next", "Ref.value", "Node.next", "Ref.value", "Handler"];
        let folded = folded(&trace(&chain, 1));
        let expected = ["List.head", "Node.next", "Ref.value", "… these 2 lines 2 times more", "Handler"];
        assert_eq!(folded, trace(&expected, 1));
    }

    #[test]
    fn few_repeated_lines_and_underlined_ones_stay() {
        let twice = trace(&["Tree.root", "Node.left", "Node.left", "Leaf"], 0);
        assert_eq!(folded(&twice), twice);
        let grows = trace(&["Node.left", "Node.left", "Node.left", "Leaf"], 2);
        assert_eq!(folded(&grows), grows);
    }

    #[test]
    fn what_is_underlined_stays_underlined_behind_a_control_character() {
        let line = TraceLine { text: "a\u{1b} ⟶ field".to_owned(), marked: Some((5, 10)) };
        assert_eq!(shown_line(line), TraceLine { text: r"a\u{1b} ⟶ field".to_owned(), marked: Some((10, 15)) });
    }
}
