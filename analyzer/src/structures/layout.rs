//! The descriptions joined with the classes of one heap (AntTracks §3.2.1, §3.2.2): for every type whether it is a
//! head, and for every pair of types whether a structure goes on from the one to the other.
//!
//! Reading order: [`Layout`], `join` (how it is made), [`notes`] (its remarks).

use super::language::Language;
use crate::graph::BitSet;
use crate::heap::{ClassIdx, Classes, Heap, Label, ObjectIdx};
use join::Joining;

mod join;
mod notes;

pub use notes::{FileCounts, Inherited, Place, Replaced, Unfit, Used};

/// A type that may have a description: a class, or the mirror of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeIdx(u32);

impl TypeIdx {
    /// The index into a column.
    #[inline]
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

/// How a structure goes on at a reference (AntTracks §3.2.3), in reverse order of the paper's branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// Branch 4: the object is no part of the structure.
    Outside,
    /// Branch 2: it is a part, and the structure goes on behind it.
    Follow,
    /// Branch 3: it is a part, and the structure ends there.
    Leaf,
    /// Branch 1: it is the head of another structure and a leaf of this one.
    Head,
}

/// Choices of a layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayoutOptions {
    /// Subclasses of described classes have no description of their own, as in the paper. Otherwise they inherit it.
    pub exact_types: bool,
}

/// One description with its pointed-to types as sets of classes.
#[derive(Debug)]
struct Compiled {
    is_head: bool,
    followed: TypeSet,
    leaves: TypeSet,
}

/// A set of classes.
#[derive(Debug)]
enum TypeSet {
    None,
    All,
    Some(BitSet),
}

impl TypeSet {
    #[inline]
    fn contains(&self, class: usize) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Some(set) => set.contains(class),
        }
    }
}

/// The description of objects that have none, without pointed-to types (AntTracks §3.2.1).
const DUMMY: u32 = 0;
/// The description of arrays of references: every element is followed (AntTracks §3.2.1).
const ARRAY_DUMMY: u32 = 1;

/// The class of mirrors.
const CLASS: &str = "java.lang.Class";
/// The class whose fields are the collector's (`java.lang.ref`): they belong to no structure.
const REFERENCE: &str = "java.lang.ref.Reference";

/// The descriptions of all types of one heap.
#[derive(Debug)]
pub struct Layout {
    class_count: u32,
    /// The class of mirrors.
    mirrors: u32,
    compiled: Vec<Compiled>,
    /// By type: its description.
    of_type: Vec<u32>,
    /// By class: whether some fields of its instances are those of a reference object.
    is_reference: BitSet,
    files: Vec<FileCounts>,
    replaced: Vec<Replaced>,
    unmatched: Vec<Place>,
    unfit: Vec<Unfit>,
    inherited: Vec<Inherited>,
    /// By compiled description: its place.
    places: Vec<Option<Place>>,
}

impl Layout {
    /// Joins the descriptions with the classes of a heap. Of two descriptions of one type the later one counts.
    pub fn new(language: &Language, heap: &Heap, options: LayoutOptions) -> Self {
        let mut joining = Joining::new(language, heap.classes());
        joining.assign();
        if !options.exact_types {
            joining.inherit();
        }
        joining.done()
    }

    /// The type of an object.
    #[inline]
    pub fn type_of(&self, heap: &Heap, object: ObjectIdx) -> TypeIdx {
        let class = heap.class_of(object).0;
        if class != self.mirrors {
            return TypeIdx(class);
        }
        heap.class_of_mirror(object).map_or(TypeIdx(class), |of| TypeIdx(self.class_count + of.0))
    }

    /// The class of a type's objects, and for a mirror `java.lang.Class`.
    #[inline]
    pub fn class_of(&self, of: TypeIdx) -> ClassIdx {
        ClassIdx(if of.0 < self.class_count { of.0 } else { self.mirrors })
    }

    /// Whether objects of the type are heads of structures.
    #[inline]
    pub fn is_head(&self, of: TypeIdx) -> bool {
        self.compiled(of).is_head
    }

    /// Whether the type has any pointed-to type. Objects of a type without one are always leaves.
    #[inline]
    pub fn has_pointed_to(&self, of: TypeIdx) -> bool {
        let compiled = self.compiled(of);
        !matches!((&compiled.followed, &compiled.leaves), (TypeSet::None, TypeSet::None))
    }

    /// How a structure goes on at a reference between objects of these types.
    #[inline]
    pub fn branch(&self, from: TypeIdx, to: TypeIdx) -> Branch {
        let (described, class) = (self.compiled(from), self.class_of(to).at());
        let is_followed = described.followed.contains(class);
        match is_followed || described.leaves.contains(class) {
            false => Branch::Outside,
            true if self.is_head(to) => Branch::Head,
            true if is_followed => Branch::Follow,
            true => Branch::Leaf,
        }
    }

    /// Whether a reference is one of the structure: an instance field or an element. Fields that
    /// `java.lang.ref.Reference` declares are none, and static fields are only for mirrors with a description.
    #[inline]
    pub fn is_pointer(&self, heap: &Heap, from: ObjectIdx, label: Label) -> bool {
        if label.is_element() {
            return true;
        }
        let class = heap.class_of(from);
        if label.is_instance_field() {
            return !self.is_reference.contains(class.at()) || !is_of_reference(heap.classes(), class, label);
        }
        label.is_static_field() && self.of_type[self.type_of(heap, from).at()] != DUMMY
    }

    /// Each file of the language with its counts.
    pub fn files(&self) -> &[FileCounts] {
        &self.files
    }

    /// Descriptions that a later one of the same type replaced.
    pub fn replaced(&self) -> &[Replaced] {
        &self.replaced
    }

    /// Descriptions whose type is not in the heap.
    pub fn unmatched(&self) -> &[Place] {
        &self.unmatched
    }

    /// Pointed-to names in files of the user that fit no class.
    pub fn unfit(&self) -> &[Unfit] {
        &self.unfit
    }

    /// Every description with the number of objects that have it; one look at each object.
    pub fn used(&self, heap: &Heap) -> Vec<Used> {
        let mut objects = vec![0; self.compiled.len()];
        heap.objects().for_each(|object| objects[self.of_type[self.type_of(heap, object).at()] as usize] += 1);
        let of_compiled = self.places.iter().zip(&self.compiled).zip(objects);
        let matched = of_compiled.filter_map(|((place, compiled), objects)| {
            let (place, is_head) = (place.clone()?, compiled.is_head);
            Some(Used { place, is_head, is_matched: true, objects })
        });
        let unmatched = self.unmatched.iter().map(|place| {
            let place = place.clone();
            Used { place, is_head: false, is_matched: false, objects: 0 }
        });
        let mut all: Vec<Used> = matched.chain(unmatched).collect();
        all.sort_by(|one, other| (&one.place.file, one.place.at).cmp(&(&other.place.file, other.place.at)));
        all
    }

    /// Classes that have the description of a superclass.
    pub fn inherited(&self) -> &[Inherited] {
        &self.inherited
    }

    #[inline]
    fn compiled(&self, of: TypeIdx) -> &Compiled {
        &self.compiled[self.of_type[of.at()] as usize]
    }
}

/// Whether `java.lang.ref.Reference` declares the field of a label.
fn is_of_reference(classes: &Classes, class: ClassIdx, label: Label) -> bool {
    classes.field(class, label).is_some_and(|field| classes.get(field.declaring).name == REFERENCE)
}

#[cfg(test)]
mod tests;
