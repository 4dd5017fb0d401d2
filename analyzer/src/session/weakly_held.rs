//! Followed regions whose change-proxies are held weakly, in the heap of a later capture, whether or not that capture
//! finds regions: it shows how many of them wait for the collector by then.

use super::Session;
use super::contained::Panicked;
use super::findings::Findings;
use super::found_region::FoundRegion;
use crate::graph::OwnedHeap;
use crate::heap::{Class, ClassIdx};
use crate::naming::Place;
use crate::naming::class::without_hidden_suffix;
use crate::regions::{Clearable, clearable_now, objects_at};

/// The members of a followed region, by names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WeaklyHeld {
    owner: Place,
    class: String,
}

impl WeaklyHeld {
    /// The same for one region.
    fn of(region: &FoundRegion) -> Self {
        Self { owner: region.path.owner.clone(), class: region.change_class.clone() }
    }

    /// What the heap shows of them; `None` where there are none. A place may lead to several owners, as that of the
    /// threads of one pool does, of which the region is one.
    fn look(&self, owned: OwnedHeap<'_>) -> Option<Clearable> {
        let is_such = |class: &Class| without_hidden_suffix(&class.name) == self.class;
        let such = owned.heap.classes().iter().filter(|(_, class)| is_such(class));
        let classes: Vec<ClassIdx> = such.map(|(class, _)| class).collect();
        let owners = objects_at(owned.heap, &self.owner);
        let looks = owners.iter().map(|&owner| clearable_now(owned, owner, |class| classes.contains(&class)));
        looks.reduce(Clearable::with).filter(|all| all.backlog.members > 0.0)
    }
}

/// What a capture shows of followed regions whose change-proxies are held weakly.
#[derive(Debug, Default)]
pub(super) struct Looks(Vec<(WeaklyHeld, Clearable)>);

impl Looks {
    /// Looks them up in a heap.
    pub(super) fn new(owned: OwnedHeap<'_>, asked: &[WeaklyHeld]) -> Self {
        Self(asked.iter().filter_map(|each| Some((each.clone(), each.look(owned)?))).collect())
    }

    /// What the capture shows of a region.
    pub(super) fn of(&self, region: &FoundRegion) -> Option<Clearable> {
        let of = WeaklyHeld::of(region);
        self.0.iter().find(|(known, _)| *known == of).map(|&(_, found)| found)
    }
}

impl Findings {
    /// The followed regions whose change-proxies are held weakly, as far as earlier captures show.
    pub(super) fn weakly_held(&self) -> Vec<WeaklyHeld> {
        let followed = self.regions.iter().filter(|region| region.is_followed());
        followed.filter(|region| region.tracked.clearable.weak > 0.0).map(WeaklyHeld::of).collect()
    }

    /// Looks at those that were followed before and those of these findings. Numbers are those of all owners at a place,
    /// so that later captures compare with them.
    pub(super) fn look_at_weakly_held(&mut self, owned: OwnedHeap<'_>, before: &[WeaklyHeld]) {
        let mut asked = self.weakly_held();
        asked.extend(before.iter().filter(|known| !asked.contains(known)).cloned().collect::<Vec<_>>());
        self.looks = Looks::new(owned, &asked);
        for region in &mut self.regions {
            if let Some(found) = self.looks.of(region) {
                region.tracked.clearable.backlog = found.backlog;
            }
        }
    }

    /// Takes in what a capture shows that found no regions.
    pub(super) fn take_looks(&mut self, looks: &Looks) {
        for region in self.regions.iter_mut().filter(|region| region.is_followed()) {
            if let Some(found) = looks.of(region) {
                region.tracked.set_clearable(found);
            }
        }
    }
}

impl Session {
    /// What to look for in the next capture.
    pub(super) fn weakly_held(&self) -> Vec<WeaklyHeld> {
        self.findings.as_ref().map_or_else(Vec::new, Findings::weakly_held)
    }

    /// Takes in what a capture shows that found no regions.
    pub(super) fn take_looks(&mut self, looks: Result<Looks, Panicked>) {
        match looks {
            Ok(looks) => {
                if let Some(findings) = &mut self.findings {
                    findings.take_looks(&looks);
                }
            }
            Err(panic) => {
                self.problem(format!("what waits for the collector is not known, by a defect of rootbound: {panic}"));
            }
        }
    }
}

#[cfg(test)]
#[path = "weakly_held_tests.rs"]
mod tests;
