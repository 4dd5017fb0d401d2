//! One line for every change while a run goes on: for logs and pipes, where a table every few seconds would hide the
//! output of the program.

use crate::report::{Fingerprint, Report, Status};
use crate::units;
use crate::view::plain::plain;
use crate::view::{several, verdict};
use std::mem::{Discriminant, discriminant};

/// State of a report whose changes are worth a line; numbers alone are not.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// `None` while a snapshot is taken, in any of its steps, and once there is a verdict, which has no status.
    status: Option<Discriminant<Status>>,
    leaking: Option<bool>,
    is_outside: bool,
    /// Growing structures.
    growing: Vec<Fingerprint>,
    /// Whether the code line of the first is known, which the line names; it names no other.
    has_code_line: bool,
}

impl News {
    /// State of a report.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        let mut growing: Vec<_> = verdict::growing(report).map(|region| region.fingerprint).collect();
        growing.sort_unstable();
        Self {
            status: (report.verdict.leaking.is_none() && !is_snapshot(&report.status))
                .then(|| discriminant(&report.status)),
            leaking: report.verdict.leaking,
            is_outside: report.native.is_some_and(|native| native.grows.is_some()),
            growing,
            has_code_line: verdict::growing(report).next().is_some_and(|first| !first.allocation_sites.is_empty()),
        }
    }
}

fn is_snapshot(status: &Status) -> bool {
    matches!(status, Status::Surveying | Status::Marking | Status::Capturing)
}

/// `[25 s] process 4711 · shop.Main: second snapshot in 12 s, …`.
#[must_use]
pub fn line(report: &Report) -> String {
    let time = units::duration_s(report.duration_s);
    let who = match &report.jvm {
        Some(jvm) => format!("process {} · {}: ", jvm.pid, several::main(report)),
        None => String::new(),
    };
    plain(&format!("[{time}] {who}{}", verdict::text(report))).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{figure_5, waiting};

    #[test]
    fn a_larger_number_is_no_news_and_a_code_line_is() {
        let mut report = figure_5();
        let before = News::of(&report);
        report.duration_s += 5.0;
        report.regions[0].rate_per_min = Some(481.0);
        assert_eq!(News::of(&report), before);
        report.regions[0].allocation_sites.clear();
        assert_ne!(News::of(&report), before);
        assert_ne!(News::of(&waiting()), before);
    }

    #[test]
    fn the_code_line_of_a_structure_that_is_not_named_is_no_news() {
        let mut report = figure_5();
        let before = News::of(&report);
        report.regions[1].allocation_sites = report.regions[0].allocation_sites.clone();
        assert_eq!(News::of(&report), before);
    }

    #[test]
    fn a_snapshot_after_the_verdict_is_no_news() {
        let mut report = figure_5();
        let before = News::of(&report);
        report.status = Status::Capturing;
        assert_eq!(News::of(&report), before);
    }

    #[test]
    fn a_line_says_when_and_of_whom() {
        let text = line(&figure_5());
        assert!(text.starts_with("[2 min] process 4711 · com.example.leaky.SimpleLeaker: LEAK: "), "{text}");
        assert!(line(&waiting()).starts_with("[0 s] Waiting for a JVM on unix:"));
    }
}
