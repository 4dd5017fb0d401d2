//! A heap in memory that the program changes while it is read, for tests: `change` runs after a fixed number of reads.

use super::fake_heap::FakeHeap;
use crate::probe::reading::reader::{HeapReader, Number};
use std::cell::{Cell, Ref, RefCell};

pub(in crate::probe) struct Restless<F> {
    pub(in crate::probe) heap: RefCell<FakeHeap>,
    change: RefCell<F>,
    /// Reads between two changes.
    pub(in crate::probe) every: Cell<u32>,
    reads: Cell<u32>,
}

impl<F: FnMut(&mut FakeHeap)> Restless<F> {
    pub(in crate::probe) fn new(heap: FakeHeap, every: u32, change: F) -> Self {
        Self { heap: RefCell::new(heap), change: RefCell::new(change), every: Cell::new(every), reads: Cell::new(0) }
    }

    /// Lets the program change the heap so often.
    pub(in crate::probe) fn run(&self, changes: u32) {
        for _ in 0..changes {
            (self.change.borrow_mut())(&mut self.heap.borrow_mut());
        }
    }

    fn read(&self) -> Ref<'_, FakeHeap> {
        self.reads.set(self.reads.get() + 1);
        if self.reads.get().is_multiple_of(self.every.get()) {
            self.run(1);
        }
        self.heap.borrow()
    }
}

impl<F: FnMut(&mut FakeHeap)> HeapReader for Restless<F> {
    type Ref = usize;
    type Held = usize;

    fn field(&self, place: usize, step: usize, object: &usize) -> Option<usize> {
        self.read().field(place, step, object)
    }
    fn length(&self, array: &usize) -> u32 {
        self.heap.borrow().length(array)
    }
    fn element(&self, array: &usize, index: u32) -> Option<usize> {
        self.read().element(array, index)
    }
    fn admits(&self, place: usize, object: &usize) -> bool {
        self.heap.borrow().admits(place, object)
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
        self.heap.borrow().recall(held)
    }
    fn number(&self, counter: usize, owner: &usize) -> Option<Number> {
        self.read().number(counter, owner)
    }
    fn mark(&self, object: &usize) -> i64 {
        self.heap.borrow().mark(object)
    }
    fn set_mark(&self, object: &usize, mark: i64) -> bool {
        self.heap.borrow().set_mark(object, mark)
    }
    fn is_entered(&self, object: &usize) -> bool {
        self.heap.borrow().is_entered(object)
    }
    fn set_entered(&self, object: &usize, is_entered: bool) -> bool {
        self.heap.borrow().set_entered(object, is_entered)
    }
}
