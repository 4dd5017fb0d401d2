//! The fringe (LeakBot §3.2): "the set of objects in the latest generation immediately pointed to by objects in earlier
//! generations". As a weight it is the newness of the object times the oldness of its oldest referrer. It is at most
//! the newness that its holder does not explain: an object that came with its holder crosses the fringe with it.

use super::{Ages, BitSet};
use crate::heap::{Heap, ObjectIdx};

/// The objects on the fringe.
#[derive(Debug)]
pub struct Fringe {
    members: BitSet,
    /// Oldness of the oldest referrer in 255ths, if ages are estimates.
    oldest_referrer: Vec<u8>,
}

impl Fringe {
    /// Finds every new object that an old one refers to.
    pub fn new(heap: &Heap, ages: &Ages) -> Self {
        let mut members = BitSet::new(heap.object_count());
        let mut oldest_referrer = if ages.are_estimated() { vec![0; heap.object_count()] } else { Vec::new() };
        for object in heap.objects() {
            let oldness = ((1.0 - ages.newness(object)) * 255.0).round() as u8;
            if oldness == 0 {
                continue;
            }
            for &referee in heap
                .references()
                .of(object)
                .iter()
                .filter(|&&referee| ages.is_new(referee) && ages.unexplained(referee) > 0.0)
            {
                members.insert(referee.at());
                if let Some(oldest) = oldest_referrer.get_mut(referee.at()) {
                    *oldest = oldness.max(*oldest);
                }
            }
        }
        Self { members, oldest_referrer }
    }

    /// Whether the object is on the fringe, or may be.
    #[inline]
    pub fn contains(&self, object: ObjectIdx) -> bool {
        self.members.contains(object.at())
    }

    /// Degree to which the object is on the fringe, in [0, 1].
    #[inline]
    pub fn weight(&self, ages: &Ages, object: ObjectIdx) -> f64 {
        if !self.contains(object) {
            return 0.0;
        }
        let oldness = self.oldest_referrer.get(object.at()).map_or(1.0, |&oldest| f64::from(oldest) / 255.0);
        (ages.newness(object) * oldness).min(ages.unexplained(object))
    }

    /// Number of objects that are on the fringe, or may be.
    pub fn count(&self) -> usize {
        self.members.count()
    }
}
