//! Two runs compared: which structures stopped growing, began to grow, or grow at another rate. The contract is
//! `rootbound.compare/1`.
//!
//! Structures are matched by fingerprint. Rates are compared by their 95 % intervals: they differ where their distance
//! is larger than that of the facing halves together, `hypot(half, half)`. Of compared dumps, whose rates have no
//! interval, [`UNKNOWN_SHARE`] of the rate takes its place.

use super::finding::{element, structure};
use super::gate::is_judged;
use crate::naming::Fingerprint;
use crate::naming::named::named;
use crate::report::{Jvm, Region, Report, Trend};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Half of the interval of a rate that has none, as a share of the rate.
pub const UNKNOWN_SHARE: f64 = 0.2;

named! {
    /// Name and version of the contract.
    pub enum Contract {
        /// The first version.
        Compare1 = "rootbound.compare/1",
    }
}

named! {
    /// Change of a structure from one run to the other.
    pub enum Change {
        /// It grows, and did not before.
        New = "new",
        /// It grows faster.
        Faster = "faster",
        /// It grows, and no other rate is proven.
        Same = "same",
        /// It grows more slowly.
        Slower = "slower",
        /// It grew, and does not grow any more.
        Gone = "gone",
        /// It grows in one run, and the other has too little evidence.
        Unknown = "unknown",
        /// Of two dumps: the later one has more of its objects.
        Larger = "larger",
        /// Of two dumps: the later one has fewer of its objects.
        Smaller = "smaller",
    }
}

/// Two runs compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Name and version of this contract.
    pub schema: Contract,
    /// The earlier run.
    pub before: Side,
    /// The later run.
    pub after: Side,
    /// Structures that grow in either; of dumps, those of another size; in the order of [`Change`], then the fastest
    /// first.
    pub structures: Vec<Compared>,
}

/// One of the two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// The file from which it was read.
    pub file: String,
    /// The JVM; `None` where dumps were compared.
    pub jvm: Option<Jvm>,
    /// Time from the agent's start to the last message, in seconds.
    pub duration_s: f64,
    /// Whether the evidence sufficed for a verdict.
    pub judged: bool,
    /// Number of structures that grow.
    pub growers: u64,
}

/// A structure that grows in one of the runs, or in both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Stable name of the structure over restarts.
    pub fingerprint: Fingerprint,
    /// Its change.
    pub change: Change,
    /// Its place and the class of its owner: `com.example.Shop.sessions (HashMap)`.
    pub structure: String,
    /// Class of the elements that it gains.
    pub element: String,
    /// Its course in the earlier run; `None` where it was not found.
    pub before: Option<Course>,
    /// Its course in the later run; `None` where it was not found.
    pub after: Option<Course>,
}

/// Course of a structure in one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Course {
    /// Its trend; `None` while there is too little evidence.
    pub trend: Option<Trend>,
    /// Net growth in elements a minute.
    pub rate_per_min: Option<f64>,
    /// Lower end of its 95 % interval.
    pub rate_low: Option<f64>,
    /// Upper end.
    pub rate_high: Option<f64>,
    /// Net growth in bytes an hour.
    pub bytes_per_hour: Option<f64>,
    /// Lower end of its 95 % interval.
    pub bytes_per_hour_low: Option<f64>,
    /// Upper end.
    pub bytes_per_hour_high: Option<f64>,
    /// Of a heap dump: the number of objects at the places of its elements.
    pub size: Option<u64>,
}

/// Compares the reports of two runs; the names are those of their files.
#[must_use]
pub fn compare(before: (&str, &Report), after: (&str, &Report)) -> Comparison {
    let (earlier, later) = (by_name(before.1), by_name(after.1));
    let names: BTreeSet<Fingerprint> = earlier.keys().chain(later.keys()).copied().collect();
    let are_judged = (is_judged(before.1), is_judged(after.1));
    let mut structures: Vec<Compared> =
        names.into_iter().filter_map(|name| compared(name, earlier.get(&name), later.get(&name), are_judged)).collect();
    let pace = |compared: &Compared| {
        compared.after.or(compared.before).and_then(|course| course.bytes_per_hour).unwrap_or_default()
    };
    structures.sort_by(|a, b| a.change.cmp(&b.change).then(pace(b).total_cmp(&pace(a))));
    Comparison { schema: Contract::Compare1, before: side(before), after: side(after), structures }
}

/// Compares two heap dumps of one program: `forward` compared the earlier with the later, `backward` the later with the
/// earlier. Each has the structures that are larger in its second dump.
#[must_use]
pub fn of_dumps((before, after): (&str, &str), forward: &Report, backward: &Report) -> Comparison {
    let larger = sizes(forward, |(first, last)| (first, last));
    let smaller = sizes(backward, |(first, last)| (last, first));
    let names: BTreeSet<Fingerprint> = larger.keys().chain(smaller.keys()).copied().collect();
    let mut structures: Vec<Compared> = names
        .into_iter()
        .filter_map(|name| larger.get(&name).or(smaller.get(&name)).map(|(region, sizes)| of_sizes(region, *sizes)))
        .collect();
    let gain = |compared: &Compared| {
        let size = |course: Option<Course>| course.and_then(|course| course.size).unwrap_or_default();
        size(compared.after).abs_diff(size(compared.before))
    };
    structures.sort_by(|a, b| a.change.cmp(&b.change).then(gain(b).cmp(&gain(a))));
    let side = |file: &str| Side { file: file.to_owned(), jvm: None, duration_s: 0.0, judged: false, growers: 0 };
    Comparison { schema: Contract::Compare1, before: side(before), after: side(after), structures }
}

/// The structures of a comparison of dumps that have more objects in its second dump, with both numbers.
fn sizes(report: &Report, ends: impl Fn((u64, u64)) -> (u64, u64)) -> BTreeMap<Fingerprint, (&Region, (u64, u64))> {
    let mut all: BTreeMap<Fingerprint, (&Region, (u64, u64))> = BTreeMap::new();
    for region in report.regions.iter().filter(|region| region.contained_in().is_none() && region.has_more()) {
        let Some((first, last)) = region.sizes.first().zip(region.sizes.last()) else { continue };
        let (before, after) = ends((*first, *last));
        let (_, sum) = all.entry(region.fingerprint).or_insert((region, (0, 0)));
        *sum = (sum.0 + before, sum.1 + after);
    }
    all
}

fn of_sizes(region: &Region, (before, after): (u64, u64)) -> Compared {
    let change = match (before, after) {
        (0, _) => Change::New,
        (_, 0) => Change::Gone,
        _ if after > before => Change::Larger,
        _ => Change::Smaller,
    };
    let course = |size: u64| (size > 0).then(|| Course { size: Some(size), ..Course::default() });
    Compared {
        fingerprint: region.fingerprint,
        change,
        structure: structure(region),
        element: element(region),
        before: course(before),
        after: course(after),
    }
}

fn side((file, report): (&str, &Report)) -> Side {
    Side {
        file: file.to_owned(),
        jvm: report.jvm.clone(),
        duration_s: report.duration_s,
        judged: is_judged(report),
        growers: report.regions.iter().filter(|region| region.grows_independently()).count() as u64,
    }
}

/// The regions of one report with the same fingerprint.
struct Found<'a> {
    first: &'a Region,
    /// Whether it grows, however slowly.
    grows: bool,
    /// Whether it could fill the heap within a year.
    matters: bool,
    course: Course,
}

/// Regions by fingerprint. Growers count before others of the same name, and their rates are summed.
fn by_name(report: &Report) -> BTreeMap<Fingerprint, Found<'_>> {
    let mut all: BTreeMap<Fingerprint, Vec<&Region>> = BTreeMap::new();
    for region in report.regions.iter().filter(|region| region.contained_in().is_none()) {
        all.entry(region.fingerprint).or_default().push(region);
    }
    all.into_iter().filter_map(|(name, regions)| Some((name, found(&regions)?))).collect()
}

fn found<'a>(regions: &[&'a Region]) -> Option<Found<'a>> {
    let growing: Vec<&Region> = regions.iter().copied().filter(|region| region.is_grower()).collect();
    let grows = !growing.is_empty();
    let matters = growing.iter().any(|region| region.grows_independently());
    let counted = if grows { &growing } else { regions };
    let course = counted.iter().map(|region| Course::of(region)).reduce(Course::and)?;
    Some(Found { first: *counted.first()?, grows, matters, course })
}

/// The change of a structure; `None` where its growth matters in neither run.
fn compared(
    fingerprint: Fingerprint,
    before: Option<&Found<'_>>,
    after: Option<&Found<'_>>,
    (is_past_judged, is_judged): (bool, bool),
) -> Option<Compared> {
    let grows = |found: Option<&Found<'_>>| found.is_some_and(|found| found.grows);
    // A structure without a trend was not watched long enough, even where the rest was.
    let is_open = |found: Option<&Found<'_>>, is_judged: bool| {
        !is_judged || found.is_some_and(|found| found.course.trend.is_none())
    };
    if ![before, after].into_iter().flatten().any(|found| found.matters) {
        return None;
    }
    let change = match (grows(before), grows(after)) {
        (false, false) => return None,
        (true, true) => rates(before?.course, after?.course),
        (false, true) if is_open(before, is_past_judged) => Change::Unknown,
        (false, true) => Change::New,
        (true, false) if is_open(after, is_judged) => Change::Unknown,
        (true, false) => Change::Gone,
    };
    let shown = after.filter(|found| found.grows).or(before)?.first;
    Some(Compared {
        fingerprint,
        change,
        structure: structure(shown),
        element: element(shown),
        before: before.map(|found| found.course),
        after: after.map(|found| found.course),
    })
}

/// The change of a rate: in bytes, or in elements where the bytes are not known on both sides.
fn rates(before: Course, after: Course) -> Change {
    let pair = before.bytes().zip(after.bytes()).or(before.elements().zip(after.elements()));
    let Some((was, is)) = pair else { return Change::Same };
    let distance = is.middle - was.middle;
    let (of_was, of_is) = if distance > 0.0 { (was.above(), is.below()) } else { (was.below(), is.above()) };
    match () {
        () if distance.abs() <= of_was.hypot(of_is) => Change::Same,
        () if distance > 0.0 => Change::Faster,
        () => Change::Slower,
    }
}

/// A rate with its interval.
#[derive(Clone, Copy)]
struct Interval {
    middle: f64,
    low: f64,
    high: f64,
}

impl Interval {
    fn of(middle: Option<f64>, low: Option<f64>, high: Option<f64>) -> Option<Self> {
        let middle = middle?;
        let half = middle.abs() * UNKNOWN_SHARE;
        let (low, high) = low.zip(high).unwrap_or((middle - half, middle + half));
        Some(Self { middle, low, high })
    }

    fn below(self) -> f64 {
        self.middle - self.low
    }

    fn above(self) -> f64 {
        self.high - self.middle
    }
}

impl Course {
    fn of(region: &Region) -> Self {
        Self {
            trend: region.trend,
            rate_per_min: region.rate_per_min,
            rate_low: region.rate_low,
            rate_high: region.rate_high,
            bytes_per_hour: region.bytes_per_hour,
            bytes_per_hour_low: region.bytes_per_hour_low,
            bytes_per_hour_high: region.bytes_per_hour_high,
            size: None,
        }
    }

    /// Both together: rates are added, and their errors are independent.
    fn and(self, other: Self) -> Self {
        let (rate_per_min, rate_low, rate_high) = sum(self.elements(), other.elements());
        let (bytes_per_hour, bytes_per_hour_low, bytes_per_hour_high) = sum(self.bytes(), other.bytes());
        let trend = self.trend.or(other.trend);
        let size = None;
        Self { trend, rate_per_min, rate_low, rate_high, bytes_per_hour, bytes_per_hour_low, bytes_per_hour_high, size }
    }

    fn bytes(self) -> Option<Interval> {
        Interval::of(self.bytes_per_hour, self.bytes_per_hour_low, self.bytes_per_hour_high)
    }

    fn elements(self) -> Option<Interval> {
        Interval::of(self.rate_per_min, self.rate_low, self.rate_high)
    }
}

fn sum(one: Option<Interval>, other: Option<Interval>) -> (Option<f64>, Option<f64>, Option<f64>) {
    let Some((one, other)) = one.zip(other) else {
        let only = one.or(other);
        return (only.map(|rate| rate.middle), only.map(|rate| rate.low), only.map(|rate| rate.high));
    };
    let middle = one.middle + other.middle;
    let low = middle - one.below().hypot(other.below());
    let high = middle + one.above().hypot(other.above());
    (Some(middle), Some(low), Some(high))
}

#[cfg(test)]
#[path = "comparison_tests.rs"]
mod tests;
