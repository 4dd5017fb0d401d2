//! Forward references as compressed sparse rows.

use super::ObjectIdx;
use super::labels::Labels;
use super::offsets::Offsets;
use rootbound_wire::message::ReferenceLabel;
use std::fmt;

/// The position of a reference in its referrer, in 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(u32);

const KIND_SHIFT: u32 = 28;
const INDEX_MASK: u32 = (1 << KIND_SHIFT) - 1;
const FIELD: u32 = 0;
const STATIC_FIELD: u32 = 1;
const ELEMENT: u32 = 2;

impl Label {
    /// Any slot of an array: the result of [`Self::kind`] for elements.
    pub const ARRAY_ELEMENT: Self = Self(ELEMENT << KIND_SHIFT);
    /// Object → its class mirror.
    pub const CLASS: Self = Self(3 << KIND_SHIFT);
    /// Class mirror → loader.
    pub const CLASS_LOADER: Self = Self(4 << KIND_SHIFT);
    /// Class mirror → superclass.
    pub const SUPERCLASS: Self = Self(5 << KIND_SHIFT);
    /// Class mirror → interface.
    pub const INTERFACE: Self = Self(6 << KIND_SHIFT);
    /// Class mirror → constant pool entry.
    pub const CONSTANT_POOL: Self = Self(7 << KIND_SHIFT);
    /// Anything else.
    pub const OTHER: Self = Self(8 << KIND_SHIFT);

    /// Instance field at a JVMTI index.
    pub fn field(index: u32) -> Self {
        Self(FIELD << KIND_SHIFT | index & INDEX_MASK)
    }

    /// Static field at a JVMTI index.
    pub fn static_field(index: u32) -> Self {
        Self(STATIC_FIELD << KIND_SHIFT | index & INDEX_MASK)
    }

    /// An element of an array at its index; indexes above 2²⁸ − 1 are stored as that value.
    pub fn element(index: u32) -> Self {
        Self(ELEMENT << KIND_SHIFT | index.min(INDEX_MASK))
    }

    /// The stored bits.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// The label of stored bits.
    pub(crate) fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The label without the index of an element: the common part of all elements of an array.
    pub fn kind(self) -> Self {
        if self.is_element() { Self::ARRAY_ELEMENT } else { self }
    }

    /// Whether it is an element of an array.
    pub fn is_element(self) -> bool {
        self.0 >> KIND_SHIFT == ELEMENT
    }

    /// The index of an element.
    pub fn element_index(self) -> Option<u32> {
        self.is_element().then_some(self.0 & INDEX_MASK)
    }

    /// The JVMTI index, for fields of either kind.
    pub fn field_index(self) -> Option<u32> {
        matches!(self.0 >> KIND_SHIFT, FIELD | STATIC_FIELD).then_some(self.0 & INDEX_MASK)
    }

    /// Whether it is a static field.
    pub fn is_static_field(self) -> bool {
        self.0 >> KIND_SHIFT == STATIC_FIELD
    }

    /// Whether it is an instance field.
    pub fn is_instance_field(self) -> bool {
        self.0 >> KIND_SHIFT == FIELD
    }
}

impl From<ReferenceLabel> for Label {
    fn from(label: ReferenceLabel) -> Self {
        match label {
            ReferenceLabel::Field(index) => Self::field(index),
            ReferenceLabel::StaticField(index) => Self::static_field(index),
            ReferenceLabel::ArrayElement(index) => Self::element(index),
            ReferenceLabel::Class => Self::CLASS,
            ReferenceLabel::ClassLoader => Self::CLASS_LOADER,
            ReferenceLabel::Superclass => Self::SUPERCLASS,
            ReferenceLabel::Interface => Self::INTERFACE,
            ReferenceLabel::ConstantPool => Self::CONSTANT_POOL,
            ReferenceLabel::Other => Self::OTHER,
        }
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field_index() {
            Some(index) if self.is_static_field() => write!(out, "static#{index}"),
            Some(index) => write!(out, "field#{index}"),
            None => write!(out, "label{}", self.0 >> KIND_SHIFT),
        }
    }
}

/// All references of a heap, by referrer.
#[derive(Debug, Default)]
pub struct References {
    offsets: Offsets,
    targets: Vec<ObjectIdx>,
    labels: Labels,
}

impl References {
    /// Sorts references by referrer (stable: the order among one referrer's is kept). `edges` may be any length below
    /// `u32::MAX`; both ends must be below `object_count`.
    pub(super) fn new(object_count: usize, edges: Vec<(ObjectIdx, ObjectIdx, Label)>) -> Self {
        let mut offsets = vec![0u32; object_count + 1];
        for (referrer, _, _) in &edges {
            offsets[referrer.at() + 1] += 1;
        }
        for at in 0..object_count {
            offsets[at + 1] += offsets[at];
        }
        let mut next = offsets.clone();
        let mut targets = vec![ObjectIdx(0); edges.len()];
        let mut labels = vec![Label::OTHER; edges.len()];
        for (referrer, referee, label) in edges {
            let at = next[referrer.at()] as usize;
            next[referrer.at()] += 1;
            targets[at] = referee;
            labels[at] = label;
        }
        Self { offsets: Offsets::new(&offsets), targets, labels: Labels::Whole(labels) }
    }

    /// Takes finished rows: `offsets` has one entry more than there are objects.
    pub(super) fn of_rows(offsets: &[u32], targets: Vec<u32>, labels: Vec<u32>) -> Self {
        let targets = targets.into_iter().map(ObjectIdx).collect();
        let labels = Labels::Whole(labels.into_iter().map(Label::of_bits).collect());
        Self { offsets: Offsets::new(offsets), targets, labels }
    }

    /// Takes finished rows with coded labels.
    pub(super) fn of_coded_rows(offsets: &[u32], targets: Vec<u32>, labels: Labels) -> Self {
        Self { offsets: Offsets::new(offsets), targets: targets.into_iter().map(ObjectIdx).collect(), labels }
    }

    /// Turns the length of each row (and one entry more) into its beginning; the last entry is the end of all rows.
    /// `None` if there are too many references.
    pub(super) fn offsets(mut degrees: Vec<u32>) -> Option<Vec<u32>> {
        let mut sum = 0u32;
        for degree in &mut degrees {
            let length = std::mem::replace(degree, sum);
            sum = sum.checked_add(length).filter(|&sum| sum < u32::MAX)?;
        }
        Some(degrees)
    }

    /// The references for which `keeps` is true.
    pub(super) fn filtered(&self, keeps: impl Fn(ObjectIdx, Label) -> bool) -> Self {
        let (mut offsets, mut targets, mut labels) =
            (Vec::with_capacity(self.offsets.row_count() + 1), Vec::new(), Vec::new());
        offsets.push(0);
        for referrer in (0..self.offsets.row_count() as u32).map(ObjectIdx) {
            for (referee, label) in self.labelled(referrer).filter(|&(referee, label)| keeps(referee, label)) {
                targets.push(referee);
                labels.push(label);
            }
            offsets.push(targets.len() as u32);
        }
        Self { offsets: Offsets::new(&offsets), targets, labels: Labels::Whole(labels) }
    }

    /// Number of references.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// All referees, row after row.
    pub fn all(&self) -> &[ObjectIdx] {
        &self.targets
    }

    /// Referees of one object, with repetitions if it refers to one several times.
    #[inline]
    pub fn of(&self, referrer: ObjectIdx) -> &[ObjectIdx] {
        &self.targets[self.offsets.range(referrer.at())]
    }

    /// Referees of one object with the labels.
    pub fn labelled(&self, referrer: ObjectIdx) -> impl ExactSizeIterator<Item = (ObjectIdx, Label)> + '_ {
        let range = self.offsets.range(referrer.at());
        self.targets[range.clone()].iter().copied().zip(self.labels.of_row(range))
    }
}
