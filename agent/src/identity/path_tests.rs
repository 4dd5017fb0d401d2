//! Paths over a heap of the tests' own: the objects reached, missed, and never read.

use super::pace::Pace;
use super::path::{MOST_HELD, PathReader, arrive, walk};
use super::plan::Tree;
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{MarkPlan, MarkStep, PathField, PathVia};
use std::cell::Cell;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);

const CHAIN_CLASS: u32 = 0;
const ARRAY_CLASS: u32 = 1;

/// Object `n` of the chain refers to `n + 1`, up to `length`; every tenth is an array of the ten that follow.
struct Chain {
    length: u32,
    held: Cell<usize>,
    most_held: Cell<usize>,
}

/// A reference that is counted while it is held.
struct Held<'c>(u32, &'c Chain);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.1.held.set(self.1.held.get() - 1);
    }
}

impl<'c> Chain {
    fn new(length: u32) -> Self {
        Self { length, held: Cell::new(0), most_held: Cell::new(0) }
    }

    fn at(&'c self, object: u32) -> Option<Held<'c>> {
        if object >= self.length {
            return None;
        }
        self.held.set(self.held.get() + 1);
        self.most_held.set(self.most_held.get().max(self.held.get()));
        Some(Held(object, self))
    }
}

impl<'c> PathReader for &'c Chain {
    type Ref = Held<'c>;

    fn begin(&self, via: PathVia) -> Option<Held<'c>> {
        match via {
            PathVia::Class(_) => self.at(0),
            _ => None,
        }
    }

    fn field(&self, _: u32, object: &Held<'c>) -> Option<Held<'c>> {
        self.at(object.0 + 1)
    }

    fn element(&self, class: u32, array: &Held<'c>, index: u32) -> Option<Held<'c>> {
        assert!(self.is_exactly(class, array));
        if class == ARRAY_CLASS && index < 10 { self.at(array.0 + index) } else { None }
    }

    fn is_exactly(&self, class: u32, object: &Held<'c>) -> bool {
        class == u32::from(object.0.is_multiple_of(10))
    }
}

fn step(parent: u32, via: PathVia, class: u32, mark: u32) -> MarkStep {
    MarkStep { parent, via, class, mark }
}

fn next(times: u32) -> PathVia {
    PathVia::Field { field: 0, times }
}

fn plan(steps: Vec<MarkStep>) -> MarkPlan {
    let field = PathField { declaring: 0, name: "next".to_owned(), descriptor: "LN;".to_owned(), is_static: false };
    MarkPlan { classes: vec![ObjectId(1), ObjectId(2)], fields: vec![field], steps }
}

/// The marks set, as (object, number), the missed ones and the number of reads.
fn walked(chain: &Chain, steps: Vec<MarkStep>, most: u64) -> (Vec<(u32, u32)>, Vec<u32>, u64) {
    let (plan, mut marks, mut pace) = (plan(steps), Vec::new(), Pace::new(most, HOUR, &|| false));
    let tree = Tree::check(&plan).unwrap();
    let missed = walk(&chain, &tree, &mut pace, |object, number| {
        marks.push((object.0, number));
        true
    });
    assert_eq!(chain.held.get(), 0, "every reference is let go");
    (marks, missed, pace.reads())
}

const ROOT: MarkStep = MarkStep { parent: 0, via: PathVia::Class(0), class: ARRAY_CLASS, mark: 0 };

#[test]
fn the_tree_is_walked_and_a_moved_object_is_missed_with_all_below() {
    let steps = vec![
        ROOT,
        step(0, PathVia::Element(3), CHAIN_CLASS, 9),
        step(1, next(7), ARRAY_CLASS, 2),
        step(1, next(6), ARRAY_CLASS, 3), // arrives at object 9, which is no array
        step(3, next(1), ARRAY_CLASS, 4),
        step(1, PathVia::Element(0), CHAIN_CLASS, 5), // begins at no array
        step(0, PathVia::Element(10), CHAIN_CLASS, 6),
        step(0, PathVia::Thread(ObjectId(3)), CHAIN_CLASS, 7),
        step(0, next(40), CHAIN_CLASS, 8), // the chain ends before
        step(2, next(1), CHAIN_CLASS, 1),
    ];
    let (mut marks, missed, _) = walked(&Chain::new(30), steps, 1000);
    marks.sort_unstable();
    assert_eq!(marks, [(3, 9), (10, 2), (11, 1)]);
    assert_eq!(missed, [3, 4, 5, 6, 7, 8]);
}

#[test]
fn a_long_path_holds_few_references_and_so_does_one_with_branches() {
    let chain = Chain::new(100_000);
    let class = |object: u32| u32::from(object.is_multiple_of(10));
    let mut steps = vec![ROOT];
    steps.extend((1..100_000).map(|object| step(object - 1, next(1), class(object), object)));
    let (marks, missed, reads) = walked(&chain, steps, u64::MAX);
    assert_eq!((marks.len(), missed.len(), reads), (99_999, 0, 100_000));
    assert!(chain.most_held.get() <= 3, "{}", chain.most_held.get());

    // Every object has one more child, of one read, or of many that miss.
    for times in [1, 200_000] {
        let mut steps = vec![ROOT];
        for object in 1..6000 {
            let parent = if object == 1 { 0 } else { 2 * object - 3 };
            steps.extend([step(parent, next(1), class(object), object), step(parent, next(times), 0, 0)]);
        }
        let (marks, missed, _) = walked(&chain, steps, u64::MAX);
        assert_eq!((marks.len(), missed.len()), (5999, 0));
        assert!(chain.most_held.get() <= MOST_HELD, "{}", chain.most_held.get());
    }
}

#[test]
fn reads_are_bounded_in_all_and_the_end_of_the_longest_branch_is_missed_first() {
    let steps = vec![ROOT, step(0, next(500), ARRAY_CLASS, 1), step(0, next(30), ARRAY_CLASS, 2)];
    let chain = Chain::new(1000);
    assert_eq!(walked(&chain, steps.clone(), 1000), (vec![(30, 2), (500, 1)], vec![], 531));
    assert_eq!(walked(&chain, steps.clone(), 510), (vec![(30, 2)], vec![1], 510));
    assert_eq!(walked(&chain, steps, 20), (vec![], vec![1, 2], 20));
}

#[test]
fn an_unwanted_walk_ends() {
    let chain = Chain::new(u32::MAX);
    let plan = plan(vec![ROOT, step(0, next(u32::MAX), ARRAY_CLASS, 1)]);
    let tree = Tree::check(&plan).unwrap();
    let mut pace = Pace::new(u64::MAX, HOUR, &|| true);
    assert_eq!(walk(&&chain, &tree, &mut pace, |_, _| true), [1]);
    assert!(pace.is_interrupted());
    assert!(arrive(&&chain, &mut pace, &ROOT, None).is_none());
}
