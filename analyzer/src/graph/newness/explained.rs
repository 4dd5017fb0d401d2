//! The share of an object's newness that its holder explains: an object may come with a new holder. Counts no groups.
//!
//! The holder is the nearest dominator that is no array of references. Nodes below nodes of their own class have the
//! holder of the first node. Containers and marked objects are old, so they explain nothing.

use super::groups::SIGNIFICANT;
use super::{DEPENDENT, Estimate, NEW, OLD};
use crate::graph::DominatorTree;
use crate::heap::{Heap, ObjectIdx};

/// Number of rounds. Shares depend on those of the groups above, by one round a level; deeper levels count as settled.
const ROUNDS: usize = 6;

/// For one group: the relation between an object's newness and that of its holder.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Share {
    /// The part of the holder's newness that each object takes.
    inherited: f64,
    /// Newness of each object in addition, as a share of the rest that its holder leaves.
    own: f64,
}

/// The newness of every holder (4 bytes an object), and the shares of every estimate.
#[derive(Debug)]
pub(super) struct Explained {
    of_holder: Vec<f32>,
    shares: Vec<Share>,
}

impl Explained {
    /// Splits the gain of every group into what holders explain and the surplus.
    pub(super) fn new(heap: &Heap, dominators: &DominatorTree, estimate: &[u32], estimates: &[Estimate]) -> Self {
        let shares = estimates.iter().map(|of_all| Share { inherited: 0.0, own: of_all.newness }).collect();
        let mut explained = Self { of_holder: vec![0.0; heap.object_count()], shares };
        for _ in 0..ROUNDS {
            let sums = explained.ask_holders(heap, dominators, estimate);
            let shares = sums.iter().zip(estimates).enumerate().map(|(at, (sum, of_all))| match at as u32 {
                OLD | NEW => Share { inherited: 0.0, own: of_all.newness },
                _ => share(*sum, *of_all),
            });
            let shares: Vec<Share> = shares.collect();
            if shares == explained.shares {
                break;
            }
            explained.shares = shares;
        }
        explained.ask_holders(heap, dominators, estimate);
        explained
    }

    /// Sets the newness of holders, holders first. Returns by estimate the number of members and the sum of their
    /// holders' newness.
    fn ask_holders(&mut self, heap: &Heap, dominators: &DominatorTree, estimate: &[u32]) -> Vec<(f64, f64)> {
        let mut sums = vec![(0.0, 0.0); self.shares.len()];
        for &object in dominators.preorder() {
            let group = estimate[object.at()];
            if group == DEPENDENT || group <= NEW {
                continue;
            }
            let of_holder = holder(heap, dominators, object).map_or(0.0, |holder| match estimate[holder.at()] {
                DEPENDENT | OLD => 0.0,
                above if above == group => self.of_holder[holder.at()],
                above => self.newness(holder, above) as f32,
            });
            self.of_holder[object.at()] = of_holder;
            let (members, sum) = &mut sums[group as usize];
            *members += 1.0;
            *sum += f64::from(of_holder);
        }
        sums
    }

    /// Copies the holder's newness to an object that takes the age of another.
    pub(super) fn copy(&mut self, from: ObjectIdx, to: ObjectIdx) {
        self.of_holder[to.at()] = self.of_holder[from.at()];
    }

    fn inherited(&self, object: ObjectIdx, estimate: u32) -> f64 {
        f64::from(self.of_holder[object.at()]) * self.shares[estimate as usize].inherited
    }

    /// The newness of the object.
    pub(super) fn newness(&self, object: ObjectIdx, estimate: u32) -> f64 {
        let inherited = self.inherited(object, estimate);
        inherited + (1.0 - inherited) * self.shares[estimate as usize].own
    }

    /// The newness that its holder does not explain. A holder that is certainly new explains no old referrer.
    pub(super) fn unexplained(&self, object: ObjectIdx, estimate: u32) -> f64 {
        let inherited = self.inherited(object, estimate);
        if inherited >= 1.0 { 1.0 } else { (1.0 - inherited) * self.shares[estimate as usize].own }
    }
}

fn holder(heap: &Heap, dominators: &DominatorTree, object: ObjectIdx) -> Option<ObjectIdx> {
    let mut above = dominators.immediate_dominator(object);
    while let Some(array) = above.filter(|&above| heap.is_object_array(above)) {
        above = dominators.immediate_dominator(array);
    }
    above
}

/// The share, from the number of members and the sum of their holders' newness.
fn share((members, explained): (f64, f64), of_all: Estimate) -> Share {
    let (gain, error) = (of_all.newness * members, SIGNIFICANT * (of_all.variance * members).sqrt());
    if explained == 0.0 {
        Share { inherited: 0.0, own: of_all.newness }
    } else if gain < explained {
        Share { inherited: gain / explained, own: 0.0 }
    } else if gain - explained > error {
        Share { inherited: 1.0, own: ((gain - explained) / (members - explained)).clamp(0.0, 1.0) }
    } else {
        Share { inherited: 1.0, own: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Estimate = Estimate { newness: 0.5, variance: 0.01 };

    #[test]
    fn without_new_holders_the_gain_is_the_groups_own() {
        assert_eq!(share((100.0, 0.0), HALF), Share { inherited: 0.0, own: 0.5 });
    }

    #[test]
    fn holders_explain_a_gain_within_its_error() {
        assert_eq!(share((100.0, 49.0), HALF), Share { inherited: 1.0, own: 0.0 });
        assert_eq!(share((100.0, 80.0), HALF), Share { inherited: 0.625, own: 0.0 });
    }

    #[test]
    fn the_surplus_goes_to_what_holders_leave() {
        assert_eq!(share((100.0, 20.0), HALF), Share { inherited: 1.0, own: 30.0 / 80.0 });
    }
}
