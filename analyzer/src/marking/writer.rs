//! A tree of paths as steps of the wire protocol: runs of one field become one step.

use super::paths::{Among, Paths, field};
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{MarkPlan, MarkStep, PathField, PathVia};
use std::collections::HashMap;

/// Writes one plan.
pub(super) struct Writer<'a> {
    heap: &'a Heap,
    paths: &'a Paths,
    plan: MarkPlan,
    classes: HashMap<ClassIdx, u32>,
    fields: HashMap<(ClassIdx, String, bool), u32>,
    /// The arrival at each object that has been written.
    arrived: HashMap<ObjectIdx, Arrival>,
}

/// The continuation of a path from an object.
#[derive(Clone, Copy)]
enum Arrival {
    /// It has a step of its own.
    At(u32),
    /// It is inside a run: the step at which the run began, the field, and the number of reads of it so far.
    Passing { parent: u32, field: u32, times: u32 },
}

impl<'a> Writer<'a> {
    pub(super) fn new(heap: &'a Heap, paths: &'a Paths) -> Self {
        let (classes, fields, arrived) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { heap, paths, plan: MarkPlan::default(), classes, fields, arrived }
    }

    /// Writes the plan. `objects` are all objects on the paths, each after its referrer on the path. `number` holds the
    /// marks.
    pub(super) fn write(mut self, objects: &[ObjectIdx], number: &HashMap<ObjectIdx, u32>) -> MarkPlan {
        let onward = self.onward(objects);
        for &object in objects {
            let (parent, via) = self.step_to(object);
            let mark = number.get(&object).copied().unwrap_or(0);
            let next = onward.get(&object).copied().flatten();
            let arrival = match via {
                PathVia::Field { field, times } if mark == 0 && next == Some(field) => {
                    Arrival::Passing { parent, field, times }
                }
                _ => {
                    let class = self.class_at(object);
                    self.plan.steps.push(MarkStep { parent, via, class, mark });
                    Arrival::At(self.plan.steps.len() as u32 - 1)
                }
            };
            self.arrived.insert(object, arrival);
        }
        self.plan
    }

    /// The field by which the paths go on from an object. `None` if several references or an array element lead on.
    fn onward(&mut self, objects: &[ObjectIdx]) -> HashMap<ObjectIdx, Option<u32>> {
        let mut onward: HashMap<ObjectIdx, Option<u32>> = HashMap::new();
        for &object in objects {
            let Some((parent, label)) = self.paths.last_step(object) else { continue };
            let by = if label.is_element() { None } else { Some(self.field(parent, label)) };
            onward.entry(parent).and_modify(|only| *only = None).or_insert(by);
        }
        onward
    }

    fn step_to(&mut self, object: ObjectIdx) -> (u32, PathVia) {
        let Some((parent, label)) = self.paths.last_step(object) else { return (0, self.beginning(object)) };
        match self.arrived.get(&parent).copied().unwrap_or(Arrival::At(0)) {
            Arrival::Passing { parent, field, times } => (parent, PathVia::Field { field, times: times + 1 }),
            Arrival::At(at) => {
                let via = match label.element_index() {
                    Some(index) => PathVia::Element(index),
                    None => PathVia::Field { field: self.field(parent, label), times: 1 },
                };
                (at, via)
            }
        }
    }

    fn beginning(&mut self, object: ObjectIdx) -> PathVia {
        match self.heap.class_of_mirror(object) {
            Some(class) => PathVia::Class(self.class(class)),
            None if self.heap.thread_of(object).is_some() => PathVia::Thread(id(self.heap, object)),
            None => {
                let class = self.class(self.heap.class_of(object));
                match self.paths.among_locals(object) {
                    Some(Among { nth, of }) => PathVia::Local { class, nth, of },
                    None => PathVia::OnlyInstance(class),
                }
            }
        }
    }

    /// The class of the object at which a step arrives. The class of mirrors may be unknown; then it is the mirrored
    /// class.
    fn class_at(&mut self, object: ObjectIdx) -> u32 {
        let class = self.heap.class_of(object);
        let mirrored = self.heap.class_of_mirror(object).filter(|_| self.heap.classes().get(class).mirror.is_none());
        self.class(mirrored.unwrap_or(class))
    }

    fn class(&mut self, class: ClassIdx) -> u32 {
        let Some(mirror) = self.heap.classes().get(class).mirror else { return 0 };
        let classes = &mut self.plan.classes;
        *self.classes.entry(class).or_insert_with(|| {
            classes.push(id(self.heap, mirror));
            classes.len() as u32 - 1
        })
    }

    fn field(&mut self, referrer: ObjectIdx, label: Label) -> u32 {
        let Some(field) = field(self.heap, referrer, label) else { return 0 };
        let declaring = self.class(field.declaring);
        let fields = &mut self.plan.fields;
        *self.fields.entry((field.declaring, field.name.clone(), field.is_static)).or_insert_with(|| {
            let (name, descriptor) = (field.name.clone(), field.descriptor.clone());
            fields.push(PathField { declaring, name, descriptor, is_static: field.is_static });
            fields.len() as u32 - 1
        })
    }
}

/// The id of a mirror or a thread. A capture assigns an id to each one that it reports; 0 is no id, and its steps are
/// missed.
fn id(heap: &Heap, object: ObjectIdx) -> ObjectId {
    heap.id_of(object).unwrap_or(ObjectId(0))
}
