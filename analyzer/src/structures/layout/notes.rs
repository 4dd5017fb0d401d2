//! Remarks on how descriptions and classes fit.

use crate::heap::ClassIdx;
use crate::structures::language::{Described, Position};

/// The number of a file's descriptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileCounts {
    /// The file's name.
    pub file: String,
    /// Whether it comes with the program.
    pub is_shipped: bool,
    /// Its descriptions.
    pub types: u64,
    /// Those of heads.
    pub heads: u64,
    /// Those whose type is in the heap.
    pub matched: u64,
}

/// A description by its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The described type.
    pub of: Described,
    /// Its file.
    pub file: String,
    /// Its position there.
    pub at: Position,
    /// Whether the file comes with the program.
    pub is_shipped: bool,
}

/// A description that does not count, because a later one is of the same type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The replaced description.
    pub earlier: Place,
    /// The one that counts.
    pub later: Place,
}

/// A class with the description of its nearest described superclass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inherited {
    /// The class.
    pub class: ClassIdx,
    /// The superclass.
    pub from: ClassIdx,
}

/// A pointed-to name that fits no class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// Its file.
    pub file: String,
    /// Its position there.
    pub at: Position,
    /// The name as written.
    pub name: String,
}

/// A description with the number of its objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// The description.
    pub place: Place,
    /// Whether these objects are heads.
    pub is_head: bool,
    /// Whether its type is in the heap.
    pub is_matched: bool,
    /// Objects that have it, by their own class or by inheritance.
    pub objects: u64,
}
