//! A sample of slots follows changes, but its level is that of its first sample. At a change to or from another way of
//! counting, the jump between the two shows the error of that level.

use super::series::{Point, Series};
use super::thresholds::THRESHOLDS;
use rootbound_wire::message::{Sighting, VisitMethod};

/// Series of consecutive sightings of a region that are samples.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Level {
    /// Time of the first of them, if the last sighting was one.
    since_s: Option<f64>,
    /// Difference between their level and the one expected by the sightings before them.
    error: f64,
}

impl Level {
    /// Takes a sighting into the series. Returns its standard error, including that of a change of level.
    pub(super) fn push(&mut self, series: &mut Series, at_s: f64, sighting: &Sighting) -> f64 {
        let jump = expected(series, at_s).map_or(0.0, |size| (sighting.size - size).abs());
        let is_sample = sighting.method == VisitMethod::Slots;
        let is_switch = is_sample != self.since_s.is_some();
        match (is_sample, self.since_s) {
            (true, None) => *self = Self { since_s: Some(at_s), error: jump },
            (false, Some(since_s)) => {
                series.blur(since_s, jump);
                *self = Self::default();
            }
            _ => {}
        }
        let error = if is_sample { sighting.size_error.max(self.error) } else { sighting.size_error };
        series.push(Point { at_s, size: sighting.size, error });
        if is_switch { error.max(jump) } else { sighting.size_error }
    }
}

/// The size at this time, if it goes on as between the last two sightings.
fn expected(series: &Series, at_s: f64) -> Option<f64> {
    let (last, before) = match series.points() {
        [.., before, last] => (last, before),
        [last] => return Some(last.size),
        [] => return None,
    };
    let per_s = (last.size - before.size) / (last.at_s - before.at_s).max(THRESHOLDS.shortest_s);
    Some(last.size + per_s * (at_s - last.at_s))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTER: VisitMethod = VisitMethod::Counter { counter: 0 };

    /// The errors of some sightings, one a second.
    fn errors(sightings: &[(f64, VisitMethod)]) -> Vec<f64> {
        let (mut series, mut level) = (Series::default(), Level::default());
        for (second, &(size, method)) in sightings.iter().enumerate() {
            let sighting =
                Sighting { size, size_error: 2.0, additions: 0.0, removals: 0.0, relinked: false, slots: None, method };
            level.push(&mut series, second as f64, &sighting);
        }
        series.points().iter().map(|point| point.error).collect()
    }

    #[test]
    fn a_samples_level_is_as_uncertain_as_the_jump_to_what_counts() {
        let sample = VisitMethod::Slots;
        assert_eq!(errors(&[(90.0, sample), (91.0, sample)]), [2.0, 2.0]);
        assert_eq!(
            errors(&[(90.0, sample), (91.0, sample), (131.0, COUNTER), (132.0, COUNTER)]),
            [39.0, 39.0, 2.0, 2.0]
        );
        assert_eq!(
            errors(&[(100.0, COUNTER), (70.0, sample), (71.0, sample), (103.0, COUNTER)]),
            [2.0, 31.0, 31.0, 2.0]
        );
    }

    #[test]
    fn other_ways_of_counting_know_their_level() {
        let exact = [(90.0, VisitMethod::Slots), (140.0, VisitMethod::Slots), (190.0, COUNTER)];
        assert_eq!(errors(&exact), [2.0, 2.0, 2.0]);
        assert_eq!(
            errors(&[(90.0, VisitMethod::Cursor), (131.0, COUNTER), (70.0, VisitMethod::Full)]),
            [2.0, 2.0, 2.0]
        );
    }
}
