//! Length of a buffer's array over time. Most buffers have a fixed length and are filled and emptied for ever; only a
//! buffer that was replaced by a longer one has grown.

use rootbound_wire::message::{Sighting, VisitMethod};

/// Observations of the array.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extent {
    /// Slots that it gained from the capture before to the latest.
    gained_between_captures: f64,
    /// Its length at the first and at the last visit that reported it.
    first: Option<f64>,
    last: f64,
    /// Whether the last sighting was the array's fill, instead of its length.
    is_counted: Option<bool>,
    /// Sum and number of the ratios of slots to the size by a counter.
    slots_each: (f64, u32),
}

impl Extent {
    /// An array that gained `gained` slots from capture to capture.
    pub fn new(gained: u64) -> Self {
        Self { gained_between_captures: gained as f64, ..Self::default() }
    }

    /// Takes in the length of a sighting.
    pub fn see(&mut self, sighting: &Sighting) {
        let Some(length) = sighting.slots.map(f64::from) else { return };
        self.first.get_or_insert(length);
        self.last = length;
        if matches!(sighting.method, VisitMethod::Counter { .. }) && sighting.size >= 1.0 {
            let (sum, count) = self.slots_each;
            self.slots_each = (sum + length / sighting.size, count + 1);
        }
    }

    /// Whether sizes from this sighting on are of another kind than those before.
    pub fn turns(&mut self, method: VisitMethod) -> bool {
        let is_counted = matches!(method, VisitMethod::Counter { .. });
        self.is_counted.replace(is_counted).is_some_and(|before| before != is_counted)
    }

    /// Whether its sizes are the array's fill, instead of its length.
    pub fn is_fill(&self) -> bool {
        self.is_counted == Some(true)
    }

    /// Takes in the length in a capture, instead of a visit.
    pub(super) fn captured(&mut self, slots: u32) {
        self.first.get_or_insert(f64::from(slots));
        self.last = f64::from(slots);
    }

    /// Slots that it has gained, as far as captures and visits show.
    pub fn gained(&self) -> f64 {
        self.gained_between_captures + (self.last - self.first.unwrap_or(0.0)).max(0.0)
    }

    /// Its length at the last sighting.
    pub fn length(&self) -> Option<u64> {
        self.first.map(|_| self.last as u64)
    }

    /// Mean number of slots for each filled one: an array is hardly ever full.
    pub fn slots_each(&self) -> f64 {
        let (sum, count) = self.slots_each;
        if count == 0 || self.is_counted != Some(true) { 1.0 } else { sum / f64::from(count) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILL: VisitMethod = VisitMethod::Counter { counter: 0 };

    fn seen(extent: &mut Extent, size: f64, slots: u32, method: VisitMethod) -> bool {
        let (additions, removals, relinked) = (0.0, 0.0, false);
        extent.see(&Sighting { size, size_error: 0.0, additions, removals, relinked, slots: Some(slots), method });
        extent.turns(method)
    }

    #[test]
    fn it_gains_what_captures_and_visits_saw_it_gain() {
        let mut extent = Extent::new(100);
        assert_eq!((extent.gained(), extent.length()), (100.0, None));
        seen(&mut extent, 64.0, 64, VisitMethod::Length);
        assert_eq!(extent.gained(), 100.0);
        seen(&mut extent, 128.0, 128, VisitMethod::Length);
        assert_eq!((extent.gained(), extent.length()), (164.0, Some(128)));
        seen(&mut extent, 16.0, 16, VisitMethod::Length);
        assert_eq!(extent.gained(), 100.0, "a shorter one gives back what was gained while it was watched");
    }

    #[test]
    fn what_is_filled_takes_more_slots_than_it_fills() {
        let mut extent = Extent::default();
        let turns = [(128.0, VisitMethod::Length), (64.0, FILL), (128.0, FILL)];
        assert_eq!(turns.map(|(size, method)| seen(&mut extent, size, 128, method)), [false, true, false]);
        assert_eq!(extent.slots_each(), 1.5);
        seen(&mut extent, 128.0, 128, VisitMethod::Length);
        assert_eq!(extent.slots_each(), 1.0);
    }
}
