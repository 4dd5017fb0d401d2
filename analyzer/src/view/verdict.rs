//! The answer in one sentence: the growing structure and its place, or the missing evidence and when it will be there.

use crate::naming::class::short_name;
use crate::naming::{Shared, SharedRole};
use crate::report::{
    End, GrowthPlace, HeapGrowth, MethodForecast, Native, NativeKind, NearerLimit, NewClasses, Region, Report,
    Snapshot, SnapshotKind, Status, Trend, region,
};
use crate::units;
use crate::view::container;
use crate::view::holder::{self, Holder};

/// Seconds from the second snapshot to the first verdict: six visits in eight seconds, and an assessment of them.
const FIRST_VERDICT_S: u64 = 10;

/// Seconds after the second snapshot at which a verdict comes in any case.
const LATEST_VERDICT_S: f64 = 20.0;

/// Seconds of watching before which what a program does is only said to be so far, while it goes on.
const EARLY_S: f64 = 60.0;

/// Share of the samples from which on one line of code is the answer.
const ALL_BUT: f64 = 0.95;

/// Share by which two rates may differ at most to be one pace.
const SAME_PACE: f64 = 0.1;

/// Ratio of two times to a full heap from which on both are stated.
const SOONER: f64 = 2.0;

/// Classes that stay for each element from which on the elements are what brings them.
const CLASS_PER_ELEMENT: f64 = 0.9;

/// The answer in sentences.
#[must_use]
pub fn text(report: &Report) -> String {
    if let Some(first) = growing(report).next() {
        return leak(report, first);
    }
    match (&report.status, report.verdict.leaking, report.verdict.growth) {
        (Status::Compared { dumps }, ..) => compared(report, *dumps),
        (_, Some(_), Some(GrowthPlace::Native)) => outside(report),
        (_, Some(_), _) => nothing_grows(report),
        (status, None, _) => too_early(report, status),
    }
}

/// Path to the structure of the answer; `None` where its name already states it.
#[must_use]
pub fn way(report: &Report) -> Option<String> {
    let first = growing(report).next().or_else(|| report.regions.iter().find(|region| region.has_more()))?;
    Holder::of(first).way().map(|way| format!("in {way}"))
}

/// Regions that grow independently, the highest rank first.
pub(crate) fn growing(report: &Report) -> impl Iterator<Item = &Region> {
    report.regions.iter().filter(|region| region.grows_independently())
}

/// `LEAK: Shop.sessions (HashMap) gains 600 Session a minute, 6.3 MB/h. Heap full in about 9 h. …`
fn leak(report: &Report, first: &Region) -> String {
    let beside = report.native.as_ref().and_then(native);
    let sentences = [
        Some(format!("LEAK: {}.", gain(first))),
        Some(full_in(first, &report.heap)),
        code_line(first, report),
        never_smaller(first, &report.status),
        also_held(first),
        classes(first, report.native.as_ref()),
        others(report, first),
        beside.map(|beside| format!("Memory outside the heap grows, too: {beside}.")),
    ];
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// `Classes are loaded at this pace, too, and stay: 180 a minute.`, where about every element brings its own: a leak
/// of class loaders.
fn classes(region: &Region, native: Option<&Native>) -> Option<String> {
    let per_min = native?.classes_growth_per_hour? / 60.0;
    let gains = region.rate_per_min.filter(|&rate| rate > 0.0)?;
    let (number, unit) = units::pace(per_min);
    (per_min >= CLASS_PER_ELEMENT * gains)
        .then(|| format!("Classes are loaded at this pace, too, and stay: {number} {unit}."))
}

/// `The same Order are in static Shop.byName, too: remove them from both.`
fn also_held(region: &Region) -> Option<String> {
    let Shared { class, place, .. } = region.also_held_by.iter().find(|shared| shared.role == SharedRole::Held)?;
    Some(format!("The same {} are in {place}, too: remove them from both.", short_name(class)))
}

/// `5 more structures grow, 2 at the same pace: one operation may add to all of these.` or
/// `5 more structures grow, 3 of them in step with Shop.orders (HashMap): one operation adds to all of these.`
fn others(report: &Report, first: &Region) -> Option<String> {
    let others = growing(report).filter(|region| region.fingerprint != first.fingerprint);
    let count: u64 = growing(report).map(|region| region.alike).sum::<u64>() - first.alike;
    let alike = others.filter(|region| is_in_step(region, first) || is_at_same_pace(region, first));
    let alike = alike.map(|region| region.alike).sum();
    let pace = match (alike, count) {
        (0, _) => in_step_with_another(report).unwrap_or_default(),
        (1, 1) => ", at the same pace: one operation may add to both".to_owned(),
        (alike, _) => format!(", {} at the same pace: one operation may add to all of these", units::grouped(alike)),
    };
    match count {
        0 => None,
        1 => Some(format!("1 more structure grows{pace}.")),
        count => Some(format!("{} more structures grow{pace}.", units::grouped(count))),
    }
}

/// `, 3 of them in step with Shop.orders (HashMap): one operation adds to all of these`, for the structure with the most
/// such.
fn in_step_with_another(report: &Report) -> Option<String> {
    let count = |with: &Region| -> u64 {
        growing(report).filter(|region| is_in_step(region, with)).map(|region| region.alike).sum()
    };
    let counts = growing(report).map(|with| (count(with), with)).filter(|(count, _)| *count > 0);
    let (count, with) = counts.max_by_key(|(count, _)| *count)?;
    let (count, with) = (units::grouped(count), holder::structure(with));
    Some(format!(", {count} of them in step with {with}: one operation adds to all of these"))
}

/// Whether one operation adds to both.
fn is_in_step(region: &Region, first: &Region) -> bool {
    region.in_step && region.within == Some(first.fingerprint)
}

/// Whether two gain as many elements, within the errors of both.
fn is_at_same_pace(region: &Region, first: &Region) -> bool {
    let interval = |region: &Region| Some((region.rate_low?, region.rate_per_min?, region.rate_high?));
    let (Some((low, rate, high)), Some((first_low, first_rate, first_high))) = (interval(region), interval(first))
    else {
        return false;
    };
    (rate - first_rate).abs() <= SAME_PACE * first_rate.abs() && low <= first_high && first_low <= high
}

/// `Shop.sessions (HashMap) gains 600 Session a minute, 6.3 MB/h`.
#[must_use]
pub fn gain(region: &Region) -> String {
    let (structure, element) = (holder::structure(region), holder::element(region));
    let verb = if region.rate_per_min.is_some_and(|rate| rate < 0.0) { "loses" } else { "gains" };
    let bytes =
        region.bytes_per_hour.map_or_else(String::new, |rate| format!(", {}", units::bytes_per_hour(rate.abs())));
    match region.rate_per_min {
        Some(rate) => {
            let (number, unit) = units::pace(rate);
            format!("{structure} {verb} {number} {element} {unit}{bytes}")
        }
        None => format!("{structure} {verb} {element}{bytes}"),
    }
}

/// `Heap full`, or `Container full` where the container's limit is nearer.
pub(super) fn full(region: &Region, heap: &str, container: &str) -> String {
    format!("{} full", if region.full_by == NearerLimit::Container { container } else { heap })
}

/// Time at which the heap is full at this pace, or the reason why it is not known. Where others hold its elements, too,
/// or grow beside it, the heap is full sooner.
fn full_in(region: &Region, heap: &HeapGrowth) -> String {
    match (region.time_to_full_s, heap.live_bytes) {
        (Some(seconds), _) => {
            let (full, time) = (full(region, "Heap", "Container"), units::duration_s(seconds));
            sooner(seconds, heap).map_or_else(
                || format!("{full} in about {time}."),
                |sooner| format!("{full} in about {time} by this structure alone, {sooner}."),
            )
        }
        (None, None) => "Time to a full heap: known after the next garbage collection.".to_owned(),
        (None, Some(_)) => "Time to a full heap: not known.".to_owned(),
    }
}

/// `in about 11 h if all objects in use go on growing by 124 MB/h`, where that is much sooner.
fn sooner(alone_s: f64, heap: &HeapGrowth) -> Option<String> {
    let (growth, seconds) = (heap.certain()?, heap.time_to_full_s?);
    let (time, growth) = (units::duration_s(seconds), units::bytes_per_hour(growth));
    (alone_s >= SOONER * seconds).then(|| format!("in about {time} if all objects in use go on growing by {growth}"))
}

/// `Added at Shop.java:8 (Shop.add).`, or the reason why it is not known.
fn code_line(region: &Region, report: &Report) -> Option<String> {
    let Some(site) = region.allocation_sites.first() else { return no_code_line(region, report) };
    let frame = site.frames.first()?;
    let share =
        if site.share < ALL_BUT { format!(", {} of the samples", units::percent(site.share)) } else { String::new() };
    // Of a buffer the samples are its arrays: the line that replaces one, and not the line that fills it.
    let what = if region.buffer_slots.is_some() { "Longer arrays are made at" } else { "Added at" };
    Some(format!("{what} {} ({}{share}).", frame.place(), holder::method(frame)))
}

/// Reason why there is no code line; `None` where allocations were not sampled.
fn no_code_line(region: &Region, report: &Report) -> Option<String> {
    let sampling = report.sampling.as_ref()?;
    let is_over = matches!(report.status, Status::Ended(_));
    let sampled = units::duration_s(sampling.window_s);
    match (&sampling.refusal, sampling.is_on) {
        (Some(reason), _) => Some(format!("Code line: not known, {reason}.")),
        (None, true) if is_over => {
            Some("Code line: not found before the end; sampling takes about a minute.".to_owned())
        }
        (None, true) => Some("Code line: being sampled, known within about a minute.".to_owned()),
        (None, false) if region.allocation_samples.is_none() => None,
        (None, false) if is_over => {
            Some(format!("Code line: not found in {sampled} of sampling; a longer run samples again."))
        }
        (None, false) => Some(format!("Code line: not found in {sampled} of sampling so far.")),
    }
}

/// `It never got smaller in 2 min.`: the time from the first visit to the last. In the first minute of one that is still
/// watched, what else could look like this.
fn never_smaller(region: &Region, status: &Status) -> Option<String> {
    let (first, last) = (region.history.first()?, region.history.last()?);
    let watched_s = last.0 - first.0;
    let is_early = *status == Status::Tracking && watched_s < EARLY_S;
    let but = if is_early { " so far; a cache that is still filling looks the same" } else { "" };
    (region.updates.removals == 0 && watched_s >= 1.0)
        .then(|| format!("It never got smaller in {}{but}.", units::duration_s(watched_s)))
}

/// `direct buffers +118 MB/h, metaspace +2.0 MB/h`: growth outside the heap.
fn native(native: &Native) -> Option<String> {
    native.grows?;
    let bytes = |name: &str, growth: Option<f64>| {
        growth.filter(|&growth| growth > 0.0).map(|growth| format!("{name} +{}", units::bytes_per_hour(growth)))
    };
    let parts = [
        bytes("direct buffers", native.direct_growth_bytes_per_hour),
        bytes("mapped files", native.mapped_growth_bytes_per_hour),
        bytes("metaspace", native.metaspace_growth_bytes_per_hour),
        native
            .threads_growth_per_hour
            .filter(|&growth| growth > 0.0)
            .map(|growth| format!("{growth:+.0} threads an hour")),
        native
            .classes_growth_per_hour
            .filter(|&growth| growth > 0.0 && native.grows == Some(NativeKind::Metaspace))
            .map(|growth| format!("{growth:+.0} classes an hour")),
        bytes("other native memory (malloc, JNI, Unsafe)", native.other_growth_bytes_per_hour),
        bytes("memory of the process outside the heap in all", native.beside_heap_growth_bytes_per_hour),
    ];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn outside(report: &Report) -> String {
    let what = report.native.as_ref().and_then(native).unwrap_or_default();
    let loaded = loaded(report).unwrap_or_default();
    format!("MEMORY GROWS OUTSIDE THE HEAP: {what}.{loaded} No structure of the Java heap is seen to grow.")
}

/// ` Most new classes are called shop.Rule# and are loaded by shop.RuleLoader.`, where classes are what grows.
fn loaded(report: &Report) -> Option<String> {
    report.native.filter(|native| native.grows == Some(NativeKind::Metaspace))?;
    let NewClasses { name, loader, .. } = report.new_classes.first()?;
    Some(format!(" Most new classes are called {name} and are loaded by {loader}."))
}

/// `NO LEAK SEEN in 2 min: 4 structures watched, none of them grows. The heap …`
fn nothing_grows(report: &Report) -> String {
    let watched = report.regions.iter().filter(|region| region.trend.is_some()).count() as u64;
    let which = match watched {
        0 => "no structure grew between the two snapshots".to_owned(),
        1 => "1 structure watched, it does not grow".to_owned(),
        count => format!("{} watched, none of them grows", units::counted(count, "structure")),
    };
    let harmless = region::harmless(&report.regions);
    let which = if harmless == 0 { which } else { grows_slowly(watched, harmless) };
    let is_early = report.status == Status::Tracking && watched_s(report).is_some_and(|seconds| seconds < EARLY_S);
    let so_far = if is_early { " so far," } else { "" };
    let time = watched_s(report).map_or_else(String::new, |seconds| format!(" in {}", units::duration_s(seconds)));
    let tight = container::warning(report).map_or_else(String::new, |warning| format!(" {warning}"));
    format!("NO LEAK SEEN{so_far}{time}: {which}. {}{tight}", heap(report))
}

/// `4 structures watched; 1 grows, but would take more than a year to fill the heap`.
fn grows_slowly(watched: u64, harmless: u64) -> String {
    let verb = if harmless == 1 { "grows" } else { "grow" };
    let watched = units::counted(watched, "structure");
    format!("{watched} watched; {harmless} {verb}, but would take more than a year to fill the heap")
}

fn heap(report: &Report) -> String {
    let heap = &report.heap;
    let live = heap.live_bytes.map_or_else(String::new, |bytes| format!(" at {}", units::bytes(bytes as f64)));
    match (heap.growth_bytes_per_hour, heap.most_after_collections()) {
        (Some(rate), _) if rate > 0.0 => {
            format!("But the heap grows by {}, and no structure explains it yet.", units::bytes_per_hour(rate))
        }
        (_, Some(_)) => format!("The heap after collections is steady{live}."),
        _ => captured(report).or_else(|| bounded(heap)).unwrap_or_else(|| {
            "Whether the heap as a whole grows is not known: there were too few collections.".to_owned()
        }),
    }
}

/// The most that the objects in use may have gained between captures.
fn bounded(heap: &HeapGrowth) -> Option<String> {
    let most = heap.most_between_captures()?;
    if most <= 0.0 {
        return Some("Between captures the objects in use became fewer.".to_owned());
    }
    Some(format!("Between captures the objects in use grew by at most {}.", units::bytes_per_hour(most)))
}

/// The growth between captures, where it is certain and most of it is not explained. A structure that has stopped may
/// have grown between them.
fn captured(report: &Report) -> Option<String> {
    let heap = &report.heap;
    let (low, high) = (heap.captured_growth_low.filter(|&low| low > 0.0)?, heap.captured_growth_high?);
    let stopped = report.regions.iter().find(|region| region.has_grown && !region.is_grower());
    let cause = match stopped {
        Some(region) => format!("; {} grew at first, and has stopped.", holder::structure(region)),
        None => {
            ", and no structure explains that yet. Shortly after its start a program may only be warming up.".into()
        }
    };
    let (low, high) = (units::bytes_per_hour(low), units::bytes_per_hour(high));
    (!heap.is_mostly_explained()).then(|| format!("The objects in use grew by {low} to {high} between captures{cause}"))
}

/// Seconds since the first visit after the first snapshot that found structures; since that snapshot, where none was
/// visited.
fn watched_s(report: &Report) -> Option<f64> {
    let first_visits = report.regions.iter().filter_map(|region| region.history.first()).map(|&(at_s, _)| at_s);
    let visited_s = first_visits.min_by(f64::total_cmp).unwrap_or(0.0);
    capture(report).map(|capture| (report.duration_s - capture.at_s.max(visited_s)).max(0.0))
}

fn capture(report: &Report) -> Option<&Snapshot> {
    report.snapshots.iter().find(|seen| seen.kind == SnapshotKind::Capture && seen.failure.is_none())
}

fn too_early(report: &Report, status: &Status) -> String {
    let verdict_in = |due_s: u64| format!("first verdict about {} s from now", due_s + FIRST_VERDICT_S);
    match status {
        Status::AwaitingJvm => "Waiting for a JVM.".to_owned(),
        Status::AwaitingAgent { endpoint, option } => {
            format!(
                "Waiting for a JVM on {endpoint}. To bring one here, start it with the agent: java {option} -jar shop.jar"
            )
        }
        Status::AwaitingProgram => "Waiting for a JVM of the started program.".to_owned(),
        Status::Warming { due_s, gap_s } => {
            let verdict = verdict_in(due_s.saturating_add(*gap_s));
            format!("TOO EARLY TO TELL: first snapshot in {due_s} s, second {gap_s} s later, {verdict}.")
        }
        Status::Settling { due_s } => {
            format!("TOO EARLY TO TELL: second snapshot in {due_s} s, {}.", verdict_in(*due_s))
        }
        Status::Surveying | Status::Marking | Status::Capturing => {
            "TOO EARLY TO TELL: a snapshot is being taken.".to_owned()
        }
        Status::AwaitingRequest { .. } => {
            "TOO EARLY TO TELL: the second snapshot is taken when you ask for it (c, or rootbound capture).".to_owned()
        }
        Status::AwaitingTurn => "TOO EARLY TO TELL: another JVM's snapshot comes first.".to_owned(),
        Status::Tracking => {
            let found = units::counted(report.regions.len() as u64, "candidate");
            let left_s = (LATEST_VERDICT_S - watched_s(report).unwrap_or(0.0)).max(1.0);
            format!("TOO EARLY TO TELL: {found} found and watched, verdict in at most {}.", units::duration_s(left_s))
        }
        Status::DryRun => "DRY RUN: nothing was captured.".to_owned(),
        Status::GivenUp => none_allowed(report).unwrap_or_else(|| "NOTHING JUDGED: no snapshot succeeded.".to_owned()),
        Status::Incapable => "NOTHING JUDGED: this JVM allows no snapshot.".to_owned(),
        Status::Compared { dumps } => compared(report, *dumps),
        Status::Ended(end) => unjudged(report, end),
        Status::AsRead(text) => format!("NOTHING JUDGED: {text}."),
    }
}

/// Sentence on a run that ended before there was enough evidence.
fn unjudged(report: &Report, end: &End) -> String {
    if !report.lives.is_empty() {
        return format!("NOTHING JUDGED: {}.", report.verdict.summary);
    }
    let ended = match end {
        _ if report.jvm.is_none() => return "NOTHING JUDGED: no JVM was seen.".to_owned(),
        End::JvmEnded | End::ProgramEnded(_) => "the program ended",
        End::Detached | End::Interrupted => "the watching was ended",
        End::TimeUp { .. } => "the time was over",
        End::Lost => "the connection to the JVM broke",
        End::Failed => "rootbound failed",
    };
    match watched_s(report) {
        Some(seconds) => format!(
            "NOTHING JUDGED: {ended} {} after the second snapshot; a verdict takes about {FIRST_VERDICT_S} s.",
            units::duration_s(seconds)
        ),
        None => none_allowed(report).unwrap_or_else(|| {
            let which = if report.snapshots.is_empty() { "first" } else { "second" };
            let after = units::duration_s(report.duration_s);
            format!("NOTHING JUDGED: {ended} after {after}, before the {which} snapshot.")
        }),
    }
}

/// Sentence where no method may take a snapshot, with the reasons against the two that the program would feel least.
fn none_allowed(report: &Report) -> Option<String> {
    let forecast = report.forecast.as_ref().filter(|forecast| forecast.method.is_none())?;
    let reason = |each: &MethodForecast| Some(format!("{}: {}", each.method, each.obstacle.as_ref()?));
    let reasons: Vec<String> = forecast.methods.iter().filter_map(reason).take(2).collect();
    let which = if report.snapshots.is_empty() { "snapshot" } else { "second snapshot" };
    Some(format!("NOTHING JUDGED: no {which} is possible or allowed ({}).", reasons.join("; ")))
}

/// Sentence on compared dumps; three show more than two.
fn compared(report: &Report, dumps: usize) -> String {
    let first = report.regions.iter().find(|region| region.has_more());
    match first {
        _ if dumps >= 3 => "NO LEAK SEEN: no structure grew from dump to dump.".to_owned(),
        None => "Nothing grew: no structure has more objects in the second dump than in the first.".to_owned(),
        Some(region) => {
            let sizes = region.sizes.iter().map(|&size| units::grouped(size)).collect::<Vec<_>>().join(" to ");
            let element = holder::element(region);
            format!(
                "GREW: {} went from {sizes} {element}. Two dumps cannot tell a leak from what is being filled; take a third.",
                holder::structure(region)
            )
        }
    }
}

/// `grows`: the state of a structure in one or two words.
#[must_use]
pub fn state(region: &Region) -> &'static str {
    match region.trend {
        Some(Trend::Grower) if region.harmless => "harmless",
        Some(Trend::Grower) => "grows",
        Some(Trend::Oscillator) => "comes and goes",
        Some(Trend::Shrinker) => "shrinks",
        Some(Trend::Flatliner) => "steady",
        None if region.untracked.is_some() => "not watched",
        None if region.has_more() => "grew",
        None => "watching",
    }
}

/// The current activity, or the event that ended the run.
#[must_use]
pub fn status(status: &Status) -> String {
    match status {
        Status::AwaitingAgent { endpoint, .. } => format!("waiting for a JVM on {endpoint}"),
        Status::Warming { due_s, .. } => format!("warming up; first snapshot in {due_s} s"),
        Status::Surveying => "measuring what a snapshot would cost".to_owned(),
        Status::Marking => "taking the first snapshot".to_owned(),
        Status::Settling { due_s } => format!("second snapshot in {due_s} s"),
        Status::Capturing => "taking the second snapshot".to_owned(),
        Status::AwaitingRequest { due_s } => {
            format!("marked on request; second snapshot on request (c), or in {due_s} s")
        }
        Status::AwaitingTurn => "waiting for another JVM's snapshot".to_owned(),
        Status::Tracking => "watching".to_owned(),
        Status::GivenUp => "no snapshot succeeded".to_owned(),
        Status::Incapable => "this JVM allows no snapshot".to_owned(),
        Status::Compared { dumps } => format!("{dumps} heap dumps compared; ages are inferred from named paths"),
        Status::Ended(End::TimeUp { asked_s }) => format!("stopped after {} (--for)", units::duration_s(*asked_s)),
        Status::Ended(End::Interrupted) => "stopped by the user".to_owned(),
        Status::Ended(End::Detached) => "the agent has left the JVM".to_owned(),
        other => other.to_string(),
    }
}

/// `a Node holds 15.0 Order`; nothing where each change-proxy is one entry.
#[must_use]
pub fn held(region: &Region) -> Option<String> {
    let entry = region.entry.as_ref()?;
    let node = short_name(&region.change_proxy.class);
    Some(format!("a {node} holds {:.1} {}", entry.per_change_proxy, short_name(&entry.class)))
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;
