//! The figures of a ranking for the report.

use crate::ranking;
use crate::report;
use crate::report::ranking::OFF_LINE_THRESHOLD;

/// Survivors, and the candidates above LeakBot's threshold.
pub(super) fn ranked(ranking: &ranking::Ranking) -> report::Ranking {
    let ranking::Survivors { objects, after_s, after_t, after_t4 } = ranking.survivors;
    let [s1, s2, s3, s4] = after_s.map(|count| count as u64);
    let [t1, t2, t3] = after_t.map(|count| count as u64);
    let above = ranking.candidates.iter().filter(|candidate| candidate.rank > OFF_LINE_THRESHOLD);
    report::Ranking {
        survivors: report::Survivors { objects: objects as u64, s1, s2, s3, s4, t1, t2, t3, t4: after_t4 as u64 },
        threshold: OFF_LINE_THRESHOLD,
        above_threshold: above.count() as u64,
    }
}
