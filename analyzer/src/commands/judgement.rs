//! Effect of a run's reports on its exit status: whether a structure grows, and whether anything was judged at all.

use rootbound::report::Report;

/// Judgement of one report, or of several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Judgement {
    /// Whether a structure grows.
    pub(crate) has_grower: bool,
    /// Whether the evidence sufficed for a verdict.
    pub(crate) is_judged: bool,
}

impl Judgement {
    /// Judgement of one report. A verdict counts only when a structure was watched long enough for a trend, or when
    /// there was none to watch.
    pub(crate) fn of(report: &Report) -> Self {
        let is_seen = report.regions.is_empty() || report.regions.iter().any(|region| region.trend.is_some());
        Self {
            has_grower: report.regions.iter().any(|region| region.grows_independently()),
            is_judged: report.verdict.leaking.is_some() && is_seen,
        }
    }

    /// Adds one report. A launcher that ended before it was analysed does not change the judgement of its program.
    pub(crate) fn add(&mut self, other: Self) {
        self.has_grower |= other.has_grower;
        self.is_judged |= other.is_judged;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rootbound::report::Verdict;
    use rootbound::session::{Session, Settings};

    fn judged(leaking: Option<bool>) -> Judgement {
        let report = Session::new(Settings::default()).report();
        Judgement::of(&Report { verdict: Verdict { leaking, ..Verdict::default() }, ..report })
    }

    #[test]
    fn without_a_verdict_nothing_is_judged() {
        assert_eq!(judged(None), Judgement::default());
        assert!(judged(Some(false)).is_judged);
    }

    #[test]
    fn one_jvm_that_was_judged_is_enough() {
        let mut all = judged(None);
        all.add(judged(Some(false)));
        all.add(judged(None));
        assert_eq!(all, Judgement { has_grower: false, is_judged: true });
    }
}
