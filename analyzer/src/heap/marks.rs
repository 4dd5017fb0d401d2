//! The meaning of marks of an earlier snapshot. It is plain data: `marking/` makes it where marks are chosen, and the
//! heap in which the marked objects are found again keeps it. It reads no heap itself.

use rootbound_wire::ids::SnapshotId;

/// The marks of one plan by number, and the strata from which they were drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkTable {
    /// The snapshot that the plan was made from.
    pub first_seen: SnapshotId,
    /// The marks; the index is the mark's number minus one.
    pub marks: Vec<TableMark>,
    /// The strata that marks are samples of, including those without a mark.
    pub strata: Vec<Stratum>,
    /// Java source names of the classes of that snapshot, sorted; strata name them by index. One name may stand for
    /// several classes.
    pub classes: Vec<String>,
    /// Number of classes of each name that something holds ([`Heap::is_held`](super::Heap::is_held)).
    pub held_classes: Vec<u32>,
    /// Whether the mirrors of classes bear marks; otherwise a mirror is identified by the name of its class.
    pub marks_mirrors: bool,
    /// Whether leaves below one field of one object were left out and take that object's age.
    pub leaves_inherit: bool,
}

/// One mark of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TableMark {
    /// Number of objects that it stands for; 0 if it was not set.
    pub weight: f64,
    /// Its stratum, as an index into [`MarkTable::strata`]; `None` if it was chosen for itself.
    pub stratum: Option<u32>,
    /// For a container: the container that it is below.
    pub container_below: Option<Container>,
    /// The class of the object, by index into [`MarkTable::classes`].
    pub class: u32,
}

/// The objects of one class that had the same nearest container above them, containers left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stratum {
    /// The container that they are below.
    pub below: Container,
    /// Their class, by index into [`MarkTable::classes`].
    pub class: u32,
    /// Number of its objects.
    pub count: u32,
    /// Number of its objects that were chosen for a mark; those that were gone by then bear none.
    pub marked: u32,
}

/// A container above strata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Container {
    /// No container that has a name.
    Roots,
    /// The object that bears the mark of that number.
    Marked(u32),
    /// The mirror of a class, by index into [`MarkTable::classes`].
    Mirror(u32),
}

impl MarkTable {
    /// A table of marks that were chosen for themselves. `weights` holds by number, from 1 on, the number of objects
    /// that each stands for; 0 for a mark that was not set.
    pub fn from_weights(first_seen: SnapshotId, weights: Vec<f64>) -> Self {
        let marks = weights.into_iter().map(|weight| TableMark { weight, ..TableMark::default() }).collect();
        Self { first_seen, marks, ..Self::default() }
    }

    /// The snapshot that first saw the object with the mark of that number, and the number of objects that it stands
    /// for. `None` for numbers that were never set.
    pub fn weight(&self, number: u32) -> Option<(SnapshotId, f64)> {
        let mark = self.mark(number).filter(|mark| mark.weight > 0.0)?;
        Some((self.first_seen, mark.weight))
    }

    /// The mark of that number.
    pub fn mark(&self, number: u32) -> Option<&TableMark> {
        self.marks.get((number as usize).checked_sub(1)?)
    }

    /// The class of that name, by index into [`Self::classes`].
    pub fn class(&self, name: &str) -> Option<u32> {
        self.classes.binary_search_by(|class| class.as_str().cmp(name)).ok().map(|at| at as u32)
    }

    /// Number of classes of that name that something held.
    pub fn held_classes(&self, name: &str) -> u32 {
        self.class(name).and_then(|at| self.held_classes.get(at as usize)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_was_never_set_is_no_mark() {
        let table = MarkTable::from_weights(SnapshotId(3), vec![1.0, 0.0, 2.5]);
        assert_eq!(table.weight(1), Some((SnapshotId(3), 1.0)));
        assert_eq!(table.weight(3), Some((SnapshotId(3), 2.5)));
        assert!([0, 2, 4, u32::MAX].into_iter().all(|number| table.weight(number).is_none()));
    }
}
