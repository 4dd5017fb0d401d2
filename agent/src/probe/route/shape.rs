//! The shape of a route, computed once: it decides which methods of counting can follow the structure. Reads nothing.

use super::automaton::Place;

/// The shape of a route.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The references before the structure itself.
    pub stem: Stem,
    /// The kind of structure behind them.
    pub kind: Kind,
}

/// Single references from the owner to one object, without a branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stem {
    /// Places before the object, the owner's first; each has one step, and that leads to one place.
    pub prefix: Vec<usize>,
    /// Place of the object.
    pub place: usize,
}

/// The kind of structure behind a stem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Nodes, each with one reference towards the next.
    Chain(Link),
    /// An array: a table, a list's elements.
    Array {
        /// Whether no reference is followed from the objects in the slots, and each of them counts as one.
        holds_leaves: bool,
    },
    /// One object that counts and leads nowhere: the array of a buffer.
    Buffer,
    /// Anything else whose members are reachable by one path each.
    #[default]
    Tree,
    /// Members are reachable by several paths each.
    MultiPath,
}

/// The way from a node of a chain to the next; leaves next to it are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Step from a node to the next, or to the object between them.
    pub next: usize,
    /// The place between two nodes: an object with one step.
    pub between: Option<usize>,
}

impl Shape {
    /// The shape of a route with these places, if its members are reachable by one path each.
    pub fn of(places: &[Place]) -> Self {
        if places.is_empty() {
            return Self::default();
        }
        let stem = Stem::of(places);
        Self { kind: kind(places, &stem), stem }
    }
}

impl Kind {
    /// Whether it is an array of references.
    pub fn is_array(self) -> bool {
        matches!(self, Self::Array { .. })
    }

    /// Whether it is an array that holds each member in a slot of its own: a fill may end in it.
    pub fn may_fill(self) -> bool {
        self == Self::Array { holds_leaves: true }
    }

    /// The link of a chain.
    pub fn link(self) -> Option<Link> {
        if let Self::Chain(link) = self { Some(link) } else { None }
    }
}

impl Stem {
    fn of(places: &[Place]) -> Self {
        let mut stem = Self::default();
        while let Some(to) = only_reference(&places[stem.place]).filter(|&to| to != stem.place) {
            if stem.prefix.contains(&to) {
                break;
            }
            stem.prefix.push(stem.place);
            stem.place = to;
            if places[to].counts || link(places, to).is_some() {
                break;
            }
        }
        stem
    }

    /// The place that each reference begins at, and the one that it leads to.
    pub fn hops(&self) -> impl Iterator<Item = (usize, usize)> {
        let to = self.prefix.iter().skip(1).chain([&self.place]);
        self.prefix.iter().copied().zip(to.copied())
    }
}

fn kind(places: &[Place], stem: &Stem) -> Kind {
    let (place, is_owner) = (&places[stem.place], stem.prefix.is_empty());
    if let Some(link) = link(places, stem.place).filter(|_| !is_owner) {
        return Kind::Chain(link);
    }
    match &place.steps[..] {
        [] if place.counts => Kind::Buffer,
        [step] if step.is_array && (is_owner || !place.counts) => {
            Kind::Array { holds_leaves: step.to.iter().all(|&to| places[to].is_leaf() && places[to].counts) }
        }
        _ => Kind::Tree,
    }
}

/// The one place that a place's only step leads to, unless that is an array's.
fn only_reference(place: &Place) -> Option<usize> {
    let [step] = &place.steps[..] else { return None };
    let [to] = step.to[..] else { return None };
    (!step.is_array).then_some(to)
}

/// The one step that leads from a node towards the next, when `place` is a chain's, and the place between them.
fn link(places: &[Place], place: usize) -> Option<Link> {
    let leads_to_leaves = |to: &[usize]| to.iter().all(|&to| places[to].is_leaf());
    let mut links =
        places[place].steps.iter().enumerate().filter(|(_, step)| step.is_array || !leads_to_leaves(&step.to));
    let (next, step) = links.next()?;
    if links.next().is_some() || step.is_array {
        return None;
    }
    let [to] = step.to[..] else { return None };
    if to == place {
        return Some(Link { next, between: None });
    }
    let is_between = to != 0 && !places[to].counts && only_reference(&places[to]) == Some(place);
    is_between.then_some(Link { next, between: Some(to) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::route::automaton::Step;
    use crate::probe::tests::fake_heap::step;

    fn place(counts: bool, steps: Vec<Step>) -> Place {
        Place { counts, steps }
    }

    fn shape(places: &[Place]) -> (Kind, Vec<usize>, usize) {
        let Shape { stem, kind } = Shape::of(places);
        (kind, stem.prefix, stem.place)
    }

    #[test]
    fn a_list_of_nodes_is_a_chain_also_with_objects_between_them_and_leaves_beside() {
        let link = |next, between| Kind::Chain(Link { next, between });
        let head = || place(false, vec![step(false, 1)]);
        let plain = vec![head(), place(true, vec![step(false, 1)])];
        assert_eq!(shape(&plain), (link(0, None), vec![0], 1));
        let leaves = vec![head(), place(false, vec![step(false, 2), step(false, 1)]), place(true, vec![])];
        assert_eq!(shape(&leaves), (link(1, None), vec![0], 1));
        let between = vec![head(), place(true, vec![step(false, 2)]), place(false, vec![step(false, 1)])];
        assert_eq!(shape(&between), (link(0, Some(2)), vec![0], 1));
    }

    #[test]
    fn a_table_is_an_array_and_may_fill_where_its_slots_hold_leaves() {
        let behind = |node| vec![place(false, vec![step(false, 1)]), place(false, vec![step(true, 2)]), node];
        let leaves = behind(place(true, vec![]));
        assert_eq!(shape(&leaves), (Kind::Array { holds_leaves: true }, vec![0], 1));
        let chains = behind(place(true, vec![step(false, 2)]));
        assert_eq!(shape(&chains), (Kind::Array { holds_leaves: false }, vec![0], 1));
        let owner = vec![place(false, vec![step(true, 1)]), place(true, vec![])];
        assert_eq!(shape(&owner), (Kind::Array { holds_leaves: true }, vec![], 0));
    }

    #[test]
    fn two_references_from_one_object_or_a_circle_without_members_are_a_tree() {
        let node = place(true, vec![step(false, 1), step(false, 1)]);
        assert_eq!(shape(&[place(false, vec![step(false, 1)]), node]), (Kind::Tree, vec![0], 1));
        let circle = vec![place(false, vec![step(false, 1)]), place(false, vec![step(false, 0)])];
        assert_eq!(shape(&circle).0, Kind::Tree);
        let forks = vec![place(false, vec![step(false, 1), step(false, 1)]), place(true, vec![step(false, 1)])];
        assert_eq!(shape(&forks), (Kind::Tree, vec![], 0));
    }

    #[test]
    fn a_route_without_places_has_a_shape_too() {
        assert_eq!(Shape::of(&[]), Shape::default());
    }

    #[test]
    fn one_counted_object_that_leads_nowhere_is_a_buffer() {
        let places = vec![place(false, vec![step(false, 1)]), place(true, vec![])];
        assert_eq!(shape(&places), (Kind::Buffer, vec![0], 1));
    }
}
