//! Structures at one place of the program as one row ([`Rule::OnePlace`](crate::relations::Rule::OnePlace)): the index
//! of each element of an array, the map of each shard.
//!
//! Their paths differ only in numbers that cannot be looked up in the source. Two rows would read as one row printed
//! twice, each with a part of the rate. Structures at one place that behave the same are therefore reported once, with
//! the sum. A structure that behaves differently, such as one growing shard among shards of constant size, stays apart.

use crate::heap::ObjectIdx;
use crate::naming::Fingerprint;
use crate::regions::rank::{Evolution, Footing};
use crate::relations::Relations;
use crate::report::{AllocationSite, Note, Region, SizeProbe, Trend, Untracked, Updates};
use crate::tracking::{Flux, Point, Series, assess, thin};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Fewest that behave alike from which on they show what those do for which they stand.
const LEAST_SAMPLE: usize = 3;
/// Two-sided 95 % of the normal distribution.
const NORMAL_95: f64 = 1.96;

/// Properties that must agree for regions to be merged.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    place: Fingerprint,
    owner_class: String,
    root_class: String,
    change_class: String,
    trend: Option<Trend>,
    /// Reason why it is not followed.
    untracked: Option<Untracked>,
}

/// A region of the report, with data that the report does not show.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Index of the region, or of the first that it was merged from, among the findings.
    pub(super) at: usize,
    /// Owner object; `None` for a region that only an earlier capture found. Its probe follows another object than
    /// those of the regions that were found again.
    pub(super) owner: Option<ObjectIdx>,
    pub(super) footing: Footing,
    /// Number of structures of its kind that it stands for, itself included.
    pub(super) stands_for: f64,
    pub(super) region: Region,
}

/// Merges regions of one place with one trend, at the position of the first of them. Of regions with the same owner
/// only the first counts: a structure that was found twice is one structure. Of growers that count the same members, as a
/// map of maps and one of these maps do, each has a row: the sum would count their growth twice.
pub(super) fn merge(rows: Vec<Row>, relations: &Relations) -> Vec<Row> {
    let mut merged: Vec<Vec<Row>> = Vec::with_capacity(rows.len());
    let mut places: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for row in rows {
        let Some(key) = key(&row.region) else {
            merged.push(vec![row]);
            continue;
        };
        let groups = places.entry(key).or_default();
        if groups.iter().any(|&at| merged[at].iter().any(|other| are_one(&row, other))) {
            continue;
        }
        match groups.iter().find(|&&at| !merged[at].iter().any(|other| count_the_same(&row, other, relations))) {
            Some(&at) => merged[at].push(row),
            None => {
                groups.push(merged.len());
                merged.push(vec![row]);
            }
        }
    }
    merged.into_iter().filter_map(merge_rows).collect()
}

/// Whether both are of one owner.
fn are_one(one: &Row, other: &Row) -> bool {
    one.owner.is_some() && one.owner == other.owner
}

/// Whether the members of the one grower are some of the other's.
fn count_the_same(one: &Row, other: &Row, relations: &Relations) -> bool {
    let is_part =
        |inner: &Row, outer: &Row| relations.of(inner.at).iter().any(|related| related.counts_the_same_as(outer.at));
    one.region.is_grower() && (is_part(one, other) || is_part(other, one))
}

/// `None` for regions that are not merged: a followed region without a trend is not understood yet, and an array that
/// is being filled has a limit of its own.
fn key(region: &Region) -> Option<Key> {
    let is_judged = region.trend.is_some() || region.untracked.is_some();
    (is_judged && !region.bounded).then(|| Key {
        place: region.fingerprint,
        owner_class: region.owner_proxy.class.clone(),
        root_class: region.leak_root.class.clone(),
        change_class: region.change_proxy.class.clone(),
        trend: region.trend,
        untracked: region.untracked.clone(),
    })
}

fn merge_rows(rows: Vec<Row>) -> Option<Row> {
    if rows.len() < 2 {
        return rows.into_iter().next().map(|row| Row { stands_for: 1.0, ..row });
    }
    let Row { at, owner, footing, .. } = *rows.first()?;
    let stand_for = Weights::of(&rows);
    let alike: Vec<Region> = rows.into_iter().map(|row| row.region).collect();
    Some(Row { at, owner, footing, stands_for: 1.0, region: sum(footing, &alike, &stand_for)? })
}

/// Structures of one kind of which these rows are all, or a sample that behaves alike.
struct Weights(Vec<f64>);

impl Weights {
    /// One that does as none of the others is no sign of what the rest of its kind do.
    fn of(rows: &[Row]) -> Self {
        let is_sample = rows.len() >= LEAST_SAMPLE;
        Self(rows.iter().map(|row| if is_sample { row.stands_for } else { 1.0 }).collect())
    }

    fn count(&self) -> u64 {
        self.0.iter().sum::<f64>().round() as u64
    }

    fn sum(&self, alike: &[Region], of: fn(&Region) -> u64) -> u64 {
        let weighed = self.0.iter().zip(alike).map(|(weight, region)| weight * of(region) as f64);
        weighed.sum::<f64>().round() as u64
    }
}

/// Several regions as one, with the sums of their sizes and rates.
fn sum(footing: Footing, alike: &[Region], stand_for: &Weights) -> Option<Region> {
    let sum = |of: fn(&Region) -> u64| stand_for.sum(alike, of);
    let [rate, bytes] = [Growth::RATE, Growth::BYTES].map(|growth| growth.sum(alike, stand_for));
    let time_to_full = |bytes: Option<f64>| {
        // Each region has an estimate of how long the free memory lasts for it alone.
        let free = alike.iter().find_map(|region| Some(region.bytes_per_hour? * region.time_to_full_s?))?;
        Some(free / bytes.filter(|&bytes| bytes > 0.0)?)
    };
    let samples = alike.iter().filter_map(|region| region.allocation_samples);
    let confidence = alike.iter().filter_map(|region| region.confidence).min_by(f64::total_cmp);
    let (followed, all) = (alike.len() as u64, stand_for.count());
    let first = alike.first()?.clone();
    let note = if all > followed { Some(Note::SomeOfMany { followed, all }) } else { first.note.clone() };
    let mut united = Region {
        alike: all,
        note,
        proxy_size: sum(|region| region.proxy_size),
        dump_bytes: sum(|region| region.dump_bytes),
        updates: alike.iter().fold(Updates::default(), |sum, region| add(sum, region.updates)),
        rate_per_min: rate.middle,
        rate_low: rate.low,
        rate_high: rate.high,
        bytes_per_hour: bytes.middle,
        bytes_per_hour_low: bytes.low,
        bytes_per_hour_high: bytes.high,
        time_to_full_s: time_to_full(bytes.middle),
        time_to_full_low_s: time_to_full(bytes.high),
        time_to_full_high_s: time_to_full(bytes.low),
        confidence,
        history: histories(alike, stand_for),
        allocation_samples: samples.reduce(|sum, count| sum + count),
        allocation_sites: sites(alike),
        ..first
    };
    judge_sum(&mut united, alike);
    united.rank = rank(footing, &united);
    Some(united)
}

/// Judges exact sizes once more by their sum: of many structures each may gain too little to show growth.
fn judge_sum(united: &mut Region, alike: &[Region]) {
    let is_exact = |region: &Region| matches!(region.probe, Some(SizeProbe::Counter | SizeProbe::Full));
    if united.trend != Some(Trend::Flatliner) || united.rate_per_min.is_none() || !alike.iter().all(is_exact) {
        return;
    }
    let mut series = Series::default();
    united.history.iter().for_each(|&(at_s, size)| series.push(Point { at_s, size, error: 0.0 }));
    let judged = assess(&series, Flux::default(), united.trend);
    if let Some(growth) = judged.filter(|judged| judged.trend == Trend::Grower) {
        (united.trend, united.confidence) = (Some(growth.trend), Some(growth.confidence));
    }
}

/// Common rank of all of them, by their summed size and growth.
fn rank(footing: Footing, united: &Region) -> f64 {
    let gains = united.bytes_per_hour.filter(|_| united.is_grower()).map(|bytes| bytes / 60.0);
    footing.rank(united.proxy_size as f64 * united.entries_each(), Evolution::of(united.trend.is_some(), gains))
}

fn add(sum: Updates, one: Updates) -> Updates {
    Updates {
        additions: sum.additions + one.additions,
        removals: sum.removals + one.removals,
        relinks: sum.relinks + one.relinks,
        quiet: sum.quiet + one.quiet,
    }
}

/// A rate with the ends of its interval, by the fields that hold them.
struct Growth {
    middle: fn(&Region) -> Option<f64>,
    low: fn(&Region) -> Option<f64>,
    high: fn(&Region) -> Option<f64>,
}

/// A sum of rates.
struct Sum {
    middle: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl Growth {
    const RATE: Self = Self { middle: |of| of.rate_per_min, low: |of| of.rate_low, high: |of| of.rate_high };
    const BYTES: Self =
        Self { middle: |of| of.bytes_per_hour, low: |of| of.bytes_per_hour_low, high: |of| of.bytes_per_hour_high };

    /// Independent errors add up in squares, and so does the error of a sample. A value that is unknown for one region
    /// is unknown for the sum.
    fn sum(&self, alike: &[Region], stand_for: &Weights) -> Sum {
        let weighed = || stand_for.0.iter().zip(alike);
        let total = weighed().map(|(weight, region)| Some(weight * (self.middle)(region)?)).sum::<Option<f64>>();
        let of_sample = NORMAL_95 * self.error_of_sample(alike, stand_for);
        let half = |end: fn(&Region) -> Option<f64>| {
            let distance =
                |(weight, region): (&f64, &Region)| Some((weight * (end(region)? - (self.middle)(region)?)).powi(2));
            weighed().map(distance).sum::<Option<f64>>().map(|squares| (squares + of_sample * of_sample).sqrt())
        };
        let end = |half: Option<f64>, sign: f64| Some(total? + sign * half?);
        Sum { middle: total, low: end(half(self.low), -1.0), high: end(half(self.high), 1.0) }
    }

    /// Standard error of a sum in which some stand for others, by the differences between them.
    fn error_of_sample(&self, alike: &[Region], stand_for: &Weights) -> f64 {
        let values: Vec<f64> = alike.iter().filter_map(self.middle).collect();
        let count = values.len().max(2) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let squares: f64 = stand_for.0.iter().filter(|&&weight| weight > 1.0).map(|weight| weight * weight).sum();
        (variance * squares).sqrt()
    }
}

/// Sums of the sizes over time, with the latest known size of each; only times at which all were observed.
fn histories(alike: &[Region], stand_for: &Weights) -> Vec<(f64, f64)> {
    let mut all: Vec<(f64, usize, f64)> = Vec::new();
    for (of, (region, weight)) in alike.iter().zip(&stand_for.0).enumerate() {
        all.extend(region.history.iter().map(|&(at_s, size)| (at_s, of, weight * size)));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut latest: Vec<Option<f64>> = vec![None; alike.len()];
    let mut sums = Vec::new();
    for (at_s, of, size) in all {
        latest[of] = Some(size);
        if let Some(sum) = latest.iter().copied().sum::<Option<f64>>() {
            sums.push((at_s, sum));
        }
    }
    thin(&sums, alike.iter().map(|region| region.history.len()).max().unwrap_or(0))
}

/// Sites of all, the most frequent first.
fn sites(alike: &[Region]) -> Vec<AllocationSite> {
    let mut all: Vec<AllocationSite> = Vec::new();
    for site in alike.iter().flat_map(|region| &region.allocation_sites) {
        match all.iter_mut().find(|known| known.frames == site.frames && known.through == site.through) {
            Some(known) => known.samples += site.samples,
            None => all.push(site.clone()),
        }
    }
    let samples: u64 = alike.iter().filter_map(|region| region.allocation_samples).sum();
    for site in &mut all {
        site.share = site.samples as f64 / samples.max(1) as f64;
    }
    all.sort_by_key(|site| Reverse(site.samples));
    all.truncate(alike.iter().map(|region| region.allocation_sites.len()).max().unwrap_or(0));
    all
}

#[cfg(test)]
#[path = "rows_tests.rs"]
mod tests;
