//! Recordings without an analyzer: captures on a timer, no commands and no visits. Several of them may be joined, of
//! one life of the program or of several.

use super::found_region::FoundRegion;
use super::history::History;
use super::room::takes_years;
use super::{Session, Settings};
use crate::heap::Heap;
use crate::report::{self, GrowthPlace, LifeGrowth, Report, Snapshot, Stop, Verdict, region};
use crate::units;
use rootbound_wire::message::Hello;

/// Captures of one life from which on the absence of growth is an answer.
const LEAST_CAPTURES: usize = 5;
/// Change-proxies that count as a gain.
const LEAST_GAINED: u64 = 8;

/// The state of recordings without an analyzer.
#[derive(Debug)]
pub(super) struct Unattended {
    history: History,
    /// Observations in earlier lives, at times of the whole.
    earlier: Earlier,
    /// Number of the life that this session has begun, from 0; `None` before its Hello.
    life: Option<usize>,
}

#[derive(Debug, Default)]
struct Earlier {
    snapshots: Vec<Snapshot>,
    stops: Vec<Stop>,
    problems: Vec<String>,
}

impl Unattended {
    /// Without any recording.
    pub(super) fn new(explains: bool) -> Self {
        Self { history: History::new(explains), earlier: Earlier::default(), life: None }
    }
}

impl Session {
    /// Begins the session of the next life, which goes on with what earlier recordings of the program have shown.
    #[must_use]
    pub fn next_life(mut self, settings: Settings) -> Self {
        let mut next = Self::new(settings);
        let offset_s = self.offset_s();
        if let Some(mut before) = self.unattended.take() {
            let evidence = self.evidence;
            let shifted = |at_s: f64| at_s + offset_s;
            before
                .earlier
                .snapshots
                .extend(evidence.snapshots.into_iter().map(|seen| Snapshot { at_s: shifted(seen.at_s), ..seen }));
            before
                .earlier
                .stops
                .extend(evidence.stops.into_iter().map(|stop| Stop { at_s: shifted(stop.at_s), ..stop }));
            before.earlier.problems.extend(evidence.problems);
            before.life = None;
            next.unattended = Some(before);
        }
        next
    }

    /// Ends a replay: searches the captures of a recording without an analyzer.
    pub fn conclude(&mut self) {
        let now_ms = self.evidence.now_ms;
        let Some(unattended) = &mut self.unattended else { return };
        unattended.history.pass(now_ms);
        unattended.history.conclude();
        self.findings = unattended.history.findings();
    }

    /// Seconds from the first life's load to that of this session's.
    fn offset_s(&self) -> f64 {
        self.unattended.as_ref().and_then(|it| Some(it.history.offset_s(it.life?))).unwrap_or(0.0)
    }

    pub(super) fn begin_life(&mut self, hello: &Hello) {
        if let Some(unattended) = &mut self.unattended {
            unattended.history.pass(self.evidence.now_ms);
            unattended.history.begin(hello);
            unattended.life = unattended.history.lives().len().checked_sub(1);
        }
    }

    pub(super) fn keep_capture(&mut self, begun_s: f64, heap: Heap, snapshot: Snapshot) {
        self.evidence.add_snapshot(snapshot);
        if let Some(unattended) = &mut self.unattended {
            unattended.history.pass(self.evidence.now_ms);
            unattended.history.add(begun_s, heap);
        }
    }

    /// The report with what only recordings without an analyzer have.
    pub(super) fn complete(&self, report: Report) -> Report {
        let Some(unattended) = &self.unattended else { return report };
        let (history, offset_s) = (&unattended.history, self.offset_s());
        let mut report = report;
        report.duration_s += offset_s;
        report.snapshots.iter_mut().for_each(|seen| seen.at_s += offset_s);
        report.snapshots.splice(0..0, unattended.earlier.snapshots.iter().cloned());
        report.problems.splice(0..0, unattended.earlier.problems.iter().cloned());
        report.problems.dedup();
        report.pauses.stops.iter_mut().for_each(|stop| stop.at_s += offset_s);
        let earlier = &unattended.earlier.stops;
        report.pauses.count += earlier.len() as u32;
        report.pauses.total_ms += earlier.iter().fold(0.0, |total, stop| total + stop.ms);
        report.pauses.max_ms = earlier.iter().map(|stop| stop.ms).fold(report.pauses.max_ms, f64::max);
        report.pauses.stops.splice(0..0, earlier.iter().cloned());
        report.lives = lives(history);
        report.verdict = self.verdict_of_captures(&report, history);
        report
    }

    /// The course of a region in each life, and its history in all of them.
    pub(super) fn with_lives(&self, region: report::Region, found: &FoundRegion) -> report::Region {
        let Some(unattended) = &self.unattended else { return region };
        let history = &unattended.history;
        let offset_s = history.offset_s(found.life);
        let own = region.history.iter().map(|&(at_s, size)| (at_s + offset_s, size)).collect();
        if history.lives().len() < 2 || found.places.is_empty() {
            return report::Region { history: own, ..region };
        }
        let each = history.in_each_life(found);
        let entries = region.entries_each();
        let growth = |(life, tracked): &(usize, crate::tracking::TrackedRegion)| {
            let points = tracked.series.points();
            let rate = tracked.rate_per_min();
            let size = |point: Option<&crate::tracking::Point>| point.map_or(0, |point| point.size.round() as u64);
            LifeGrowth {
                life: life + 1,
                trend: tracked.trend(),
                rate_per_min: rate.map(|rate| rate.0 * entries),
                rate_low: rate.map(|rate| rate.1 * entries),
                rate_high: rate.map(|rate| rate.2 * entries),
                first: size(points.first()),
                last: size(points.last()),
            }
        };
        let point = |(life, tracked): &(usize, crate::tracking::TrackedRegion)| {
            let offset_s = history.offset_s(*life);
            tracked.series.points().iter().map(|point| (point.at_s + offset_s, point.size)).collect::<Vec<_>>()
        };
        let all: Vec<(f64, f64)> = each.iter().flat_map(point).collect();
        let history = super::summary::thinned(&all);
        report::Region { lives: each.iter().map(growth).collect(), history, ..region }
    }

    /// The answer: only what was seen in enough captures of one life is judged.
    fn verdict_of_captures(&self, report: &Report, history: &History) -> Verdict {
        let most = history.lives().iter().max_by_key(|life| life.captures());
        let Some(most) = most.filter(|life| life.captures() > 0) else {
            return Verdict { summary: "no capture was made".to_owned(), ..Verdict::default() };
        };
        if report.verdict.leaking == Some(true) {
            return report.verdict.clone();
        }
        let (captures, span) = (most.captures(), units::duration_s(most.span_s()));
        let max_bytes = report.heap.max_bytes;
        let matters = |region: &&report::Region| gained(region) >= LEAST_GAINED && !is_slow(region, max_bytes);
        let unclear = report.regions.iter().filter(|region| region.trend.is_none()).filter(matters);
        let above_all = unclear.max_by_key(|region| gained(region)).map(|region| {
            let (place, class) = (&region.owner_proxy.path, region.counted());
            format!("; above all {place} has gained {} {class}", units::grouped(gained(region)))
        });
        if captures < LEAST_CAPTURES || above_all.is_some() {
            let seen = units::counted(captures as u64, "capture");
            let lack = match captures {
                0..LEAST_CAPTURES => format!("the recording has {seen}, and a trend takes {LEAST_CAPTURES}"),
                _ => format!("structures have become larger, and {seen} do not show whether they go on to"),
            };
            let summary = lack + &above_all.unwrap_or_default();
            return Verdict { summary, ..Verdict::default() };
        }
        let harmless = region::harmless(&report.regions);
        let slowly = match harmless {
            0 => String::new(),
            _ => format!(
                " that matters; {} would take more than a year to fill the heap",
                units::counted(harmless, "structure")
            ),
        };
        let summary = format!("no structure grew without bound in {captures} captures over {span}{slowly}");
        let growth = report.verdict.growth.filter(|&growth| growth != GrowthPlace::Heap);
        Verdict { leaking: Some(false), growth, summary }
    }
}

/// Change-proxies that a region has more in its last capture than in its first.
fn gained(region: &report::Region) -> u64 {
    let ends = region.history.first().zip(region.history.last());
    ends.map_or(0, |(first, last)| (last.1 - first.1).max(0.0).round() as u64)
}

/// Whether gains like that between its first and its last capture would take years to fill the heap.
fn is_slow(region: &report::Region, max_bytes: Option<u64>) -> bool {
    let span_h =
        region.history.first().zip(region.history.last()).map_or(0.0, |(first, last)| last.0 - first.0) / 3600.0;
    let bytes = gained(region) as f64 * region.bytes_per_member;
    span_h > 0.0 && takes_years(bytes / span_h, max_bytes, 1.0)
}

fn lives(history: &History) -> Vec<report::Life> {
    let life = |(at, life): (usize, &super::history::Life)| report::Life {
        main: life.main.clone(),
        pid: life.pid,
        loaded_unix_ms: life.loaded_unix_ms,
        at_s: history.offset_s(at),
        duration_s: life.now_ms as f64 / 1000.0,
        captures: life.captures() as u64,
    };
    history.lives().iter().enumerate().map(life).collect()
}
