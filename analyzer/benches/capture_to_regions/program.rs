//! A program's heap of any size: a long list, balanced and deep trees with parent pointers, one wide map and many
//! small ones, shared strings, stacks in operation, flux everywhere, and one structure that grows.
//!
//! Shares are of the size asked for, so that heaps of different size have the same shape.

use super::feed::{Class, Feed};
use super::random::Random;
use rootbound_wire::ids::ObjectId;

const STRING: Class = 0;
const BYTES: Class = 1;
const OBJECTS: Class = 2;
const LIST: Class = 3;
const LINK: Class = 4;
const TREE: Class = 5;
const BRANCH: Class = 6;
const MAP: Class = 7;
const TABLE: Class = 8;
const ENTRY: Class = 9;
const RECORD: Class = 10;
const SHOP: Class = 11;
const ORDER: Class = 12;
const COMPONENT: Class = 13;
const VECTOR: Class = 14;
const MAIN: Class = 15;

const CLASSES: [(&str, &[&str]); 16] = [
    ("java.lang.String", &["value"]),
    ("byte[]", &[]),
    ("java.lang.Object[]", &[]),
    ("java.util.LinkedList", &["first", "last"]),
    ("java.util.LinkedList$Node", &["item", "next", "prev"]),
    ("java.util.TreeMap", &["root"]),
    ("java.util.TreeMap$Entry", &["key", "left", "right", "parent"]),
    ("java.util.HashMap", &["table"]),
    ("java.util.HashMap$Node[]", &[]),
    ("java.util.HashMap$Node", &["key", "value", "next"]),
    ("com.example.Record", &["name", "history", "category", "currency"]),
    ("com.example.Shop", &["orders"]),
    ("com.example.Order", &["customer", "item"]),
    ("com.example.Component", &["parent", "children", "name"]),
    ("java.util.ArrayList", &["elementData"]),
    ("com.example.Main", &["list", "tree", "catalogue", "customers", "window", "names"]),
];

/// Strings that everything else shares.
const NAMES: usize = 1000;
/// Of a hundred objects of a structure that does not grow, so many are new: it is in flux.
const FLUX: usize = 3;

/// Feeds about so many objects.
pub fn feed(objects: usize) -> Feed {
    let mut program = Program { feed: Feed::new(&CLASSES), random: Random::new(1), names: Vec::new() };
    program.shared_names();
    program.long_list(objects / 16);
    program.balanced_tree(objects / 20);
    program.catalogue(objects / 20);
    program.components(objects / 15);
    program.orders(objects / 100);
    program.customers(objects);
    program.feed
}

struct Program {
    feed: Feed,
    random: Random,
    names: Vec<ObjectId>,
}

impl Program {
    fn shared_names(&mut self) {
        let array = self.feed.object(OBJECTS, 16 + 4 * NAMES as u64, false);
        self.feed.static_field(MAIN, 5, array);
        for _ in 0..NAMES {
            let name = self.string(false);
            self.feed.element(array, name);
            self.names.push(name);
        }
    }

    fn string(&mut self, is_new: bool) -> ObjectId {
        let (string, bytes) = (self.feed.object(STRING, 24, is_new), self.feed.object(BYTES, 32, is_new));
        self.feed.refer(string, 0, bytes);
        string
    }

    fn any_name(&mut self) -> ObjectId {
        self.names[self.random.below(NAMES)]
    }

    fn in_flux(&mut self) -> bool {
        self.random.percent(FLUX)
    }

    /// Nodes in both directions, each with a string of its own: 3 objects a node.
    fn long_list(&mut self, nodes: usize) {
        let list = self.feed.object(LIST, 32, false);
        self.feed.static_field(MAIN, 0, list);
        let mut last = None;
        for _ in 0..nodes {
            let is_new = self.in_flux();
            let node = self.feed.object(LINK, 24, is_new);
            let item = self.string(is_new);
            self.feed.refer(node, 0, item);
            match last {
                None => self.feed.refer(list, 0, node),
                Some(before) => {
                    self.feed.refer(before, 1, node);
                    self.feed.refer(node, 2, before);
                }
            }
            last = Some(node);
        }
        if let Some(last) = last {
            self.feed.refer(list, 1, last);
        }
    }

    /// Entries with parent pointers and a string: 3 objects an entry.
    fn balanced_tree(&mut self, entries: usize) {
        let tree = self.feed.object(TREE, 48, false);
        self.feed.static_field(MAIN, 1, tree);
        let first = self.feed.made() as u64 + 1;
        for at in 0..entries as u64 {
            let is_new = self.in_flux();
            let entry = self.feed.object(BRANCH, 40, is_new);
            let key = self.string(is_new);
            self.feed.refer(entry, 0, key);
            if at == 0 {
                self.feed.refer(tree, 0, entry);
            } else {
                let above = ObjectId(first + 3 * ((at - 1) / 2));
                self.feed.refer(above, 1 + u32::from(at % 2 == 0), entry);
                self.feed.refer(entry, 3, above);
            }
        }
    }

    /// One wide map from strings to records.
    fn catalogue(&mut self, entries: usize) {
        let map = self.map(false);
        self.feed.static_field(MAIN, 2, map.0);
        for _ in 0..entries {
            let is_new = self.in_flux();
            let key = self.string(is_new);
            let value = self.record(is_new);
            self.entry(map.1, key, value, is_new);
        }
    }

    fn map(&mut self, is_new: bool) -> (ObjectId, ObjectId) {
        let (map, table) = (self.feed.object(MAP, 48, is_new), self.feed.object(TABLE, 80, is_new));
        self.feed.refer(map, 0, table);
        (map, table)
    }

    /// An entry in a slot of the table, or with one chance in four behind another in the same slot.
    fn entry(&mut self, table: ObjectId, key: ObjectId, value: ObjectId, is_new: bool) {
        let entry = self.feed.object(ENTRY, 32, is_new);
        self.feed.refer(entry, 0, key);
        self.feed.refer(entry, 1, value);
        if self.random.percent(25) {
            let slot = self.feed.object(ENTRY, 32, is_new);
            self.feed.element(table, slot);
            self.feed.refer(slot, 0, key);
            self.feed.refer(slot, 1, value);
            self.feed.refer(slot, 2, entry);
        } else {
            self.feed.element(table, entry);
        }
    }

    fn record(&mut self, is_new: bool) -> ObjectId {
        let record = self.feed.object(RECORD, 24, is_new);
        for field in [0, 2, 3] {
            let name = self.any_name();
            self.feed.refer(record, field, name);
        }
        record
    }

    /// A deep tree whose parts know each other: parents, children, and the component made a little earlier.
    fn components(&mut self, components: usize) {
        let window = self.feed.object(COMPONENT, 32, false);
        self.feed.static_field(MAIN, 4, window);
        let mut above = window;
        for _ in 0..components / 3 {
            let is_new = self.in_flux();
            let children = self.feed.object(OBJECTS, 32, is_new);
            self.feed.refer(above, 1, children);
            for _ in 0..2 {
                let child = self.feed.object(COMPONENT, 32, is_new);
                let name = self.any_name();
                self.feed.element(children, child);
                self.feed.refer(child, 0, window);
                self.feed.refer(child, 2, name);
                above = child;
            }
        }
    }

    /// What grows: a map of orders, half of them new.
    fn orders(&mut self, orders: usize) {
        let shop = self.feed.object(SHOP, 16, false);
        self.feed.static_field(SHOP, 0, shop);
        let map = self.map(false);
        self.feed.refer(shop, 0, map.0);
        for number in 0..orders {
            let is_new = number % 2 == 0;
            let (key, order) = (self.string(is_new), self.feed.object(ORDER, 24, is_new));
            let (customer, item) = (self.any_name(), self.any_name());
            self.feed.refer(order, 0, customer);
            self.feed.refer(order, 1, item);
            self.entry(map.1, key, order, is_new);
        }
    }

    /// Customers until the heap is full, each with a history; some are in somebody's hands.
    fn customers(&mut self, objects: usize) {
        let map = self.map(false);
        self.feed.static_field(MAIN, 3, map.0);
        while self.feed.made() < objects {
            let is_new = self.in_flux();
            let key = self.string(is_new);
            let customer = self.record(is_new);
            self.history(customer, is_new);
            self.entry(map.1, key, customer, is_new);
            if self.random.below(objects) < 200 {
                self.feed.local(customer);
            }
        }
    }

    fn history(&mut self, customer: ObjectId, is_new: bool) {
        let (list, array) = (self.feed.object(VECTOR, 24, is_new), self.feed.object(OBJECTS, 56, is_new));
        self.feed.refer(customer, 1, list);
        self.feed.refer(list, 0, array);
        for _ in 0..self.random.below(10) {
            let is_newer = is_new || self.in_flux();
            let line = self.record(is_newer);
            let shared = self.any_name();
            self.feed.element(array, line);
            self.feed.element(array, shared);
        }
    }
}
