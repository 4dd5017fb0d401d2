//! Generated programs: a few thousand objects of caches in flux, pools, warm-up, shared strings and threads at work,
//! and leaks of known place and shape among them.
#![allow(dead_code)] // Each test uses its part.

pub mod judged;
pub mod twin;

use super::random::Random;
use rootbound::heap::ObjectIdx;
use rootbound::heap::dsl::HeapSketch;
use std::collections::HashSet;
use twin::Twin;

/// How a structure holds its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    ArrayList,
    HashMap,
    SinglyLinked,
    DoublyLinked,
    Tree,
    MapOfLists,
}

/// What holds a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Anchor {
    /// A static field of a class.
    Static,
    /// A field of an object that a static field holds.
    Service,
    /// A field of an object that several others know.
    SeveralParents,
    /// A local variable alone.
    StackLocal,
}

const SHAPES: [Shape; 6] =
    [Shape::ArrayList, Shape::HashMap, Shape::SinglyLinked, Shape::DoublyLinked, Shape::Tree, Shape::MapOfLists];
const ANCHORS: [Anchor; 4] = [Anchor::Static, Anchor::Service, Anchor::SeveralParents, Anchor::StackLocal];

/// A leak whose place is known.
#[derive(Debug)]
pub struct Leak {
    pub shape: Shape,
    pub anchor: Anchor,
    /// Members that came since the mark.
    pub grown: usize,
    /// Everything that belongs to the structure: holder, head, tables, nodes, members and theirs.
    pub parts: HashSet<ObjectIdx>,
}

/// A program in the making.
pub struct Program {
    heap: Twin,
    random: Random,
    /// Factor of the sizes of structures.
    scale: usize,
    strings: Vec<ObjectIdx>,
    structures: usize,
    /// Objects of the structure in the making.
    parts: HashSet<ObjectIdx>,
}

impl Program {
    /// A whole program, with one or two leaks.
    pub fn generate(seed: u64) -> (HeapSketch, Vec<Leak>) {
        let (twin, leaks) = Self::twin(seed, 1);
        (twin.now, leaks)
    }

    /// The same, also as it was before, with structures that are `scale` times as large.
    pub fn twin(seed: u64, scale: usize) -> (Twin, Vec<Leak>) {
        let mut program = Self {
            heap: Twin::default(),
            random: Random::new(seed),
            scale,
            strings: Vec::new(),
            structures: 0,
            parts: HashSet::new(),
        };
        program.shared_strings();
        program.some(3, Self::cache_in_flux);
        program.some(4, Self::pool);
        program.some(4, Self::warm_up);
        program.some(6, Self::thread_at_work);
        let leaks = (0..1 + program.random.below(2)).map(|_| program.leak()).collect();
        program.some(2, Self::cache_in_flux);
        (program.heap, leaks)
    }

    fn some(&mut self, most: usize, make: fn(&mut Self)) {
        for _ in 0..1 + self.random.below(most) {
            make(self);
        }
    }

    fn shared_strings(&mut self) {
        let array = self.heap.old("java.lang.Object[]");
        self.heap.static_field("Names", "all", array);
        for _ in 0..50 {
            let string = self.string(false);
            self.heap.element(array, string);
            self.strings.push(string);
        }
    }

    /// Replaces its members: some are new, no more than it has lost.
    fn cache_in_flux(&mut self) {
        let members = (50 + self.random.below(300)) * self.scale;
        let turnover = 5 + self.random.below(15);
        let ages = (0..members).map(|_| self.random.percent(turnover)).collect::<Vec<bool>>();
        self.heap.replaces = true;
        self.structure("CachedPage", &ages);
        self.heap.replaces = false;
    }

    /// Was filled long ago; now and then one of its members is replaced.
    fn pool(&mut self) {
        let mut ages = vec![false; 10 + self.random.below(40)];
        if self.random.percent(30) {
            ages[0] = true;
        }
        self.heap.replaces = true;
        self.structure("Connection", &ages);
        self.heap.replaces = false;
    }

    /// Came into being as a whole, when it was first needed.
    fn warm_up(&mut self) {
        let ages = vec![true; (20 + self.random.below(200)) * self.scale];
        let anchor = self.anchor_of_noise();
        let holder = self.holder(anchor);
        let kind = self.any_shape(true);
        let head = self.fill(kind, &ages, "Descriptor");
        self.heap.refer(holder, "lazy", head);
    }

    /// A request in progress: new objects on a stack, among them some that caches do not hold.
    fn thread_at_work(&mut self) {
        self.heap.replaces = true;
        let thread = self.heap.old("java.lang.Thread");
        self.heap.thread(thread, "worker");
        let request = self.heap.fresh("Request");
        self.heap.local(request);
        let ages = vec![true; self.random.below(30)];
        let kind = self.any_shape(true);
        let head = self.fill(kind, &ages, "Parameter");
        self.heap.refer(request, "parameters", head);
        self.heap.replaces = false;
    }

    fn structure(&mut self, member: &str, ages: &[bool]) {
        let anchor = self.anchor_of_noise();
        let holder = self.holder(anchor);
        let kind = self.any_shape(false);
        let head = self.fill(kind, ages, member);
        self.heap.refer(holder, "members", head);
    }

    fn anchor_of_noise(&mut self) -> Anchor {
        ANCHORS[self.random.below(3)]
    }

    fn leak(&mut self) -> Leak {
        let (shape, anchor) = (SHAPES[self.random.below(SHAPES.len())], ANCHORS[self.random.below(ANCHORS.len())]);
        let before = (10 + self.random.below(150)) * self.scale;
        let grown = (20 + self.random.below(250)) * self.scale;
        let ages: Vec<bool> = (0..before + grown).map(|at| at >= before).collect();
        self.parts.clear();
        let holder = self.holder(anchor);
        let head = self.fill((shape, false), &ages, "Order");
        self.heap.refer(holder, "orders", head);
        Leak { shape, anchor, grown, parts: std::mem::take(&mut self.parts) }
    }

    /// An object that may hold a structure. Each has a class of its own, as applications do.
    fn holder(&mut self, anchor: Anchor) -> ObjectIdx {
        self.structures += 1;
        let name = format!("Service{}", self.structures);
        let holder = self.make(&name, false);
        match anchor {
            Anchor::Static => drop(self.heap.static_field(&name, "instance", holder)),
            Anchor::Service => {
                let application = self.heap.old(&format!("Application{}", self.structures));
                self.heap.jni_global(application);
                self.heap.refer(application, "service", holder);
            }
            Anchor::SeveralParents => {
                for parent in 0..2 + self.random.below(3) {
                    let parent = self.heap.old(&format!("Parent{parent}"));
                    self.heap.jni_global(parent);
                    self.heap.refer(parent, &name, holder);
                }
            }
            Anchor::StackLocal => self.heap.local(holder),
        }
        holder
    }

    fn any_shape(&mut self, is_new: bool) -> (Shape, bool) {
        (SHAPES[self.random.below(SHAPES.len())], is_new)
    }

    fn make(&mut self, class: &str, is_new: bool) -> ObjectIdx {
        let object = if is_new { self.heap.fresh(class) } else { self.heap.old(class) };
        self.parts.insert(object);
        object
    }

    fn string(&mut self, is_new: bool) -> ObjectIdx {
        let (string, bytes) = (self.make("java.lang.String", is_new), self.make("byte[]", is_new));
        self.heap.refer(string, "value", bytes);
        string
    }

    /// A member with a string of its own and one that all share.
    fn member(&mut self, class: &str, is_new: bool) -> ObjectIdx {
        let (member, own) = (self.make(class, is_new), self.string(is_new));
        let shared = self.strings[self.random.below(self.strings.len())];
        self.heap.refer(member, "text", own);
        self.heap.refer(member, "kind", shared);
        member
    }

    /// Makes a structure with members of the given ages.
    fn fill(&mut self, (shape, is_new): (Shape, bool), ages: &[bool], member: &str) -> ObjectIdx {
        match shape {
            Shape::ArrayList => self.array_list(is_new, ages, member),
            Shape::HashMap => self.hash_map(is_new, ages, member),
            Shape::SinglyLinked => self.linked_list(is_new, ages, member, false),
            Shape::DoublyLinked => self.linked_list(is_new, ages, member, true),
            Shape::Tree => self.tree(is_new, ages, member),
            Shape::MapOfLists => self.map_of_lists(is_new, ages, member),
        }
    }

    fn array_list(&mut self, is_new: bool, ages: &[bool], member: &str) -> ObjectIdx {
        let list = self.make("java.util.ArrayList", is_new);
        let grew = ages.iter().any(|&is_new| is_new) && self.random.percent(50);
        let array = self.make("java.lang.Object[]", is_new || grew);
        self.heap.refer(list, "elementData", array);
        for &is_new in ages {
            let member = self.member(member, is_new);
            self.heap.element(array, member);
        }
        list
    }

    fn hash_map(&mut self, is_new: bool, ages: &[bool], member: &str) -> ObjectIdx {
        let map = self.make("java.util.HashMap", is_new);
        let table = self.make("java.util.HashMap$Node[]", is_new);
        self.heap.refer(map, "table", table);
        let mut nodes: Vec<ObjectIdx> = Vec::new();
        for &is_new in ages {
            let (node, member) = (self.make("java.util.HashMap$Node", is_new), self.member(member, is_new));
            self.heap.refer(node, "value", member);
            // A new node goes to the end of its bucket; each node is the end of its own until one follows it.
            if nodes.is_empty() || self.random.percent(75) {
                self.heap.element(table, node);
                nodes.push(node);
            } else {
                let bucket = self.random.below(nodes.len());
                self.heap.refer(nodes[bucket], "next", node);
                nodes[bucket] = node;
            }
        }
        map
    }

    fn linked_list(&mut self, is_new: bool, ages: &[bool], member: &str, both_ways: bool) -> ObjectIdx {
        let (list_class, node_class) =
            if both_ways { ("java.util.LinkedList", "java.util.LinkedList$Node") } else { ("Chain", "Chain$Link") };
        let list = self.make(list_class, is_new);
        let mut last = list;
        // Stacks grow at their beginning, queues at their end.
        let mut ages = ages.to_vec();
        if self.random.percent(50) {
            ages.reverse();
        }
        for is_new in ages {
            let (node, member) = (self.make(node_class, is_new), self.member(member, is_new));
            self.heap.refer(node, "item", member);
            self.heap.refer(last, if last == list { "first" } else { "next" }, node);
            if both_ways && last != list {
                self.heap.refer(node, "prev", last);
            }
            last = node;
        }
        if both_ways && last != list {
            self.heap.refer(list, "last", last);
        }
        list
    }

    fn tree(&mut self, is_new: bool, ages: &[bool], member: &str) -> ObjectIdx {
        let tree = self.make("java.util.TreeMap", is_new);
        let mut nodes: Vec<ObjectIdx> = Vec::new();
        for (at, &is_new) in ages.iter().enumerate() {
            let (node, member) = (self.make("java.util.TreeMap$Entry", is_new), self.member(member, is_new));
            self.heap.refer(node, "value", member);
            if at == 0 {
                self.heap.refer(tree, "root", node);
            } else {
                let above = nodes[(at - 1) / 2];
                self.heap.refer(above, if at % 2 == 1 { "left" } else { "right" }, node);
                self.heap.refer(node, "parent", above);
            }
            nodes.push(node);
        }
        tree
    }

    /// A map of a few lists, to all of which members come.
    fn map_of_lists(&mut self, is_new: bool, ages: &[bool], member: &str) -> ObjectIdx {
        let map = self.make("java.util.HashMap", is_new);
        let table = self.make("java.util.HashMap$Node[]", is_new);
        self.heap.refer(map, "table", table);
        let lists = 2 + self.random.below(6);
        for list in 0..lists {
            let own: Vec<bool> = ages.iter().copied().skip(list).step_by(lists).collect();
            let node = self.make("java.util.HashMap$Node", is_new);
            let list = self.array_list(is_new, &own, member);
            self.heap.element(table, node);
            self.heap.refer(node, "value", list);
        }
        map
    }
}
