//! The trend of sizes that do not move in one direction: flatliner or oscillator.

use super::series::span_s;
use super::thresholds::THRESHOLDS;
use super::{Point, Trend};

/// Flatliner or oscillator, by the later half: earlier changes have ended. By the last third, where the size only moved
/// to its present value: a queue that filled up.
pub(super) fn settled(points: &[Point]) -> Trend {
    let later = since(points, 1.0 / 2.0);
    let falls = later.windows(2).any(|pair| pair[1].size < pair[0].size);
    if stands_still(later) || !falls || has_arrived(points) { Trend::Flatliner } else { Trend::Oscillator }
}

/// The points after this share of the time.
fn since(points: &[Point], share: f64) -> &[Point] {
    let from_s = points[0].at_s + span_s(points) * share;
    &points[points.partition_point(|point| point.at_s < from_s)..]
}

fn stands_still(points: &[Point]) -> bool {
    let (least, most) =
        points.iter().fold((f64::MAX, f64::MIN), |(least, most), point| (least.min(point.size), most.max(point.size)));
    let noise = THRESHOLDS.noise_range * points.iter().map(|point| point.error).fold(0.0, f64::max);
    most - least <= still_within(points).max(1.0).max(noise)
}

/// Change, in members, within which sizes are constant.
pub(super) fn still_within(points: &[Point]) -> f64 {
    let mean = points.iter().map(|point| point.size).sum::<f64>() / points.len() as f64;
    mean * THRESHOLDS.stands_still_within
}

/// Whether the size moved one way, with small retreats, and is constant since.
fn has_arrived(points: &[Point]) -> bool {
    let arrived = since(points, 2.0 / 3.0);
    let way = &points[..points.len() - arrived.len()];
    span_s(arrived) >= THRESHOLDS.min_span_s && stands_still(arrived) && moves_one_way(way)
}

fn moves_one_way(points: &[Point]) -> bool {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return false };
    let net = last.size - first.size;
    let mut furthest = f64::MIN;
    let back = points.iter().map(|point| {
        let size = point.size * net.signum();
        furthest = furthest.max(size);
        furthest - size
    });
    back.fold(0.0, f64::max) <= THRESHOLDS.retreats_within * net.abs()
}
