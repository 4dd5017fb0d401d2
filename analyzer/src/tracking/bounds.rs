//! Signs of a bound in a series that moves in one direction: it comes back, it has stopped, or it slows down.
//!
//! All of them examine a rise; a fall is examined as its mirror image.

use super::Point;
use super::drift::Drift;
use super::mode;
use super::thresholds::THRESHOLDS;

/// Whether some fall in the past was as deep as a relevant part of the gain since. A loss that happened once may happen
/// again, until the rise has lasted longer than that cycle.
pub(super) fn comes_back(history: &[Point], net: f64) -> bool {
    let Some(last) = history.last() else { return false };
    let noise = THRESHOLDS.noise_errors * history.iter().map(|point| point.error).fold(0.0, f64::max);
    let least = (THRESHOLDS.given_back * net).max(noise).max(1.0);
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
        if last.at_s - trough.at_s < THRESHOLDS.longer_than_cycle * cycle_s {
            return true;
        }
    }
    false
}

/// Whether only the peaks rise: the lows of the last third are hardly higher than those of the first. A cache that is
/// cleaned behind its writers overshoots its limit now more, now less. Estimates whose lows are chance are no evidence.
pub(super) fn peaks_alone(points: &[Point], net: f64) -> bool {
    let squares: f64 = points.iter().map(|point| point.error * point.error).sum();
    if (squares / points.len() as f64).sqrt() > THRESHOLDS.rough * net {
        return false;
    }
    let (first, last) = (points[0], points[points.len() - 1]);
    let third_s = (last.at_s - first.at_s) / 3.0;
    let least = |points: &[Point]| points.iter().map(|point| point.size).fold(f64::INFINITY, f64::min);
    let early = least(&points[..points.partition_point(|point| point.at_s <= first.at_s + third_s)]);
    let late = least(&points[points.partition_point(|point| point.at_s < last.at_s - third_s)..]);
    late - early < THRESHOLDS.staying_share * net * (2.0 / 3.0)
}

/// What the last point has more than the first.
pub(super) fn gain(points: &[Point]) -> f64 {
    points[points.len() - 1].size - points[0].size
}

/// Whether the growth has ended or nearly so: the last third brings little.
pub(super) fn has_ebbed(points: &[Point]) -> bool {
    let (first, last) = (points[0], points[points.len() - 1]);
    let from_s = first.at_s + (last.at_s - first.at_s) * 2.0 / 3.0;
    let at = points.partition_point(|point| point.at_s <= from_s).saturating_sub(1);
    last.size - points[at].size < THRESHOLDS.late_share * (last.size - first.size)
}

/// Whether a steady movement has stopped, as in a queue that is full now. The stop must be longer than any before it,
/// and be missing several sightings' worth of growth. Only exact counts show this.
pub(super) fn has_stopped(points: &[Point]) -> bool {
    let (first, last) = (points[0], points[points.len() - 1]);
    let progress = THRESHOLDS.progress * (last.size - first.size);
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
        && stopped_s >= THRESHOLDS.min_stop_s.max(THRESHOLDS.longer * longest_s)
        && pace_per_s * stopped_s >= THRESHOLDS.missing_steps * usual_step(points)
}

/// Sightings that moved on from the one before.
pub(super) fn steps(points: &[Point]) -> usize {
    points.windows(2).filter(|pair| pair[1].size > pair[0].size).count()
}

/// Usual gain of a sighting that moved on; larger gains count for more.
fn usual_step(points: &[Point]) -> f64 {
    let steps = points.windows(2).map(|pair| pair[1].size - pair[0].size).filter(|&step| step > 0.0);
    let (sum, squares) = steps.fold((0.0, 0.0), |(sum, squares), step| (sum + step, squares + step * step));
    if sum > 0.0 { squares / sum } else { 1.0 }
}

/// Whether the growth slows down like that of a cache that fills: from third to third, and clearly beyond chance. Few
/// sightings have no drift for each third; an approach to a limit must explain them far better than a line.
pub(super) fn slows_down(points: &[Point]) -> bool {
    let (first, last) = (points[0], points[points.len() - 1]);
    let border =
        |share: f64| points.partition_point(|point| point.at_s < first.at_s + (last.at_s - first.at_s) * share);
    let (one, two) = (border(1.0 / 3.0), border(2.0 / 3.0));
    let thirds = [&points[..one], &points[one..two], &points[two..]];
    if thirds.iter().any(|third| third.len() < THRESHOLDS.min_points_of_part) {
        return points.len() >= THRESHOLDS.min_points && mode::bends(points, THRESHOLDS.slowed);
    }
    let [Some(early), Some(middle), Some(late)] = thirds.map(Drift::of) else { return false };
    let falls = early.per_s > middle.per_s && middle.per_s > late.per_s;
    falls && late.per_s < THRESHOLDS.slowed * early.per_s && early.differs(&late, THRESHOLDS.slowed_errors)
}
