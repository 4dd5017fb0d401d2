//! Targets that a user names: all instances of a class, the object of a static field, or one object by its id.

use super::near;
use crate::heap::{ClassIdx, Heap, ObjectIdx};
use crate::naming::Pattern;

/// Objects that a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// All instances of these classes.
    Classes(Vec<ClassIdx>),
    /// These objects: one by its id, or the referees of static fields.
    Objects(Vec<ObjectIdx>),
}

/// Reasons why a pattern matches nothing.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// No such object.
    #[error("no object of the dump has the id {0}")]
    NoObject(String),
    /// No number.
    #[error("{0} is no object id: those are hexadecimal, for instance 0x7f3a10c8")]
    NoId(String),
    /// No such name.
    #[error("nothing is called {name}{}", near::sentence(.near))]
    NoName {
        /// The typed name.
        name: String,
        /// Similar names.
        near: Vec<String>,
    },
    /// The static field exists and is null.
    #[error("the static field {0} is null")]
    Null(String),
    /// No object of a recording bears this mark.
    #[error("no object bears {0}: marks are those of a recording, for instance mark:12")]
    NoMark(String),
    /// The classes exist and have no instances.
    #[error("{0} has no instances in this heap")]
    NoInstances(String),
}

const STATIC: &str = "static ";
const MARK: &str = "mark:";

impl Target {
    /// Finds the target of `text`: `0x…`, `mark:N` (the number of a planned mark), `static CLASS.FIELD`, a class, or
    /// `CLASS.FIELD`; `*` in names fits anything.
    ///
    /// # Errors
    /// [`TargetError`]
    pub fn find(heap: &Heap, text: &str) -> Result<Self, TargetError> {
        let text = text.trim();
        if text.starts_with("0x") || text.starts_with("0X") {
            return Ok(Self::Objects(vec![object_with_id(heap, text)?]));
        }
        if let Some(number) = text.strip_prefix(MARK) {
            return marked(heap, text, number);
        }
        if let Some(field) = text.strip_prefix(STATIC) {
            return static_field(heap, field.trim());
        }
        let classes = classes(heap, &Pattern::new(text));
        if classes.is_empty() { static_field(heap, text) } else { Ok(Self::Classes(classes)) }
    }

    /// The objects, ascending.
    ///
    /// # Errors
    /// [`TargetError::NoInstances`], which contains `text`.
    pub fn objects(&self, heap: &Heap, text: &str) -> Result<Vec<ObjectIdx>, TargetError> {
        let objects = match self {
            Self::Objects(objects) => objects.clone(),
            Self::Classes(classes) => {
                let mut is_meant = vec![false; heap.classes().len()];
                classes.iter().for_each(|class| is_meant[class.at()] = true);
                heap.objects().filter(|&object| is_meant[heap.class_of(object).at()]).collect()
            }
        };
        if objects.is_empty() { Err(TargetError::NoInstances(text.trim().to_owned())) } else { Ok(objects) }
    }
}

/// The object with an id such as `0x7f3a10c8`.
///
/// # Errors
/// [`TargetError::NoId`] or [`TargetError::NoObject`].
pub fn object_with_id(heap: &Heap, text: &str) -> Result<ObjectIdx, TargetError> {
    let text = text.trim();
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let id = u64::from_str_radix(digits, 16).map_err(|_| TargetError::NoId(text.to_owned()))?;
    heap.of_dump_id(id).ok_or_else(|| TargetError::NoObject(text.to_owned()))
}

/// The objects that bear a planned mark of this number.
fn marked(heap: &Heap, text: &str, number: &str) -> Result<Target, TargetError> {
    let unknown = || TargetError::NoMark(text.to_owned());
    let number: u32 = number.parse().map_err(|_| unknown())?;
    let bears = |object: &ObjectIdx| heap.planned_mark_of(*object).is_some_and(|(_, planned)| planned == number);
    let objects: Vec<ObjectIdx> = heap.objects().filter(bears).collect();
    if objects.is_empty() { Err(unknown()) } else { Ok(Target::Objects(objects)) }
}

fn classes(heap: &Heap, pattern: &Pattern) -> Vec<ClassIdx> {
    heap.classes().iter().filter(|(_, class)| pattern.fits(&class.name)).map(|(at, _)| at).collect()
}

fn static_field(heap: &Heap, text: &str) -> Result<Target, TargetError> {
    let unknown = || TargetError::NoName { name: text.to_owned(), near: near::names(heap, text) };
    let (class, field) = text.rsplit_once('.').ok_or_else(unknown)?;
    let (class_pattern, field_pattern) = (Pattern::new(class), Pattern::new(field));
    let mut objects = Vec::new();
    let mut is_known = false;
    for class in classes(heap, &class_pattern) {
        is_known |= declares(heap, class, &field_pattern);
        objects.extend(held(heap, class, &field_pattern));
    }
    match (objects.is_empty(), is_known) {
        (false, _) => {
            objects.sort_unstable();
            objects.dedup();
            Ok(Target::Objects(objects))
        }
        (true, true) => Err(TargetError::Null(text.to_owned())),
        (true, false) => Err(unknown()),
    }
}

fn declares(heap: &Heap, class: ClassIdx, field: &Pattern) -> bool {
    let fields = heap.classes().get(class).fields().iter();
    fields.into_iter().any(|each| each.is_static && each.declaring == class && field.fits(&each.name))
}

/// The objects that static fields of the class hold.
fn held(heap: &Heap, class: ClassIdx, field: &Pattern) -> Vec<ObjectIdx> {
    let Some(mirror) = heap.classes().get(class).mirror else { return Vec::new() };
    let fits = |label| heap.classes().field(class, label).is_some_and(|each| field.fits(&each.name));
    let labelled = heap.references().labelled(mirror);
    labelled.filter(|&(_, label)| label.is_static_field() && fits(label)).map(|(object, _)| object).collect()
}
