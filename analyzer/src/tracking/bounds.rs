//! Signs of a bound in a series that moves in one direction: it comes back, it has stopped, or it slows down.
//!
//! All of them examine a rise; a fall is examined as its mirror image.

use super::Point;
use super::drift::Drift;

/// Loss, as a share of the net growth, that counts as coming back.
const GIVEN_BACK: f64 = 0.5;
/// A cycle is refuted once the rise since has lasted this multiple of the cycle before.
const LONGER_THAN_CYCLE: f64 = 2.0;
/// Falls within this number of standard errors are noise.
const NOISE_ERRORS: f64 = 4.0;
/// Seconds of a stop that is evidence, and the number of usual steps of growth that it must be missing.
const MIN_STOP_S: f64 = 4.0;
const MISSING_STEPS: f64 = 5.0;
/// Factor by which the stop must be longer than any stop before it.
const LONGER: f64 = 1.5;
/// Less than this share of the whole growth is no progress: a full queue goes up and down a little.
const PROGRESS: f64 = 0.05;
/// The last third of the time must bring at least this share of the growth (a third, were it steady).
const LATE_SHARE: f64 = 0.12;
/// Lasting growth, as a share of the growth of the sizes between the middles of the first and the last third.
const STAYING_SHARE: f64 = 0.25;
const BETWEEN_THIRDS: f64 = 2.0 / 3.0;
/// Where sightings err by more than this share of the growth, the least of many is chance.
const NOISE_SHARE: f64 = 0.2;
/// A rate that has fallen to this share between the first and the last third is slowing down, …
const SLOWED: f64 = 0.65;
/// … if the fall is this multiple of its standard error.
const SLOWED_ERRORS: f64 = 2.6;
/// Points that each third needs.
const MIN_THIRD: usize = 4;

/// Whether some fall in the past was as deep as a relevant part of the gain since. A loss that happened once may happen
/// again, until the rise has lasted longer than that cycle.
pub(super) fn comes_back(history: &[Point], net: f64) -> bool {
    let Some(last) = history.last() else { return false };
    let noise = NOISE_ERRORS * history.iter().map(|point| point.error).fold(0.0, f64::max);
    let least = (GIVEN_BACK * net).max(noise).max(1.0);
    let mut trough = *last;
    for (at, peak) in history.iter().enumerate().rev() {
        if peak.size < trough.size {
            trough = *peak;
        }
        if peak.size - trough.size <= least {
            continue;
        }
        let begun = history[..at].iter().rev().find(|point| point.size <= trough.size).unwrap_or(&history[0]);
        let cycle_s = trough.at_s - begun.at_s;
        if last.at_s - trough.at_s < LONGER_THAN_CYCLE * cycle_s {
            return true;
        }
    }
    false
}

/// Whether only the peaks rise: the lows of the last third are hardly higher than those of the first. A cache that is
/// cleaned behind its writers overshoots its limit now more, now less. Estimates whose lows are chance are no evidence.
pub(super) fn peaks_alone(points: &[Point], net: f64) -> bool {
    let squares: f64 = points.iter().map(|point| point.error * point.error).sum();
    if (squares / points.len() as f64).sqrt() > NOISE_SHARE * net {
        return false;
    }
    let (first, last) = (points[0], points[points.len() - 1]);
    let third_s = (last.at_s - first.at_s) / 3.0;
    let least = |points: &[Point]| points.iter().map(|point| point.size).fold(f64::INFINITY, f64::min);
    let early = least(&points[..points.partition_point(|point| point.at_s <= first.at_s + third_s)]);
    let late = least(&points[points.partition_point(|point| point.at_s < last.at_s - third_s)..]);
    late - early < STAYING_SHARE * net * BETWEEN_THIRDS
}

/// Whether the growth has ended or nearly so: the last third brings little.
pub(super) fn has_ebbed(points: &[Point]) -> bool {
    let (first, last) = (points[0], points[points.len() - 1]);
    let from_s = first.at_s + (last.at_s - first.at_s) * 2.0 / 3.0;
    let at = points.partition_point(|point| point.at_s <= from_s).saturating_sub(1);
    last.size - points[at].size < LATE_SHARE * (last.size - first.size)
}

/// Whether a steady movement has stopped, as in a queue that is full now. The stop must be longer than any before it,
/// and be missing several sightings' worth of growth. Only exact counts show this.
pub(super) fn has_stopped(points: &[Point]) -> bool {
    let (first, last) = (points[0], points[points.len() - 1]);
    let progress = PROGRESS * (last.size - first.size);
    let (mut record, mut longest_s) = (first, 0.0f64);
    for point in points {
        if point.size - record.size > progress {
            longest_s = longest_s.max(point.at_s - record.at_s);
            record = *point;
        }
    }
    let stopped_s = last.at_s - record.at_s;
    let pace_per_s = (record.size - first.size) / (record.at_s - first.at_s).max(1.0);
    points.iter().all(|point| point.error == 0.0)
        && stopped_s >= MIN_STOP_S.max(LONGER * longest_s)
        && pace_per_s * stopped_s >= MISSING_STEPS * usual_step(points)
}

/// Usual gain of a sighting that moved on; larger gains count for more.
fn usual_step(points: &[Point]) -> f64 {
    let steps = points.windows(2).map(|pair| pair[1].size - pair[0].size).filter(|&step| step > 0.0);
    let (sum, squares) = steps.fold((0.0, 0.0), |(sum, squares), step| (sum + step, squares + step * step));
    if sum > 0.0 { squares / sum } else { 1.0 }
}

/// Whether the growth slows down like that of a cache that fills: from third to third, and clearly beyond chance.
pub(super) fn slows_down(points: &[Point]) -> bool {
    let (first, last) = (points[0], points[points.len() - 1]);
    let border =
        |share: f64| points.partition_point(|point| point.at_s < first.at_s + (last.at_s - first.at_s) * share);
    let (one, two) = (border(1.0 / 3.0), border(2.0 / 3.0));
    let thirds = [&points[..one], &points[one..two], &points[two..]];
    if thirds.iter().any(|third| third.len() < MIN_THIRD) {
        return false;
    }
    let [Some(early), Some(middle), Some(late)] = thirds.map(Drift::of) else { return false };
    let falls = early.per_s > middle.per_s && middle.per_s > late.per_s;
    falls && late.per_s < SLOWED * early.per_s && early.differs(&late, SLOWED_ERRORS)
}
