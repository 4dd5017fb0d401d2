//! A generated program at two moments: now, with exact ages, and as it was at the mark, from what is written down of
//! it.

use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};
use std::collections::HashMap;

/// What was written down, in its order.
#[derive(Debug)]
enum Written {
    Object { class: String, was_there: bool },
    Field { referrer: ObjectIdx, field: String, referee: ObjectIdx },
    Element { array: ObjectIdx, element: ObjectIdx },
    Static { class: String, field: String, referee: ObjectIdx },
    Local(ObjectIdx),
    Thread(ObjectIdx, String),
}

/// A sketch that remembers how it was made.
#[derive(Debug, Default)]
pub struct Twin {
    /// The program now.
    pub now: HeapSketch,
    /// What is fresh from now on has replaced something of its kind that was there before.
    pub replaces: bool,
    written: Vec<Written>,
    /// Fresh objects, and whether each has replaced another.
    fresh: HashMap<ObjectIdx, bool>,
    objects: Vec<ObjectIdx>,
}

impl Twin {
    pub fn old(&mut self, class: &str) -> ObjectIdx {
        let object = self.now.old(class);
        self.write_object(class, object, true);
        object
    }

    pub fn fresh(&mut self, class: &str) -> ObjectIdx {
        let object = self.now.fresh(class);
        self.fresh.insert(object, self.replaces);
        self.write_object(class, object, self.replaces);
        object
    }

    /// An object that was there and is gone; [`Self::referred`] links it.
    pub fn gone(&mut self, class: &str) -> ObjectIdx {
        let object = self.now.fresh(class);
        self.fresh.insert(object, true);
        self.write_object(class, object, true);
        object
    }

    /// A reference that was there and is gone.
    pub fn referred(&mut self, referrer: ObjectIdx, field: &str, referee: ObjectIdx) {
        self.written.push(Written::Field { referrer, field: field.to_owned(), referee });
    }

    fn write_object(&mut self, class: &str, object: ObjectIdx, was_there: bool) {
        self.written.push(Written::Object { class: class.to_owned(), was_there });
        self.objects.push(object);
    }

    pub fn refer(&mut self, referrer: ObjectIdx, field: &str, referee: ObjectIdx) {
        self.now.refer(referrer, field, referee);
        self.written.push(Written::Field { referrer, field: field.to_owned(), referee });
    }

    pub fn element(&mut self, array: ObjectIdx, element: ObjectIdx) {
        self.now.element(array, element);
        self.written.push(Written::Element { array, element });
    }

    pub fn static_field(&mut self, class: &str, field: &str, referee: ObjectIdx) -> ObjectIdx {
        self.written.push(Written::Static { class: class.to_owned(), field: field.to_owned(), referee });
        self.now.static_field(class, field, referee)
    }

    pub fn local(&mut self, referee: ObjectIdx) {
        self.now.local(referee);
        self.written.push(Written::Local(referee));
    }

    pub fn thread(&mut self, object: ObjectIdx, name: &str) {
        self.now.thread(object, name);
        self.written.push(Written::Thread(object, name.to_owned()));
    }

    /// A JNI global reference; a static field leads there too, as in most programs some way does.
    pub fn jni_global(&mut self, object: ObjectIdx) {
        self.now.jni_global(object);
        let field = format!("global{}", object.0);
        self.static_field("Globals", &field, object);
    }

    /// The program as it was, and for its objects what they are now; those that have been replaced are nothing now.
    pub fn before(&self) -> (Heap, HashMap<ObjectIdx, ObjectIdx>) {
        let mut sketch = HeapSketch::new();
        let was = self.objects_before(&mut sketch);
        // What a fresh link of a chain stands before: the chain was closed without it.
        let mut next: HashMap<(ObjectIdx, &str), ObjectIdx> = HashMap::new();
        for written in &self.written {
            if let Written::Field { referrer, field, referee } = written {
                next.insert((*referrer, field), *referee);
            }
        }
        let closest = |object: ObjectIdx, field: &str| {
            let onward = match field {
                "last" | "prev" => "prev",
                _ => "next",
            };
            std::iter::successors(Some(object), |&at| next.get(&(at, onward)).copied())
                .find_map(|at| was.get(&at).copied())
        };
        for written in &self.written {
            match written {
                Written::Field { referrer, field, referee } => {
                    let ends = (was.get(referrer), closest(*referee, field));
                    if let (Some(&referrer), Some(referee)) = ends {
                        sketch.refer(referrer, field, referee);
                    }
                }
                Written::Element { array, element } => {
                    if let (Some(&array), Some(&element)) = (was.get(array), was.get(element)) {
                        sketch.element(array, element);
                    }
                }
                Written::Static { class, field, referee } => {
                    if let Some(&referee) = was.get(referee) {
                        sketch.static_field(class, field, referee);
                    }
                }
                Written::Local(object) => was.get(object).into_iter().for_each(|&object| sketch.local(object)),
                Written::Thread(object, name) => {
                    was.get(object).into_iter().for_each(|&object| sketch.thread(object, name));
                }
                Written::Object { .. } => {}
            }
        }
        let is_now = was.iter().filter(|(now, _)| !self.fresh.contains_key(now)).map(|(&now, &then)| (then, now));
        (sketch.build(), is_now.collect())
    }

    /// Everything that was there, by what it is now. The fresh array of an old list has replaced another.
    fn objects_before(&self, sketch: &mut HeapSketch) -> HashMap<ObjectIdx, ObjectIdx> {
        let mut replaced_array: HashMap<ObjectIdx, bool> = HashMap::new();
        for written in &self.written {
            if let Written::Field { referrer, referee, .. } = written {
                let holder_was_there = self.fresh.get(referrer).is_none_or(|&replaces| replaces);
                replaced_array.insert(*referee, holder_was_there);
            }
        }
        let objects = self.written.iter().filter_map(|written| match written {
            Written::Object { class, was_there } => Some((class, *was_there)),
            _ => None,
        });
        let mut was = HashMap::new();
        for ((class, was_there), &object) in objects.zip(&self.objects) {
            let is_replaced = class.ends_with("Object[]") && replaced_array.get(&object).copied().unwrap_or(false);
            if was_there || is_replaced {
                was.insert(object, sketch.old(class));
            }
        }
        was
    }
}
