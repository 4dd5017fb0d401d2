//! Classes and the names of their fields, resolved from JVMTI's field indexes.

use super::{Label, ObjectIdx};
use std::collections::HashMap;

/// A class by its place in [`Classes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassIdx(pub u32);

impl ClassIdx {
    /// The index into a column.
    #[inline]
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

/// One class. Objects of unknown class have the class with the name `?` and no mirror.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Java source name: `java.util.HashMap$Node`, `java.lang.Object[]`.
    pub name: String,
    /// Its mirror object.
    pub mirror: Option<ObjectIdx>,
    /// Its loader's object; `None` for the boot loader.
    pub loader: Option<ObjectIdx>,
    /// Its superclass.
    pub superclass: Option<ClassIdx>,
    /// Every field that its instances or (static ones) its mirror can report, by JVMTI index.
    pub(super) fields: Vec<Field>,
}

/// One field at its JVMTI index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its JVM descriptor.
    pub descriptor: String,
    /// The class that declares it.
    pub declaring: ClassIdx,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether it is final, as far as the source says so: heap dumps do not.
    pub is_final: bool,
}

/// Name of the class of objects whose class is not known.
const UNKNOWN_CLASS: &str = "?";
/// The class of mirrors, for which the JVM reports no reference to a class.
const CLASS_CLASS: &str = "java.lang.Class";

impl Class {
    /// A class of a heap dump, without a mirror; fields stand at the index that labels carry.
    pub fn new(name: String, superclass: Option<ClassIdx>, fields: Vec<Field>) -> Self {
        Self { name, mirror: None, loader: None, superclass, fields }
    }

    pub(super) fn unknown() -> Self {
        Self { name: UNKNOWN_CLASS.to_owned(), mirror: None, loader: None, superclass: None, fields: Vec::new() }
    }

    /// Whether its instances are arrays.
    pub fn is_array(&self) -> bool {
        self.name.ends_with("[]")
    }

    /// Whether its instances are arrays of references.
    pub fn is_object_array(&self) -> bool {
        const PRIMITIVES: [&str; 8] = ["boolean", "byte", "char", "short", "int", "long", "float", "double"];
        self.name.strip_suffix("[]").is_some_and(|element| !PRIMITIVES.contains(&element))
    }

    /// Every field, by JVMTI index, including those of interfaces and superclasses.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The field at a JVMTI index.
    pub fn field(&self, index: u32) -> Option<&Field> {
        self.fields.get(index as usize)
    }
}

/// All classes of a heap.
#[derive(Debug, Default)]
pub struct Classes {
    pub(super) all: Vec<Class>,
    pub(super) by_mirror: HashMap<ObjectIdx, ClassIdx>,
}

impl Classes {
    /// Number of classes; every `ClassIdx` below it is valid.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// One class.
    pub fn get(&self, class: ClassIdx) -> &Class {
        &self.all[class.at()]
    }

    /// All classes with their indexes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ClassIdx, &Class)> {
        self.all.iter().enumerate().map(|(at, class)| (ClassIdx(at as u32), class))
    }

    /// The class whose mirror the object is.
    pub fn of_mirror(&self, object: ObjectIdx) -> Option<ClassIdx> {
        self.by_mirror.get(&object).copied()
    }

    /// The class of mirrors: `java.lang.Class`, or the unknown one where no record describes it.
    pub(super) fn of_mirrors(&self) -> ClassIdx {
        self.by_name(CLASS_CLASS).unwrap_or(ClassIdx(0))
    }

    /// The first class of that name.
    pub fn by_name(&self, name: &str) -> Option<ClassIdx> {
        self.iter().find(|(_, class)| class.name == name).map(|(at, _)| at)
    }

    /// Whether `class` is `ancestor` or one of its subclasses.
    pub fn is_subclass(&self, class: ClassIdx, ancestor: ClassIdx) -> bool {
        self.ancestors(class).any(|at| at == ancestor)
    }

    /// The class, its superclass, and so on upward. Ends even when invalid bytes made the chain circular.
    pub fn ancestors(&self, class: ClassIdx) -> impl Iterator<Item = ClassIdx> {
        std::iter::successors(Some(class), |&at| self.get(at).superclass).take(self.len())
    }

    /// The field that a label names, seen from the referrer's class. For static fields this is the class whose mirror
    /// the referrer is.
    pub fn field(&self, class: ClassIdx, label: Label) -> Option<&Field> {
        label.field_index().and_then(|index| self.get(class).field(index))
    }
}
