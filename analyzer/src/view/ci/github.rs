//! What GitHub's actions understand: annotations by workflow commands, and a summary in Markdown.

use crate::gate::{Finding, Gate, Outcome, Standing};
use crate::view::check;
use crate::view::ci::details;
use crate::view::plain::plain;
use std::fmt::Write;

/// One workflow command a line: an error for what fails the run, a notice for known leaks, a warning for the rest that
/// grows, and an error where nothing was judged.
#[must_use]
pub fn annotations(gate: &Gate) -> String {
    let mut out = String::new();
    for finding in gate.findings() {
        let source = finding.source.as_ref().map_or_else(String::new, |source| {
            let line = source.line.map_or_else(String::new, |line| format!(",line={line}"));
            format!("file={}{line},", property(&source.file))
        });
        let title = property(&format!("Growing structure: {}", finding.structure()));
        let _ = writeln!(out, "::{} {source}title={title}::{}", level(finding), data(&details(finding).join("\n")));
    }
    if gate.outcome() == Outcome::Unjudged {
        let reasons = gate.subjects().iter().map(|subject| subject.summary.as_str()).collect::<Vec<_>>().join("\n");
        let _ = writeln!(out, "::error title=Nothing was judged::{}", data(&plain_or(&reasons, "no JVM was seen")));
    }
    out
}

fn plain_or(text: &str, otherwise: &str) -> String {
    if text.trim().is_empty() { otherwise.to_owned() } else { text.to_owned() }
}

fn level(finding: &Finding) -> &'static str {
    match finding.standing {
        _ if finding.fails() => "error",
        Standing::Known(_) => "notice",
        _ => "warning",
    }
}

/// Escapes the data of a command as the runner reads it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a command as the runner reads it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A summary in Markdown: the result, and a table of the findings.
#[must_use]
pub fn summary(gate: &Gate) -> String {
    let mut out = String::from("### Rootbound\n\n");
    for subject in gate.subjects() {
        let verdict = subject.summary.trim_end_matches('.');
        let _ = writeln!(out, "**{}**: {}.\n", cell(&subject.name()), cell(verdict));
    }
    let result = check::text(gate, None::<&str>).trim_start().lines().next().map(str::to_owned);
    if let Some(result) = result.filter(|_| gate.outcome() != Outcome::Unasked) {
        let _ = writeln!(out, "{}\n", cell(&result));
    }
    if gate.findings().next().is_none() {
        return out;
    }
    out.push_str("| | structure | gains | added at | fingerprint |\n|---|---|---|---|---|\n");
    for finding in gate.findings() {
        let state = match finding.accepted() {
            Some(leak) => format!("known: {}", check::acceptance(leak)),
            None if finding.fails() => format!("fails: {}", check::reasons(finding)),
            None => "grows".to_owned(),
        };
        let (structure, sentence) = (finding.structure(), finding.sentence());
        let gains = sentence.strip_prefix(&format!("{structure} gains ")).unwrap_or(&sentence);
        let added = finding.added_at().map(ToString::to_string).unwrap_or_default();
        let cells = [&state, &structure, gains, &added].map(cell).join(" | ");
        let _ = writeln!(out, "| {cells} | `{}` |", finding.region.fingerprint);
    }
    out.push('\n');
    out
}

/// Text of a cell that is no Markdown and no HTML.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in plain(text).chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '~' => {
                out.push('\\');
                out.push(letter);
            }
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{figure_5, waiting};
    use crate::view::ci::samples::{gate, hostile, named};

    #[test]
    fn the_annotations_of_figure_5() {
        insta::assert_snapshot!(annotations(&gate(&["grower"], &figure_5())));
    }

    #[test]
    fn the_summary_of_figure_5() {
        insta::assert_snapshot!(summary(&gate(&["grower"], &figure_5())));
    }

    #[test]
    fn no_name_of_the_program_ends_a_command_or_begins_one() {
        let text = annotations(&gate(&["grower"], &hostile()));
        assert_eq!(text.lines().count(), 1, "{text}");
        let title = text.split_once("title=").unwrap().1.split_once("::").unwrap().0;
        assert!(!title.contains([':', ',', '\n', '\r']), "{title}");
        assert!(!text.contains(named::NAME), "{text}");
    }

    #[test]
    fn no_name_of_the_program_is_markup_in_the_summary() {
        let text = summary(&gate(&["grower"], &hostile()));
        let unescaped = text.replace("\\]", "").replace("\\[", "");
        assert!(!text.contains("<script>") && !unescaped.contains(['[', ']']), "{text}");
        let row = text.lines().find(|line| line.contains("fails")).unwrap();
        assert_eq!(row.replace("\\|", "").matches('|').count(), 6, "{row}");
    }

    #[test]
    fn a_run_that_judged_nothing_is_an_error() {
        let text = annotations(&gate(&["grower"], &waiting()));
        assert!(text.starts_with("::error title=Nothing was judged::"), "{text}");
        assert_eq!(annotations(&gate(&[], &waiting())), "");
    }
}
