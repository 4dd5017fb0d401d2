//! The report of a session at one moment.

use super::findings::Findings;
use super::found_region::FoundRegion;
use super::room::{Room, takes_years};
use super::rows::{self, Row};
use super::{Ending, Session, explained_growth, native};
use crate::naming::class::is_array_of_values;
use crate::report::growth::GrowthReport;
use crate::report::{
    ChangeProxy, End, GrowthPlace, HeapGrowth, LeakTrace, Native, Note, OwnerProxy, Region, RegionRoot, Report, SCHEMA,
    SizeProbe, Status, Updates, Verdict, region,
};
use crate::tracking::{Bound, Fate, Share, TrackedRegion, Trend, Untracked, thin};
use crate::units;
use rootbound_wire::message::{GoodbyeReason, VisitMethod};

/// Seconds after the capture from which "no grower" is an answer: immediately where all trends are known, later in any
/// case.
const MIN_WATCHED_S: f64 = 5.0;
const ENOUGH_S: f64 = super::VERDICT_AFTER.as_secs() as f64;
/// Points of a region's history in the report.
const MAX_HISTORY: usize = 60;
/// Sizes by which two structures are compared step by step: the latest ones, which no series joins.
const MAX_COUNTS: usize = 120;

/// Share of the heap's growth that growers explain: by the latest capture, or by their rates where collections show
/// growth.
pub(super) fn explained(session: &Session) -> Option<f64> {
    if let Some(share) = session.evidence.heap.explained_by_capture() {
        return Some(share.share);
    }
    let growth = session.evidence.heap.bytes_per_hour().filter(|&growth| growth > 0.0)?;
    let bytes = growing(session).filter_map(FoundRegion::bytes_per_hour);
    // The sum of no numbers is −0.0, which is confusing in a report.
    Some((bytes.fold(0.0, |sum, each| sum + each) / growth).clamp(0.0, 1.0))
}

fn growing(session: &Session) -> impl Iterator<Item = &FoundRegion> {
    let regions = session.findings.iter().flat_map(Findings::reported);
    regions.filter(|region| region.trend() == Some(Trend::Grower))
}

/// The share that growers explain, with its interval. The latest capture shows what they keep together, once they were
/// known before it. Until then their rates are compared with the heap's growth. Growth between two captures alone may
/// be warm-up: without a grower it says nothing.
fn explained_with_interval(session: &Session) -> Option<Share> {
    let heap = &session.evidence.heap;
    heap.explained_by_capture().or_else(|| {
        let growth = heap.certain()?;
        let rates: Vec<_> = growing(session).filter_map(FoundRegion::bytes_per_hour_interval).collect();
        if rates.is_empty() && explained(session).is_none() {
            return None;
        }
        let sum = |of: fn(&(f64, f64, f64)) -> f64| rates.iter().map(of).fold(0.0, |sum, each| sum + each);
        let share = |bytes: f64, growth: f64| if growth > 0.0 { (bytes / growth).clamp(0.0, 1.0) } else { 1.0 };
        let (low, high) = (share(sum(|rate| rate.1), growth.high), share(sum(|rate| rate.2), growth.low));
        Some(Share { share: share(sum(|rate| rate.0), growth.per_hour), low, high })
    })
}

pub(super) fn report(session: &Session) -> Report {
    let evidence = &session.evidence;
    let container = evidence.native.container();
    let room = Room::of(evidence.heap.max_bytes(), evidence.heap.free_bytes(), container.as_ref());
    let structures = session.structures.as_ref().and_then(|structures| structures.growth.report());
    let describe = |region: &FoundRegion| Region {
        structure: structures.and_then(|structures| structure_of(region, structures)),
        ..session.with_lives(describe(region, room, session.settings.explain), region)
    };
    let regions =
        session.findings.as_ref().map(|findings| regions(findings, room.max_bytes, describe)).unwrap_or_default();
    let native = evidence.native.report();
    session.complete(Report {
        schema: SCHEMA,
        jvm: evidence.jvm.clone(),
        duration_s: evidence.now_ms as f64 / 1000.0,
        status: status(session),
        snapshots: evidence.snapshots.clone(),
        pauses: evidence.pauses(),
        sampling: session.sampling.report(),
        forecast: evidence.forecast.clone(),
        tags_standing: evidence.tags_standing,
        member_tags: evidence.member_tags,
        heap: heap_growth(session, room),
        native,
        container,
        new_classes: session.findings.as_ref().map(|findings| findings.new_classes.clone()).unwrap_or_default(),
        ranking: session.findings.as_ref().and_then(|findings| findings.ranking),
        leak_roots: session.findings.as_ref().map(|findings| findings.leak_roots.clone()).unwrap_or_default(),
        verdict: verdict(session, &regions, native.as_ref()),
        regions,
        structures: structures.cloned(),
        log: session.log.entries(),
        lives: Vec::new(),
        dropped_events: evidence.dropped_events,
        problems: evidence.problems.clone(),
    })
}

/// At most as many points of a history as the report has.
pub(super) fn thinned(history: &[(f64, f64)]) -> Vec<(f64, f64)> {
    thin(history, MAX_HISTORY)
}

/// The listed data structure that the owner of a region belongs to.
fn structure_of(found: &FoundRegion, structures: &GrowthReport) -> Option<usize> {
    let (class, place) = found.structure.as_ref()?;
    structures.items.iter().position(|item| item.class == *class && item.place == *place)
}

/// Whether a grower would take more than a year to fill a heap of this limit, even at the upper end of its interval.
/// Ten entries an hour are no leak worth a headline. A limit that is not known excludes nothing.
fn is_harmless(region: &Region, max_bytes: Option<u64>) -> bool {
    let most_per_hour = region.bytes_per_hour_high.or(region.bytes_per_hour).filter(|_| region.is_grower());
    most_per_hour.is_some_and(|bytes| takes_years(bytes, max_bytes, 1.0))
}

/// Rows of the report, by falling rank.
fn regions(findings: &Findings, max_bytes: Option<u64>, describe: impl Fn(&FoundRegion) -> Region) -> Vec<Region> {
    let reportable = findings.regions.iter().enumerate().filter(|(_, found)| found.is_reportable());
    let row = |(at, found): (usize, &FoundRegion)| Row {
        at,
        owner: found.owner_object,
        footing: found.footing,
        stands_for: found.stands_for,
        region: describe(found),
    };
    let mut all: Vec<Row> = reportable.map(row).collect();
    all.sort_by(|a, b| b.region.rank.total_cmp(&a.region.rank));
    let mut rows = rows::merge(all, &findings.relations);
    let harmless = |row: &Row| findings.regions[row.at].is_slow && is_harmless(&row.region, max_bytes);
    // Sums have no steps, and what harms nothing leads no other.
    let has_steps = |row: &Row| row.region.is_grower() && row.region.alike == 1 && !harmless(row);
    let counts = |row: &Row| if has_steps(row) { exact_counts(&findings.regions[row.at]) } else { Vec::new() };
    explained_growth::attribute(&mut rows, &findings.relations, counts);
    rows.into_iter().map(|row| Region { harmless: harmless(&row), ..row.region }).collect()
}

/// The latest exact sizes of a region.
fn exact_counts(found: &FoundRegion) -> Vec<(f64, f64)> {
    let points = found.tracked.series.points();
    let latest = &points[points.len().saturating_sub(MAX_COUNTS)..];
    latest.iter().filter(|point| point.error == 0.0).map(|point| (point.at_s, point.size)).collect()
}

fn status(session: &Session) -> Status {
    match &session.ending {
        Ending::Running if session.evidence.jvm.is_none() => Status::AwaitingJvm,
        Ending::Running => session.schedule.waiting_for(session.evidence.now_ms),
        Ending::Goodbye(GoodbyeReason::VmDeath) => Status::Ended(End::JvmEnded),
        Ending::Goodbye(GoodbyeReason::Detached) => Status::Ended(End::Detached),
        Ending::Lost => Status::Ended(End::Lost),
    }
}

pub(super) fn describe(found: &FoundRegion, room: Room, explain: bool) -> Region {
    let tracked = &found.tracked;
    let trend = found.trend();
    let rate = found.rate_per_min();
    let interval = found.bytes_per_hour_interval();
    let bytes_per_hour = interval.map(|(bytes, _, _)| bytes);
    let growing = bytes_per_hour.filter(|&bytes| bytes > 0.0 && trend == Some(Trend::Grower));
    let until_full = |bytes: f64| room.free_bytes.filter(|_| bytes > 0.0).map(|free| free as f64 / bytes * 3600.0);
    let growing_interval = interval.filter(|_| growing.is_some());
    let updates = tracked.updates;
    Region {
        rank: found.rank(),
        fingerprint: found.fingerprint,
        leak_root: RegionRoot { class: found.leak_root.0.clone(), kind: found.leak_root.1 },
        owner_proxy: OwnerProxy { class: found.owner.0.clone(), kind: found.owner.1, path: found.path.owner.clone() },
        change_proxy: ChangeProxy { class: found.change_class.clone() },
        entry: found.entry.clone(),
        alike: 1,
        within: None,
        in_step: false,
        kept_by: found.kept_by.clone(),
        also_held_by: found.shared.iter().filter(|shared| shared.role.is_held()).cloned().collect(),
        has_grown: found.has_grown,
        structure: None,
        description: found.description.clone(),
        path: found.path.steps.clone(),
        owner_at: found.path.owner_at,
        route: LeakTrace::Of(found.path.route.clone()),
        reached_from: found.path.reached_from.clone(),
        proxy_size: tracked.proxy_size().round() as u64,
        dump_bytes: found.dump_bytes,
        members: found.members.clone(),
        trend,
        tick: tracked.tick,
        updates: Updates {
            additions: updates.additions,
            removals: updates.removals,
            relinks: updates.relinks,
            quiet: updates.quiet,
        },
        rate_per_min: rate.map(|rate| rate.0),
        rate_low: rate.map(|rate| rate.1),
        rate_high: rate.map(|rate| rate.2),
        bytes_per_hour,
        bytes_per_hour_low: interval.map(|(_, low, _)| low),
        bytes_per_hour_high: interval.map(|(_, _, high)| high),
        bytes_per_member: found.footprint.bytes,
        bytes_per_member_error: found.footprint.error,
        time_to_full_s: growing.and_then(until_full),
        time_to_full_low_s: growing_interval.and_then(|(_, _, high)| until_full(high)),
        time_to_full_high_s: growing_interval.and_then(|(_, low, _)| until_full(low)),
        full_by: room.by,
        confidence: tracked.confidence(),
        bounded: matches!(tracked.bound, Some(Bound::Array(_) | Bound::Peers(_) | Bound::Dropped(_))),
        clearable: tracked.clearable.waiting,
        buffer_slots: tracked.extent.and_then(|extent| extent.length()),
        note: found
            .course_note()
            .or_else(|| tracked.bound.map(|bound| note(tracked, bound)))
            .or_else(|| buffer_note(found))
            .or_else(|| counted_note(found)),
        harmless: false,
        probe: tracked.method.map(size_probe).or(tracked.is_captured().then_some(SizeProbe::Captures)),
        probe_plan: if explain { found.plan.lines(tracked.method) } else { Vec::new() },
        untracked: match &tracked.fate {
            Fate::Untracked(reason) => Some(reason.clone()),
            Fate::Waiting | Fate::Followed if tracked.is_blind() => Some(Untracked::NoSizeYet),
            Fate::Waiting | Fate::Followed => tracked.is_vague().then_some(Untracked::SizeTooRough),
        },
        sample_bias: tracked.bias.map(f64::from),
        history: thin(tracked.series.points(), MAX_HISTORY).iter().map(|point| (point.at_s, point.size)).collect(),
        sizes: Vec::new(),
        lives: Vec::new(),
        allocation_sites: found.sites.report(),
        allocation_samples: found.sites.samples().map(u64::from),
        allocation_basis: found.sites.basis(),
    }
}

/// The bound of the growth: the fill of an array of fixed length, the size of full ones of its kind, or the share that
/// only waits for the collector.
fn note(tracked: &TrackedRegion, bound: Bound) -> Note {
    let filled = tracked.series.points().last().map_or(0.0, |point| point.size).round() as u64;
    match bound {
        Bound::Array(array) => Note::FillsArray { filled, slots: array.slots },
        Bound::Peers(most) => Note::FullLikeOthers { filled, most },
        Bound::Dropped(most) => Note::DroppedBefore { filled, most },
        Bound::Collector if tracked.is_doubted() => Note::MayWaitForCollector,
        Bound::Collector => Note::WaitsForCollector { share: tracked.clearable.waiting },
    }
}

/// Note on a grower that the counts of captures showed.
fn counted_note(found: &FoundRegion) -> Option<Note> {
    let captures = found.tracked.series.points().len() as u64;
    found.tracked.is_counted().then_some(Note::Counted { captures })
}

/// Note on a grower that is one array: its length, and whether that of references repeats them.
fn buffer_note(found: &FoundRegion) -> Option<Note> {
    let slots = found.tracked.extent.filter(|_| found.trend() == Some(Trend::Grower))?.length()?;
    let repeats = !is_array_of_values(&found.change_class);
    Some(if repeats { Note::RepeatsInOneArray { slots } } else { Note::InOneArray { slots } })
}

fn size_probe(method: VisitMethod) -> SizeProbe {
    match method {
        VisitMethod::Full => SizeProbe::Full,
        VisitMethod::Sampled => SizeProbe::Sampled,
        VisitMethod::Frontier => SizeProbe::Frontier,
        VisitMethod::Counter { .. } => SizeProbe::Counter,
        VisitMethod::Slots => SizeProbe::Slots,
        VisitMethod::Cursor => SizeProbe::Cursor,
        VisitMethod::Length => SizeProbe::Length,
    }
}

/// Regions whose growth no other region explains.
fn growers(regions: &[Region]) -> impl Iterator<Item = &Region> {
    regions.iter().filter(|region| region.grows_independently())
}

fn heap_growth(session: &Session, room: Room) -> HeapGrowth {
    let heap = &session.evidence.heap;
    let (growth, captured) = (heap.growth(), heap.captured());
    let explained = explained_with_interval(session);
    let measured = HeapGrowth {
        live_bytes: heap.live_bytes(),
        reachable_bytes: heap.reachable_bytes(),
        max_bytes: heap.max_bytes(),
        growth_bytes_per_hour: growth.map(|growth| growth.per_hour),
        most_growth_bytes_per_hour: growth.map(|growth| growth.most_per_hour),
        captured_growth_bytes_per_hour: captured.map(|gain| gain.per_hour),
        captured_growth_low: captured.map(|gain| gain.low),
        captured_growth_high: captured.map(|gain| gain.high),
        captured_growth_captures: heap.captures(),
        explained: explained.map(|share| share.share),
        explained_low: explained.map(|share| share.low),
        explained_high: explained.map(|share| share.high),
        time_to_full_s: None,
    };
    let time_to_full_s = measured.certain().zip(room.free_bytes).map(|(growth, free)| free as f64 / growth * 3600.0);
    HeapGrowth { time_to_full_s, ..measured }
}

/// Whether the absence of growers means something: every region that is followed has shown a trend, or there was time
/// enough for each that moves.
fn is_settled(session: &Session) -> bool {
    let Some(findings) = &session.findings else { return false };
    let tracked = findings.reported().map(|region| &region.tracked);
    let followed: Vec<&TrackedRegion> = tracked.filter(|region| region.is_followed()).collect();
    let first_visits = followed.iter().filter_map(|region| region.series.points().first()).map(|point| point.at_s);
    let captured_s = session.evidence.captures().next().map_or(0.0, |snapshot| snapshot.at_s);
    let now_s = session.evidence.now_ms as f64 / 1000.0;
    // The analysis of a large heap takes as long as a verdict does on a small one.
    let watched_s = first_visits.min_by(f64::total_cmp).map(|first_s| now_s - first_s.max(captured_s));
    match watched_s {
        Some(seconds) if seconds < ENOUGH_S => {
            seconds >= MIN_WATCHED_S && followed.iter().all(|region| region.trend().is_some())
        }
        // Where no size is known nothing was judged.
        Some(_) => followed.iter().any(|region| region.trend().is_some()),
        // Without a visit nobody looked.
        None => followed.is_empty() && now_s - captured_s >= MIN_WATCHED_S,
    }
}

fn verdict(session: &Session, regions: &[Region], native: Option<&Native>) -> Verdict {
    let not_yet = |reason: &str| Verdict { summary: reason.to_owned(), ..Verdict::default() };
    if session.findings.is_none() {
        let is_late = session.is_over() || session.schedule.has_given_up();
        return not_yet(if is_late { "no capture was made" } else { "not known before the capture" });
    }
    let count = growers(regions).map(|region| region.alike).sum();
    if count == 0 && !is_settled(session) {
        return not_yet("regions were found, but not watched long enough to tell");
    }
    let beside = native.and_then(native::sentence);
    let summary = match (growers(regions).next(), &beside) {
        (None, None) => nothing_grows(session, regions),
        (None, Some(beside)) => {
            format!("no structure of the Java heap was seen to grow without bound; what grows is beside it: {beside}")
        }
        (Some(first), None) => growth_sentence(first, count),
        (Some(first), Some(beside)) => {
            format!("{}; beside the heap also: {beside}", growth_sentence(first, count))
        }
    };
    Verdict { leaking: Some(count > 0), growth: growth(session, count, native), summary }
}

/// Sentence on the first of `count` growers.
fn growth_sentence(first: &Region, count: u64) -> String {
    let what = if count == 1 { "1 structure grows".to_owned() } else { format!("{count} structures grow") };
    let rate = first.rate_per_min.unwrap_or(0.0);
    format!(
        "{what} without bound; above all {} ({}{}): {rate:+.0} {} a minute",
        first.owner_proxy.path,
        first.owner_proxy.class,
        units::times(first.alike),
        first.counted()
    )
}

/// Place where memory grows. A heap that grows without an explaining region is no basis for the answer "nowhere".
fn growth(session: &Session, growers: u64, native: Option<&Native>) -> Option<GrowthPlace> {
    let is_heap_still = session.evidence.heap.bytes_per_hour().is_none_or(|growth| growth <= 0.0);
    match native {
        _ if growers > 0 => Some(GrowthPlace::Heap),
        Some(native) if native.grows.is_some() => Some(GrowthPlace::Native),
        Some(_) if session.evidence.native.is_known() && is_heap_still => Some(GrowthPlace::Nowhere),
        _ => None,
    }
}

/// Sentence for the case that no region is a grower.
fn nothing_grows(session: &Session, regions: &[Region]) -> String {
    let mut summary = "no structure was seen to grow without bound".to_owned();
    let harmless = region::harmless(regions);
    if harmless > 0 {
        let slowly = units::counted(harmless, "structure");
        summary.push_str(&format!(" that matters; {slowly} would take more than a year to fill the heap"));
    }
    if session.evidence.heap.stands_still() {
        summary.push_str("; this heap does not grow");
    }
    summary
}

#[cfg(test)]
mod tests {
    use super::is_harmless;
    use crate::report::{Region, Trend, samples};

    /// A region with this growth in bytes an hour, and the upper end of its interval.
    fn region(trend: Trend, bytes: f64, high: Option<f64>) -> Region {
        let first = samples::figure_5().regions.swap_remove(0);
        Region { trend: Some(trend), bytes_per_hour: Some(bytes), bytes_per_hour_high: high, ..first }
    }

    #[test]
    fn growth_that_cannot_fill_the_heap_within_a_year_is_harmless() {
        let heap = Some(1 << 30);
        assert!(is_harmless(&region(Trend::Grower, 17_000.0, Some(60_000.0)), heap));
        assert!(is_harmless(&region(Trend::Grower, 17_000.0, None), heap));
        assert!(!is_harmless(&region(Trend::Grower, 17_000.0, Some(200_000.0)), heap), "it may be faster");
        assert!(!is_harmless(&region(Trend::Grower, 17_000.0, Some(60_000.0)), None), "the limit is not known");
        assert!(!is_harmless(&region(Trend::Oscillator, 17_000.0, Some(60_000.0)), heap), "it does not grow");
    }
}
