//! The objects of one heap at their places.

use super::census::Census;
use super::places::{ELEMENT, JOINTLY, PlaceIdx, Places, Word};
use crate::graph::DominatorTree;
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx, RootKind};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, HashMap};

/// The place of each object: 12 bytes an object.
#[derive(Debug)]
pub struct Placed {
    /// By object; [`PlaceIdx::TOP`] for unreachable ones.
    pub(super) place: Vec<PlaceIdx>,
    /// By object: the nearest dominator at another place.
    pub(super) container: Vec<Option<ObjectIdx>>,
    /// Reachable objects, dominators first.
    pub(super) order: Vec<ObjectIdx>,
}

impl Placed {
    /// Places every object of the dominator tree; adds unknown places to `places`.
    pub fn new(heap: &Heap, tree: &DominatorTree, places: &mut Places) -> Self {
        let count = heap.object_count();
        let mut placing = Placing { heap, tree, words: Words::new(heap, places), places };
        let mut placed =
            Self { place: vec![PlaceIdx::TOP; count], container: vec![None; count], order: tree.preorder().to_vec() };
        let tops = placing.tops();
        for &object in tree.preorder() {
            if placed.place[object.at()] == PlaceIdx::TOP {
                // Its dominator does not refer to it, or it has none.
                let above = tree.immediate_dominator(object);
                let step = if above.is_none() { placing.top_step(&tops, object) } else { placing.words.jointly };
                placing.put(&mut placed, object, above, step);
            }
            placing.put_referees(&mut placed, object);
        }
        placed
    }

    /// The place of an object.
    pub fn place_of(&self, object: ObjectIdx) -> PlaceIdx {
        self.place[object.at()]
    }

    /// The places of some objects.
    pub fn places_of(&self, objects: &[ObjectIdx]) -> BTreeSet<PlaceIdx> {
        objects.iter().map(|&object| self.place_of(object)).collect()
    }

    /// The place of each object.
    pub fn into_places(self) -> Vec<PlaceIdx> {
        self.place
    }

    /// The number of objects at each place, by its number.
    pub fn count_by_place(&self) -> Vec<u32> {
        let mut counts = Vec::new();
        for object in &self.order {
            let at = self.place_of(*object).at();
            if counts.len() <= at {
                counts.resize(at + 1, 0);
            }
            counts[at] += 1;
        }
        counts
    }

    /// The data of the heap that are to be kept.
    pub fn census(&self) -> Census {
        Census::new(self)
    }
}

struct Placing<'a> {
    heap: &'a Heap,
    tree: &'a DominatorTree,
    words: Words,
    places: &'a mut Places,
}

impl Placing<'_> {
    fn put(&mut self, placed: &mut Placed, object: ObjectIdx, above: Option<ObjectIdx>, step: Word) {
        let place_above = above.map_or(PlaceIdx::TOP, |above| placed.place[above.at()]);
        let class = self.words.classes[self.heap.class_of(object).at()];
        let place = self.places.below(place_above, step, class);
        placed.place[object.at()] = place;
        placed.container[object.at()] =
            above.and_then(|above| if place == place_above { placed.container[above.at()] } else { Some(above) });
    }

    /// Puts objects that the object dominates and refers to at the place to which the reference leads.
    fn put_referees(&mut self, placed: &mut Placed, object: ObjectIdx) {
        for (referee, label) in self.heap.references().labelled(object) {
            let is_owned = self.tree.immediate_dominator(referee) == Some(object);
            if is_owned && placed.place[referee.at()] == PlaceIdx::TOP {
                let step = self.words.step(self.heap, object, label, self.places);
                self.put(placed, referee, Some(object), step);
            }
        }
    }

    /// The names of the roots.
    fn tops(&mut self) -> HashMap<ObjectIdx, Word> {
        let heap = self.heap;
        let mut tops = HashMap::new();
        for root in heap.roots() {
            let name = match (heap.class_of_mirror(root.object), root.kind) {
                (Some(class), _) => format!("class {}", heap.classes().get(class).name),
                (None, RootKind::Thread) => match heap.thread_of(root.object) {
                    Some(thread) => format!("thread {}", without_digits(&thread.name)),
                    None => "thread".to_owned(),
                },
                (None, kind) => format!("{kind:?}"),
            };
            let name = self.places.word(&name);
            tops.entry(root.object).or_insert(name);
        }
        tops
    }

    fn top_step(&self, tops: &HashMap<ObjectIdx, Word>, object: ObjectIdx) -> Word {
        tops.get(&object).copied().unwrap_or(self.words.jointly)
    }
}

/// Removes digits, so that the threads of a pool have one name.
fn without_digits(name: &str) -> String {
    name.split(|letter: char| letter.is_ascii_digit()).collect::<Vec<_>>().join("")
}

/// The words of one heap.
struct Words {
    /// By class.
    classes: Vec<Word>,
    element: Word,
    /// The step to an object that several others hold jointly.
    jointly: Word,
    fields: FxHashMap<(ClassIdx, Label), Word>,
}

impl Words {
    fn new(heap: &Heap, places: &mut Places) -> Self {
        let classes = heap.classes().iter().map(|(_, class)| places.class_word(&class.name)).collect();
        let (element, jointly) = (places.word(ELEMENT), places.word(JOINTLY));
        Self { classes, element, jointly, fields: FxHashMap::default() }
    }

    fn step(&mut self, heap: &Heap, referrer: ObjectIdx, label: Label, places: &mut Places) -> Word {
        if label.is_element() {
            return self.element;
        }
        // Static fields are those of the class that the mirror stands for.
        let class = heap.class_of_mirror(referrer).unwrap_or(heap.class_of(referrer));
        *self.fields.entry((class, label)).or_insert_with(|| match heap.classes().field(class, label) {
            Some(field) => places.field_word(&heap.classes().get(field.declaring).name, &field.name),
            None => places.word(&format!("{label:?}")),
        })
    }
}
