//! A heap in memory, for tests of the traversals: objects are numbers, each with its place, fields and slots.

use crate::probe::reading::reader::{HeapReader, Number};
use crate::probe::route::automaton::{Place, Route, Step};
use crate::random::Random;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub(in crate::probe) struct FakeHeap {
    /// Place and references of each object.
    pub(in crate::probe) objects: Vec<(usize, Vec<Option<usize>>)>,
    /// Objects that have been collected.
    pub(in crate::probe) collected: HashSet<usize>,
    /// Marks other than 0.
    pub(in crate::probe) marks: RefCell<HashMap<usize, i64>>,
    /// Candidate counters.
    pub(in crate::probe) numbers: Vec<Option<i64>>,
    /// Objects that a count has entered.
    pub(in crate::probe) entered: RefCell<HashSet<usize>>,
    /// Nothing can be marked for the time of a count.
    pub(in crate::probe) is_unmarkable: bool,
}

impl FakeHeap {
    pub(in crate::probe) fn add(&mut self, place: usize, references: Vec<Option<usize>>) -> usize {
        self.objects.push((place, references));
        self.objects.len() - 1
    }
}

impl HeapReader for FakeHeap {
    type Ref = usize;
    type Held = usize;

    fn field(&self, _place: usize, step: usize, object: &usize) -> Option<usize> {
        self.objects[*object].1[step]
    }
    fn length(&self, array: &usize) -> u32 {
        self.objects[*array].1.len() as u32
    }
    fn element(&self, array: &usize, index: u32) -> Option<usize> {
        self.objects[*array].1[index as usize]
    }
    fn admits(&self, place: usize, object: &usize) -> bool {
        self.objects[*object].0 == place
    }
    fn same(&self, one: &usize, other: &usize) -> bool {
        one == other
    }
    fn duplicate(&self, object: &usize) -> Option<usize> {
        Some(*object)
    }
    fn hold(&self, object: &usize) -> Option<usize> {
        Some(*object)
    }
    fn recall(&self, held: &usize) -> Option<usize> {
        (!self.collected.contains(held)).then_some(*held)
    }
    fn number(&self, counter: usize, _owner: &usize) -> Option<Number> {
        Some(Number { value: (*self.numbers.get(counter)?)?, reads: 1 })
    }
    fn mark(&self, object: &usize) -> i64 {
        self.marks.borrow().get(object).copied().unwrap_or(0)
    }
    fn set_mark(&self, object: &usize, mark: i64) -> bool {
        let mut marks = self.marks.borrow_mut();
        if mark == 0 {
            marks.remove(object)
        } else {
            marks.insert(*object, mark)
        };
        true
    }
    fn is_entered(&self, object: &usize) -> bool {
        self.entered.borrow().contains(object)
    }
    fn set_entered(&self, object: &usize, is_entered: bool) -> bool {
        let mut entered = self.entered.borrow_mut();
        if is_entered {
            entered.insert(*object)
        } else {
            entered.remove(object)
        };
        !self.is_unmarkable
    }
}

pub(in crate::probe) fn step(is_array: bool, to: usize) -> Step {
    Step { is_array, slot: None, to: vec![to] }
}

/// Owner, table, nodes in buckets: a `HashMap`.
pub(in crate::probe) fn map(buckets: usize, members: usize) -> (FakeHeap, Route, usize) {
    let place = |counts, steps| Place { counts, steps };
    let places =
        vec![place(false, vec![step(false, 1)]), place(false, vec![step(true, 2)]), place(true, vec![step(false, 2)])];
    let (mut heap, mut random) = (FakeHeap::default(), Random::new(3));
    let mut table = vec![None; buckets];
    for _ in 0..members {
        let bucket = random.below(buckets);
        table[bucket] = Some(heap.add(2, vec![table[bucket]]));
    }
    let table = heap.add(1, table);
    let owner = heap.add(0, vec![Some(table)]);
    (heap, Route::new(places), owner)
}

/// Owner and a chain of nodes 0, 1, 2 …; the last one's link leads to the first, or nowhere.
pub(in crate::probe) fn chain(nodes: usize, is_circle: bool) -> (FakeHeap, Route, usize) {
    let places =
        vec![Place { counts: false, steps: vec![step(false, 1)] }, Place { counts: true, steps: vec![step(false, 1)] }];
    let mut heap = FakeHeap::default();
    for node in 0..nodes {
        let next = if node + 1 < nodes { Some(node + 1) } else { is_circle.then_some(0) };
        heap.add(1, vec![next]);
    }
    let owner = heap.add(0, vec![Some(0)]);
    (heap, Route::new(places), owner)
}

/// Owner, array, members next to it: a list or a ring. Its member at `slot` is `heap.objects[array].1[slot]`.
pub(in crate::probe) fn list(slots: usize, members: usize) -> (FakeHeap, Route, usize) {
    let place = |counts, steps| Place { counts, steps };
    let places = vec![place(false, vec![step(false, 1)]), place(false, vec![step(true, 2)]), place(true, vec![])];
    let mut heap = FakeHeap::default();
    let mut array = vec![None; slots];
    for slot in &mut array[..members] {
        *slot = Some(heap.add(2, vec![]));
    }
    let array = heap.add(1, array);
    let owner = heap.add(0, vec![Some(array)]);
    (heap, Route::new(places), owner)
}
