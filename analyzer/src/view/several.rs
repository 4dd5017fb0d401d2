//! Text on several JVMs together: their number, the heading of each table, and one line for each at the end.

use crate::report::Report;
use crate::view::look::Width;
use crate::view::names::{width, wrap};
use crate::view::plain::{line, plain};
use crate::view::verdict;
use std::sync::Arc;

/// Indentation of a verdict.
const INDENT: usize = 4;

/// One JVM, for presenters.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Number that distinguishes it from the others for the whole run.
    pub number: u32,
    /// Whether it is watched no more.
    pub is_over: bool,
    /// The latest report.
    pub report: Arc<Report>,
}

/// Numbers of JVMs, present and past.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// JVMs that are watched now.
    pub watched: usize,
    /// JVMs that were watched.
    pub ended: usize,
    /// JVMs that were refused.
    pub refused: usize,
}

impl Tally {
    /// Whether tables need a heading with the JVM.
    #[must_use]
    pub fn is_several(&self) -> bool {
        self.watched + self.ended > 1
    }

    /// `2 JVMs watched, 1 ended, 1 refused`.
    #[must_use]
    pub fn text(&self) -> String {
        let noun = if self.watched == 1 { "JVM" } else { "JVMs" };
        let mut text = format!("{} {noun} watched", self.watched);
        for (count, what) in [(self.ended, "ended"), (self.refused, "refused")] {
            if count > 0 {
                text.push_str(&format!(", {count} {what}"));
            }
        }
        text
    }
}

/// `process 4711 · shop.Main · G1`.
#[must_use]
pub fn title(report: &Report) -> String {
    let Some(jvm) = &report.jvm else { return "no JVM".to_owned() };
    format!("process {} · {} · {}", jvm.pid, main(report), jvm.gc)
}

/// The main class, or a substitute for it.
#[must_use]
pub fn main(report: &Report) -> &str {
    let main = report.jvm.as_ref().map_or("", |jvm| &jvm.main);
    if main.is_empty() { "unnamed program" } else { main }
}

/// The line above a table that is one of several, with an empty one before it.
#[must_use]
pub fn heading(report: &Report, room: Width) -> String {
    let title = plain(&format!("━━ {} ", title(report))).into_owned();
    let rule = "━".repeat(room.rule().saturating_sub(width(&title)));
    format!("\n{title}{rule}\n")
}

/// The end of a run with several JVMs: each with its verdict.
#[must_use]
pub fn summary(reports: &[&Report], tally: Tally, room: Width) -> String {
    let mut out = format!("\n{} in all{}\n", jvms(reports.len()), left_out(reports.len(), tally));
    for report in reports {
        line(&mut out, &format!("  {}", title(report)));
        for text in wrap(&verdict::text(report), room.columns().saturating_sub(INDENT)) {
            line(&mut out, &format!("{}{text}", " ".repeat(INDENT)));
        }
    }
    out
}

fn jvms(count: usize) -> String {
    if count == 1 { "1 JVM".to_owned() } else { format!("{count} JVMs") }
}

fn left_out(reported: usize, tally: Tally) -> String {
    let earlier = (tally.watched + tally.ended).saturating_sub(reported);
    let part = |count: usize, what: &str| if count > 0 { format!(", {count} {what}") } else { String::new() };
    format!("{}{}:", part(earlier, "earlier ones not listed"), part(tally.refused, "refused"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{figure_5, healthy};

    #[test]
    fn a_tally_leaves_out_what_there_is_none_of() {
        let tally = |watched, ended, refused| Tally { watched, ended, refused }.text();
        assert_eq!(tally(1, 0, 0), "1 JVM watched");
        assert_eq!(tally(2, 1, 3), "2 JVMs watched, 1 ended, 3 refused");
    }

    #[test]
    fn a_heading_is_as_wide_as_the_terminal_and_says_whose_table_it_is() {
        let heading = heading(&figure_5(), Width::of_terminal(70));
        assert!(heading.contains("process 4711"), "{heading}");
        assert_eq!(width(heading.trim_matches('\n')), 70);
    }

    #[test]
    fn a_summary_has_a_line_for_each_jvm_with_its_verdict() {
        let (leaking, healthy) = (figure_5(), healthy());
        let tally = Tally { watched: 0, ended: 2, refused: 1 };
        let text = summary(&[&leaking, &healthy], tally, Width::FILE);
        assert_eq!(text.lines().nth(1), Some("2 JVMs in all, 1 refused:"));
        assert!(text.lines().nth(3).unwrap().starts_with("    LEAK: SimpleLeaker.integers"), "{text}");
        assert!(text.lines().nth(5).unwrap().starts_with("    NO LEAK SEEN"), "{text}");
    }
}
