//! What the marks of an earlier snapshot stand for: plain data, made where marks are chosen (`marking/`) and kept by the heap
//! in which the marked objects are found again. It looks at no heap itself.

use rootbound_wire::ids::SnapshotId;

/// The marks of one plan by number, and the strata of objects that they were drawn from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkTable {
    /// The snapshot that the plan was made from.
    pub first_seen: SnapshotId,
    /// By number, less one.
    pub marks: Vec<TableMark>,
    /// What the marks are samples of, those of which nothing was marked included.
    pub strata: Vec<Stratum>,
    /// Java source names of the classes of that snapshot, sorted; strata name them by index. One name may stand for
    /// several classes.
    pub classes: Vec<String>,
    /// Whether the mirrors of classes bear marks; otherwise a mirror is known by the name of its class.
    pub marks_mirrors: bool,
    /// Whether leaves that hang from one field of one object were left out, and take that object's age.
    pub leaves_inherit: bool,
}

/// One number of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TableMark {
    /// How many objects it stands for; 0 when it was not set.
    pub weight: f64,
    /// What it is a sample of, by index into [`MarkTable::strata`]; `None` when it was chosen for itself.
    pub stratum: Option<u32>,
    /// For a container: what it hangs below itself.
    pub container_below: Option<Container>,
}

/// The objects of one class that had the same nearest container above them, containers left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stratum {
    /// What they hang below.
    pub below: Container,
    /// Their class, by index into [`MarkTable::classes`].
    pub class: u32,
    /// How many there were.
    pub count: u32,
    /// How many of them bear a mark.
    pub marked: u32,
}

/// What strata hang below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Container {
    /// Nothing that has a name.
    Roots,
    /// The object that bears the mark of that number.
    Marked(u32),
    /// The mirror of a class, by index into [`MarkTable::classes`].
    Mirror(u32),
}

impl MarkTable {
    /// A table of marks that were chosen for themselves; by number, from 1 on, how many objects each stands for, and
    /// 0 for one that was not set.
    pub fn from_weights(first_seen: SnapshotId, weights: Vec<f64>) -> Self {
        let marks = weights.into_iter().map(|weight| TableMark { weight, ..TableMark::default() }).collect();
        Self { first_seen, marks, ..Self::default() }
    }

    /// When the object with the mark of that number was first seen, and how many objects it stands for. `None` for
    /// numbers that were never set.
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
