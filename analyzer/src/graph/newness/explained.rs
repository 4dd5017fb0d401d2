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

/// A member of a group that gains, and its holder.
#[derive(Clone, Copy)]
struct Link {
    object: ObjectIdx,
    group: u32,
    holder: Holder,
}

/// A holder by its age.
#[derive(Clone, Copy)]
enum Holder {
    Old,
    New,
    /// A member of a group that gains, too, by its index among these; it stands before those that it holds.
    Gaining(u32),
}

impl Explained {
    /// Splits the gain of every group into what holders explain and the surplus.
    pub(super) fn new(heap: &Heap, dominators: &DominatorTree, estimate: &[u32], estimates: &[Estimate]) -> Self {
        let mut shares: Vec<Share> =
            estimates.iter().map(|of_all| Share { inherited: 0.0, own: of_all.newness }).collect();
        let links = links(heap, dominators, estimate, estimates);
        let mut newness = vec![0.0; links.len()];
        for _ in 0..ROUNDS {
            let sums = ask_holders(&links, &shares, &mut newness);
            let next = sums.iter().zip(estimates).enumerate().map(|(at, (sum, of_all))| match at as u32 {
                OLD | NEW => Share { inherited: 0.0, own: of_all.newness },
                _ => share(*sum, *of_all),
            });
            let next: Vec<Share> = next.collect();
            if next == shares {
                break;
            }
            shares = next;
        }
        ask_holders(&links, &shares, &mut newness);
        let mut of_holder = vec![0.0; heap.object_count()];
        links.iter().zip(newness).for_each(|(link, newness)| of_holder[link.object.at()] = newness);
        Self { of_holder, shares }
    }

    /// Copies the holder's newness to an object that takes the age of another.
    pub(super) fn copy(&mut self, from: ObjectIdx, to: ObjectIdx) {
        self.of_holder[to.at()] = self.of_holder[from.at()];
    }

    fn share(&self, estimate: u32) -> Share {
        self.shares[estimate as usize]
    }

    /// The newness of the object.
    pub(super) fn newness(&self, object: ObjectIdx, estimate: u32) -> f64 {
        self.share(estimate).newness(self.of_holder[object.at()])
    }

    /// The newness that its holder does not explain. A holder that is certainly new explains no old referrer.
    pub(super) fn unexplained(&self, object: ObjectIdx, estimate: u32) -> f64 {
        self.share(estimate).unexplained(self.of_holder[object.at()])
    }
}

impl Share {
    fn of_its_holder(&self, of_holder: f32) -> f64 {
        f64::from(of_holder) * self.inherited
    }

    fn newness(&self, of_holder: f32) -> f64 {
        let inherited = self.of_its_holder(of_holder);
        inherited + (1.0 - inherited) * self.own
    }

    fn unexplained(&self, of_holder: f32) -> f64 {
        let inherited = self.of_its_holder(of_holder);
        if inherited >= 1.0 { 1.0 } else { (1.0 - inherited) * self.own }
    }
}

/// The members of groups that gain, in preorder, and their holders. A group without a gain has none to split.
fn links(heap: &Heap, dominators: &DominatorTree, estimate: &[u32], estimates: &[Estimate]) -> Vec<Link> {
    let gains = |group: u32| group > NEW && group != DEPENDENT && estimates[group as usize].newness > 0.0;
    let mut links = Vec::new();
    let mut index = vec![0; heap.object_count()];
    for &object in dominators.preorder() {
        let group = estimate[object.at()];
        if !gains(group) {
            continue;
        }
        let holder = holder(heap, dominators, object).map_or(Holder::Old, |holder| match estimate[holder.at()] {
            NEW => Holder::New,
            above if gains(above) => Holder::Gaining(index[holder.at()]),
            _ => Holder::Old,
        });
        index[object.at()] = links.len() as u32;
        links.push(Link { object, group, holder });
    }
    links
}

/// Sets the newness of the holder of each of these objects. Returns by estimate the number of members and the sum of
/// their holders' newness.
fn ask_holders(links: &[Link], shares: &[Share], of_holder: &mut [f32]) -> Vec<(f64, f64)> {
    let mut sums = vec![(0.0, 0.0); shares.len()];
    for (at, &Link { group, holder, .. }) in links.iter().enumerate() {
        of_holder[at] = match holder {
            Holder::Old => 0.0,
            Holder::New => 1.0,
            Holder::Gaining(above) => {
                let (above, its_holder) = (links[above as usize].group, of_holder[above as usize]);
                if above == group { its_holder } else { shares[above as usize].newness(its_holder) as f32 }
            }
        };
        let (members, sum) = &mut sums[group as usize];
        *members += 1.0;
        *sum += f64::from(of_holder[at]);
    }
    sums
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
