//! Places where all nodes of one structure count together: a list that is entered at its first and at its last node has
//! two shortest paths, and grows by one object on each.

use crate::heap::{Classes, Heap};
use crate::matching::{NamedPlaces, PlaceIdx, PlaceStep};
use crate::naming::class::without_numbers;
use std::collections::{HashMap, HashSet};

/// A spot by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Spot(u32);

impl Spot {
    #[cfg(test)]
    pub(super) const FIRST: Self = Self(0);

    /// The index into a column.
    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}

/// Facts about a spot.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpotFacts {
    /// The first place that counts here.
    pub(super) place: PlaceIdx,
    /// The spot above; `None` at a root.
    pub(super) above: Option<Spot>,
    /// Whether its objects are slots of an array or nodes of a structure: one container may have any number of them.
    pub(super) is_member: bool,
    /// Whether its objects are class mirrors.
    pub(super) is_class: bool,
    /// Whether stacks and monitors hold its objects: those come and go with the current activity.
    pub(super) is_passing: bool,
}

/// All spots found so far, for all heaps of one program.
#[derive(Debug, Default)]
pub(super) struct Spots {
    pub(super) places: NamedPlaces,
    of_place: HashMap<PlaceIdx, Spot>,
    /// By the spot above and the class of nodes, or by the shared name of classes.
    shared: HashMap<(Option<Spot>, String), Spot>,
    facts: Vec<SpotFacts>,
    /// Classes with a field of their own type.
    nodes: HashSet<String>,
}

impl Spots {
    /// Learns which classes of a heap are nodes.
    pub(super) fn learn(&mut self, heap: &Heap) {
        for (_, class) in heap.classes().iter() {
            if !self.nodes.contains(&class.name) && links_to_itself(heap.classes(), class) {
                self.nodes.insert(class.name.clone());
            }
        }
    }

    /// Number of spots.
    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    pub(super) fn facts(&self, spot: Spot) -> SpotFacts {
        self.facts[spot.at()]
    }

    /// All spots.
    pub(super) fn iter(&self) -> impl Iterator<Item = Spot> + use<> {
        (0..self.facts.len() as u32).map(Spot)
    }

    /// The spot of a place; `None` above all roots.
    pub(super) fn of(&mut self, place: PlaceIdx) -> Option<Spot> {
        let mut unknown = Vec::new();
        let mut at = place;
        let mut above = loop {
            if let Some(&known) = self.of_place.get(&at) {
                break Some(known);
            }
            let Some((.., higher)) = self.places.last(at) else { break None };
            unknown.push(at);
            at = higher;
        };
        while let Some(place) = unknown.pop() {
            above = Some(self.add(place, above)?);
        }
        above
    }

    fn add(&mut self, place: PlaceIdx, above: Option<Spot>) -> Option<Spot> {
        let (step, class, _) = self.places.last(place)?;
        let is_node = above.is_some() && self.nodes.contains(class);
        let is_member = is_node || matches!(step, PlaceStep::Element);
        let is_class = matches!(step, PlaceStep::Class(_));
        let is_passing = matches!(step, PlaceStep::Root(kind) if kind.is_passing());
        let next = Spot(self.facts.len() as u32);
        let shared = match step {
            // Generated classes have numbers: a program that generates them in every run has more and more.
            PlaceStep::Class(name) => Some((None, without_numbers(name))),
            _ => is_node.then(|| (above, class.to_owned())),
        };
        let spot = shared.map_or(next, |shared| *self.shared.entry(shared).or_insert(next));
        if spot == next {
            self.facts.push(SpotFacts { place, above, is_member, is_class, is_passing });
        }
        self.of_place.insert(place, spot);
        Some(spot)
    }
}

/// Whether a field of its instances has the type of the class or of one of its superclasses.
fn links_to_itself(classes: &Classes, class: &crate::heap::Class) -> bool {
    const ANYTHING: &str = "java.lang.Object";
    let above = std::iter::successors(Some(class), |class| Some(classes.get(class.superclass?)));
    let own: Vec<String> = above
        .filter(|class| class.name != ANYTHING)
        .map(|class| format!("L{};", class.name.replace('.', "/")))
        .collect();
    class.fields().iter().any(|field| !field.is_static && own.contains(&field.descriptor))
}
