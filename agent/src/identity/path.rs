//! The walk along the paths of a plan, depth first and without recursion. It reads a reference, checks that the object
//! has exactly the class in the plan, marks it, and goes on. An object that moved elsewhere since the plan was made is
//! missed, never guessed.

use super::pace::Pace;
use super::plan::Tree;
use rootbound_wire::message::{MarkStep, PathVia};

/// Most references held at a time: objects on the path to the present one that have further children. The last child of
/// a step has the most reads, so each held object halves those that are left: fewer are held than a `u64` has bits.
pub const MOST_HELD: usize = 64;

/// Reads of the heap that the walk may do. The JVM implements it with JNI reads, the tests with a heap of their own.
pub trait PathReader {
    /// A reference that keeps its object alive for the moment.
    type Ref;

    /// The object where a path begins ([`PathVia::Class`], [`PathVia::Thread`]); `None` when it is gone.
    fn begin(&self, via: PathVia) -> Option<Self::Ref>;
    /// Reads a field of the plan; `None` when the object has no such field, for null and for any failure.
    fn field(&self, field: u32, object: &Self::Ref) -> Option<Self::Ref>;
    /// One element of an object that has exactly the class `class` of the plan; `None` unless that is an array of
    /// references, beyond its end, for null and for any failure.
    fn element(&self, class: u32, array: &Self::Ref, index: u32) -> Option<Self::Ref>;
    /// Whether the object's class is exactly this one of the plan.
    fn is_exactly(&self, class: u32, object: &Self::Ref) -> bool;
}

/// Where a step begins: an object and its exact class.
type Place<'r, R> = (&'r <R as PathReader>::Ref, u32);

/// Takes one step; `None` when it leads elsewhere, or when reading is over.
pub fn arrive<R: PathReader>(
    reader: &R,
    pace: &mut Pace<'_>,
    step: &MarkStep,
    from: Option<Place<'_, R>>,
) -> Option<R::Ref> {
    if !pace.may_read() {
        return None;
    }
    let object = match (step.via, from) {
        (PathVia::Class(_) | PathVia::Thread(_) | PathVia::OnlyInstance(_) | PathVia::Local { .. }, _) => {
            reader.begin(step.via)
        }
        (PathVia::Field { field, times }, Some((object, _))) => follow(reader, pace, field, times, object),
        (PathVia::Element(index), Some((array, class))) => reader.element(class, array, index),
        (_, None) => None,
    }?;
    reader.is_exactly(step.class, &object).then_some(object)
}

fn follow<R: PathReader>(reader: &R, pace: &mut Pace<'_>, field: u32, times: u32, object: &R::Ref) -> Option<R::Ref> {
    let mut at = reader.field(field, object)?;
    for _ in 1..times {
        if !pace.may_read() {
            return None;
        }
        at = reader.field(field, &at)?;
    }
    Some(at)
}

/// An object that has children left to go to.
struct Pending<'t, O> {
    object: O,
    class: u32,
    children: &'t [u32],
}

/// Walks all paths and calls `mark` with each object that is to get a number; `mark` returns whether it took it.
/// Returns the numbers that were not taken, ascending.
pub fn walk<R: PathReader>(
    reader: &R,
    tree: &Tree<'_>,
    pace: &mut Pace<'_>,
    mut mark: impl FnMut(&R::Ref, u32) -> bool,
) -> Vec<u32> {
    let steps = &tree.plan().steps;
    let mut is_set = vec![false; steps.len()];
    let mut stack: Vec<Pending<'_, R::Ref>> = Vec::new();
    for &root in tree.roots() {
        let mut next = Some((root, arrive(reader, pace, &steps[root as usize], None)));
        while let Some((number, arrived)) = next {
            if let Some(object) = arrived {
                let (step, children) = (&steps[number as usize], tree.children(number));
                is_set[number as usize] = step.mark != 0 && mark(&object, step.mark);
                if !children.is_empty() {
                    stack.push(Pending { object, class: step.class, children });
                }
            }
            next = go_on(reader, pace, steps, &mut stack);
        }
    }
    let missed = steps.iter().zip(is_set).filter(|(step, is_set)| step.mark != 0 && !is_set).map(|(step, _)| step.mark);
    let mut missed: Vec<u32> = missed.collect();
    missed.sort_unstable();
    missed
}

/// The next child of the object on top; an object is released with its last child, so that a chain holds but one.
fn go_on<R: PathReader>(
    reader: &R,
    pace: &mut Pace<'_>,
    steps: &[MarkStep],
    stack: &mut Vec<Pending<'_, R::Ref>>,
) -> Option<(u32, Option<R::Ref>)> {
    let top = stack.last_mut()?;
    let (&child, rest) = top.children.split_first()?;
    top.children = rest;
    let arrived = arrive(reader, pace, &steps[child as usize], Some((&top.object, top.class)));
    if rest.is_empty() {
        stack.pop();
    }
    Some((child, arrived))
}
