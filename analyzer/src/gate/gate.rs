//! The check of one run: the findings of all its JVMs, and whether they make it fail.

use super::finding::added_at;
use super::known::{Excuse, KnownLeak, KnownLeaks};
use super::{Condition, Finding, Reason, SourceLine, Standing};
use crate::naming::{Fingerprint, Kind};
use crate::report::{Frame, Jvm, Region, Report};
use chrono::NaiveDate;
use std::collections::BTreeSet;

/// JVMs of which findings are kept: a watch may go on for months. Further ones count, and leave no details.
pub const MOST_SUBJECTS: usize = 1_000;

/// Finds a class in the user's sources; for a frame, its line.
pub type Locate<'a> = &'a dyn Fn(&Wanted<'_>) -> Option<SourceLine>;

/// The source that is wanted.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// The line of a frame.
    Line(&'a Frame),
    /// The file of a class.
    Class(&'a str),
}

/// The check of one run.
#[derive(Clone, Debug)]
pub struct Gate {
    conditions: Vec<Condition>,
    known: KnownLeaks,
    today: NaiveDate,
    /// Whether each entry of `known` covered a growing structure.
    is_matched: Vec<bool>,
    subjects: Vec<Subject>,
    left_out: u64,
    has_failed: bool,
    is_judged: bool,
}

/// One JVM, or one comparison of dumps, with its findings.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The JVM; `None` where dumps were compared, or no JVM came.
    pub jvm: Option<Jvm>,
    /// Time from the agent's start to the last message, in seconds.
    pub duration_s: f64,
    /// Whether the evidence sufficed for a verdict.
    pub is_judged: bool,
    /// The verdict of its report in one sentence.
    pub summary: String,
    /// Its growing structures, the highest rank first.
    pub findings: Vec<Finding>,
}

/// Result of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No condition was given.
    Unasked,
    /// A structure makes the run fail.
    Failed,
    /// There was too little evidence in every JVM.
    Unjudged,
    /// Nothing makes the run fail.
    Passed,
}

impl Gate {
    /// A check before the first report. `today` is a day in UTC: entries expire by it.
    #[must_use]
    pub fn new(conditions: Vec<Condition>, known: KnownLeaks, today: NaiveDate) -> Self {
        let is_matched = vec![false; known.leaks.len()];
        Self {
            conditions,
            known,
            today,
            is_matched,
            subjects: Vec::new(),
            left_out: 0,
            has_failed: false,
            is_judged: false,
        }
    }

    /// Adds the final report of one JVM. Structures that grew in `earlier` are not new.
    pub fn add(&mut self, report: &Report, earlier: Option<&Report>, locate: Locate<'_>) {
        let grew: Option<BTreeSet<Fingerprint>> = earlier.map(growing);
        let is_past_judged = earlier.is_none_or(is_judged);
        let findings: Vec<Finding> = report
            .regions
            .iter()
            .filter_map(|region| self.finding(region, grew.as_ref(), is_past_judged, locate))
            .collect();
        let needs_past = self.conditions.contains(&Condition::NewGrower);
        let is_judged = is_judged(report) && (is_past_judged || !needs_past || findings.is_empty());
        self.is_judged |= is_judged;
        self.has_failed |= findings.iter().any(Finding::fails);
        if self.subjects.len() >= MOST_SUBJECTS {
            self.left_out += 1;
            return;
        }
        let (jvm, duration_s, summary) = (report.jvm.clone(), report.duration_s, report.verdict.summary.clone());
        self.subjects.push(Subject { jvm, duration_s, is_judged, summary, findings });
    }

    /// The finding on a region; `None` where it does not grow by itself.
    fn finding(
        &mut self,
        region: &Region,
        grew: Option<&BTreeSet<Fingerprint>>,
        is_past_judged: bool,
        locate: Locate<'_>,
    ) -> Option<Finding> {
        if !region.is_grower() {
            return None;
        }
        let entry = self.known.covering(region);
        if let Some(at) = entry {
            self.is_matched[at] = true;
        }
        let is_new = is_past_judged && grew.is_none_or(|grew| !grew.contains(&region.fingerprint));
        let met: Vec<Condition> =
            self.conditions.iter().copied().filter(|condition| condition.is_met(region, is_new)).collect();
        if !region.grows_independently() && met.is_empty() {
            return None;
        }
        let leak = entry.map(|at| self.known.leaks[at].clone());
        let standing = standing(region, leak, grew, self.today);
        let reasons = match standing {
            _ if self.conditions.is_empty() => Vec::new(),
            Standing::Known(_) => Vec::new(),
            Standing::Expired(_) => vec![Reason::Expired],
            Standing::TooFast(_) => vec![Reason::TooFast],
            Standing::Unlisted | Standing::Grew => met.into_iter().map(Reason::Met).collect(),
        };
        let source = source(region, locate);
        Some(Finding { region: Region { history: Vec::new(), ..region.clone() }, standing, reasons, source })
    }

    /// The conditions, as given.
    #[must_use]
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// The JVMs, in the order in which they were added.
    #[must_use]
    pub fn subjects(&self) -> &[Subject] {
        &self.subjects
    }

    /// Number of JVMs whose findings are not kept.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The day by which entries expire.
    #[must_use]
    pub fn today(&self) -> NaiveDate {
        self.today
    }

    /// All findings.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.subjects.iter().flat_map(|subject| &subject.findings)
    }

    /// Entries that covered no growing structure of any JVM.
    pub fn unmatched(&self) -> impl Iterator<Item = &KnownLeak> {
        self.known.leaks.iter().zip(&self.is_matched).filter(|(_, is_matched)| !**is_matched).map(|(leak, _)| leak)
    }

    /// The result.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match () {
            () if self.conditions.is_empty() => Outcome::Unasked,
            () if self.has_failed => Outcome::Failed,
            () if !self.is_judged => Outcome::Unjudged,
            () => Outcome::Passed,
        }
    }
}

impl Subject {
    /// `com.example.Shop, process 4711`.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.jvm {
            Some(jvm) if jvm.main.is_empty() => format!("process {}", jvm.pid),
            Some(jvm) => format!("{}, process {}", jvm.main, jvm.pid),
            None => "no JVM".to_owned(),
        }
    }
}

fn standing(
    region: &Region,
    leak: Option<KnownLeak>,
    grew: Option<&BTreeSet<Fingerprint>>,
    today: NaiveDate,
) -> Standing {
    match leak {
        Some(leak) => match leak.excuse(region, today) {
            Excuse::Accepted => Standing::Known(leak),
            Excuse::Expired => Standing::Expired(leak),
            Excuse::TooFast => Standing::TooFast(leak),
        },
        None if grew.is_some_and(|grew| grew.contains(&region.fingerprint)) => Standing::Grew,
        None => Standing::Unlisted,
    }
}

/// The line that adds to a structure; else the file of the class whose static field leads to it.
fn source(region: &Region, locate: Locate<'_>) -> Option<SourceLine> {
    let line = added_at(region).and_then(|frame| locate(&Wanted::Line(frame)));
    let root = &region.leak_root;
    line.or_else(|| (root.kind == Kind::Class).then(|| locate(&Wanted::Class(&root.class)))?)
}

/// Structures that grow, however slowly.
fn growing(report: &Report) -> BTreeSet<Fingerprint> {
    report.regions.iter().filter(|region| region.is_grower()).map(|region| region.fingerprint).collect()
}

/// Whether the evidence of a report suffices for a verdict. A verdict counts only when a structure was watched long
/// enough for a trend, or when there was none to watch.
#[must_use]
pub fn is_judged(report: &Report) -> bool {
    let is_seen = report.regions.is_empty() || report.regions.iter().any(|region| region.trend.is_some());
    report.verdict.leaking.is_some() && is_seen
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
