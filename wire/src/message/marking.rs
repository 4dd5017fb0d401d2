//! Marks, and the paths to the objects to be marked.

use crate::ids::ObjectId;
use serde::{Deserialize, Serialize};

/// The objects to mark and the paths to them: a tree of steps, of which each begins where its parent arrived.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarkPlan {
    /// Mirrors of the classes in steps.
    pub classes: Vec<ObjectId>,
    /// The fields in steps.
    pub fields: Vec<PathField>,
    /// The steps; a parent stands before its children.
    pub steps: Vec<MarkStep>,
}

/// A field on a path, by its declaring class (index into [`MarkPlan::classes`]), name and descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathField {
    /// Class that declares it.
    pub declaring: u32,
    /// Its name.
    pub name: String,
    /// Its JVM descriptor.
    pub descriptor: String,
    /// Whether it is static.
    pub is_static: bool,
}

/// One step of a [`MarkPlan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkStep {
    /// Index of the step at whose object this one begins; unused by [`PathVia::Class`] and [`PathVia::Thread`].
    pub parent: u32,
    /// The reference that it reads.
    pub via: PathVia,
    /// The exact class of the object it arrives at (index into [`MarkPlan::classes`]). A step that arrives at an object
    /// of another class, or at none, is missed with all that begin at it.
    pub class: u32,
    /// Number of the mark to set there, from 1 on; 0: none.
    pub mark: u32,
}

/// Most objects of one class among local variables that are distinguished.
pub const MOST_ALIKE_LOCALS: u32 = 8;

/// The reference that a step of a path reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PathVia {
    /// No reference: the path begins at the mirror of a class (index into [`MarkPlan::classes`]).
    Class(u32),
    /// No reference: the path begins at a thread of the capture.
    Thread(ObjectId),
    /// No reference: the path begins at the only instance of a class (index into [`MarkPlan::classes`]). For structures
    /// that only local variables or JNI references hold. Finding it takes an iteration over the heap, which pauses the
    /// program; all such steps of one message share it.
    OnlyInstance(u32),
    /// A field (index into [`MarkPlan::fields`]), read `times` times in a row (at least once).
    Field {
        /// Index of the field.
        field: u32,
        /// Number of reads; all but the last arrive at objects that have the field as well.
        times: u32,
    },
    /// One element of an array of references.
    Element(u32),
    /// No reference: the path begins at an object that a local variable of a Java frame refers to. Finding it takes a
    /// walk over all stacks, which pauses the program for less time than a walk over the heap. All such steps of one
    /// message share it.
    Local {
        /// Its exact class (index into [`MarkPlan::classes`]).
        class: u32,
        /// Index of the object among the different objects of that class that local variables refer to, in the order of
        /// the JVM's roots, from 0.
        nth: u32,
        /// Number of these objects. If there are more or fewer by now, the object is not found. At most
        /// [`MOST_ALIKE_LOCALS`].
        of: u32,
    },
}
