//! The last visits and changes of sample biases, for people who want to follow the tracking.

use crate::report::{Fingerprint, LogEntry, LogKind, Trend};
use rootbound_wire::ids::ProbeId;
use std::collections::{HashMap, VecDeque};

/// Entries that are kept.
const MOST: usize = 60;
/// The bias with which a probe begins (LeakBot §5.1).
const FIRST_BIAS: f32 = 1.0;
/// Changes of a bias below this are not noted.
const LEAST_CHANGE: f32 = 0.005;

/// The log of one JVM.
#[derive(Debug, Default)]
pub(super) struct Log {
    entries: VecDeque<LogEntry>,
    next_number: u64,
    /// The latest bias of each probe.
    biases: HashMap<ProbeId, f32>,
}

/// One visit, for the log.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visited {
    pub(super) at_s: f64,
    pub(super) probe: ProbeId,
    pub(super) region: Fingerprint,
    /// The size, if it was read.
    pub(super) size: Option<f64>,
    /// The size of the visit before.
    pub(super) size_before: Option<f64>,
    pub(super) trend: Option<Trend>,
    /// The sample bias for the next visits.
    pub(super) bias: f32,
}

impl Log {
    /// Notes a visit, and the change of the bias, if there is one.
    pub(super) fn note(&mut self, visit: &Visited) {
        let blank = LogEntry {
            number: 0,
            at_s: visit.at_s,
            kind: LogKind::Lost,
            region: visit.region,
            size: None,
            change: None,
            trend: None,
            bias: None,
            bias_before: None,
        };
        let seen = LogEntry {
            kind: if visit.size.is_some() { LogKind::Visit } else { LogKind::Lost },
            size: visit.size,
            change: visit.size.zip(visit.size_before).map(|(size, before)| size - before),
            trend: visit.trend,
            ..blank
        };
        self.push(seen);
        let before = self.biases.insert(visit.probe, visit.bias).unwrap_or(FIRST_BIAS);
        if (visit.bias - before).abs() >= LEAST_CHANGE {
            let (bias, bias_before) = (Some(f64::from(visit.bias)), Some(f64::from(before)));
            self.push(LogEntry { kind: LogKind::Bias, bias, bias_before, ..blank });
        }
    }

    /// The entries, the latest last.
    pub(super) fn entries(&self) -> Vec<LogEntry> {
        self.entries.iter().copied().collect()
    }

    fn push(&mut self, entry: LogEntry) {
        if self.entries.len() == MOST {
            self.entries.pop_front();
        }
        self.entries.push_back(LogEntry { number: self.next_number, ..entry });
        self.next_number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visited(size: Option<f64>, bias: f32) -> Visited {
        let (probe, region) = (ProbeId(1), Fingerprint(7));
        Visited { at_s: 3.0, probe, region, size, size_before: Some(100.0), trend: Some(Trend::Grower), bias }
    }

    #[test]
    fn a_visit_is_noted_with_its_change_and_a_bias_when_it_moves() {
        let mut log = Log::default();
        log.note(&visited(Some(151.0), 1.0));
        log.note(&visited(Some(90.0), 0.81));
        log.note(&visited(None, 0.81));
        let kinds: Vec<LogKind> = log.entries().iter().map(|entry| entry.kind).collect();
        assert_eq!(kinds, [LogKind::Visit, LogKind::Visit, LogKind::Bias, LogKind::Lost]);
        let changes: Vec<Option<f64>> = log.entries().iter().map(|entry| entry.change).collect();
        assert_eq!(changes, [Some(51.0), Some(-10.0), None, None]);
        assert_eq!(log.entries()[2].bias_before, Some(1.0));
    }

    #[test]
    fn only_the_last_entries_are_kept_and_numbers_go_on() {
        let mut log = Log::default();
        (0..200).for_each(|_| log.note(&visited(Some(1.0), 1.0)));
        let entries = log.entries();
        assert_eq!((entries.len(), entries[0].number, entries[MOST - 1].number), (MOST, 140, 199));
    }
}
