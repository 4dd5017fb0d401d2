//! Marks, and the paths that lead to what is to be marked.

use crate::ids::ObjectId;
use serde::{Deserialize, Serialize};

/// Which objects to mark and how to reach them: a tree of steps, of which each begins where its parent arrived.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarkPlan {
    /// Mirrors of the classes that steps name.
    pub classes: Vec<ObjectId>,
    /// The fields that steps name.
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
    /// The step whose object this one begins at; unused by [`PathVia::Class`] and [`PathVia::Thread`].
    pub parent: u32,
    /// What is read.
    pub via: PathVia,
    /// The class that the object arrived at must have, exactly (index into [`MarkPlan::classes`]); a step that arrives
    /// at another, or at nothing, is missed with all that begin at it.
    pub class: u32,
    /// Number of the mark to set there, from 1 on; 0: none.
    pub mark: u32,
}

/// Most objects of one class among local variables that are told apart.
pub const MOST_ALIKE_LOCALS: u32 = 8;

/// What a step of a path reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PathVia {
    /// Nothing: the path begins at the mirror of a class (index into [`MarkPlan::classes`]).
    Class(u32),
    /// Nothing: the path begins at a thread of the capture.
    Thread(ObjectId),
    /// Nothing: the path begins at the only instance of a class (index into [`MarkPlan::classes`]). For structures that
    /// hang from local variables or JNI references alone. Finding it takes an iteration over the heap, which stops the
    /// program; all such steps of one message share it.
    Sole(u32),
    /// A field (index into [`MarkPlan::fields`]), so many times in a row (at least once).
    Field {
        /// Which.
        field: u32,
        /// How many times; all but the last arrive at objects that have the field as well.
        times: u32,
    },
    /// One element of an array of references.
    Element(u32),
    /// Nothing: the path begins at an object that a local variable of a Java frame refers to. Finding it takes a look at all
    /// stacks, which stops the program for less than a walk over the heap; all such steps of one message share it.
    Local {
        /// Its class, exactly (index into [`MarkPlan::classes`]).
        class: u32,
        /// Which of the different objects of that class that local variables refer to, in the order of the JVM's roots, from 0.
        nth: u32,
        /// How many there are; where there are more or fewer by now, it is not found. At most [`MOST_ALIKE_LOCALS`].
        of: u32,
    },
}
