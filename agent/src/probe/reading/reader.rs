//! The heap operations of a visit. The JVM implements them with JNI reads, the tests with a heap of their own.

/// The value of a candidate counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its value, or the sum of its parts.
    pub value: i64,
    /// Objects read for it.
    pub reads: u32,
}

/// Reads references of a structure that the program may be changing at the same time.
pub trait HeapReader {
    /// A reference that keeps its object alive for the moment.
    type Ref;
    /// A reference that does not keep its object alive.
    type Held;

    /// Reads step `step` of `place` from an object that was admitted there; `None` for null and for any failure.
    fn field(&self, place: usize, step: usize, object: &Self::Ref) -> Option<Self::Ref>;
    /// Length of an array.
    fn length(&self, array: &Self::Ref) -> u32;
    /// One slot of an array; `None` for null and for any failure.
    fn element(&self, array: &Self::Ref, index: u32) -> Option<Self::Ref>;
    /// Whether an object may stand at `place`: the check that makes reading its fields sound.
    fn admits(&self, place: usize, object: &Self::Ref) -> bool;
    /// Whether both are one object.
    fn same(&self, one: &Self::Ref, other: &Self::Ref) -> bool;
    /// A second reference to the same object.
    fn duplicate(&self, object: &Self::Ref) -> Option<Self::Ref>;
    /// Turns a reference into a weak one.
    fn hold(&self, object: &Self::Ref) -> Option<Self::Held>;
    /// The object again, unless it has been collected.
    fn recall(&self, held: &Self::Held) -> Option<Self::Ref>;
    /// The value of the probe's candidate counter `counter`; `None` when a reference on the path to it is missing.
    fn number(&self, counter: usize, owner: &Self::Ref) -> Option<Number>;
    /// The mark that the agent gave the object; 0 when it bears none.
    fn mark(&self, object: &Self::Ref) -> i64;
    /// Sets a mark on the object; 0 removes it. `false` when that is not possible.
    fn set_mark(&self, object: &Self::Ref, mark: i64) -> bool;
    /// Whether the running count has entered the object.
    fn is_entered(&self, object: &Self::Ref) -> bool;
    /// Records that the count has entered the object, or removes the record. `false` when that is not possible. No
    /// record remains after the visit, and no member's mark is touched.
    fn set_entered(&self, object: &Self::Ref, is_entered: bool) -> bool;
}
