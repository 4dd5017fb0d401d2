//! Names of objects, references and roots.

use crate::heap::{ClassIdx, Heap, Label, ObjectIdx, Root, RootKind};
use crate::naming::{Kind, Reference};
use std::collections::HashSet;

/// A heap whose objects are to be named.
#[derive(Debug)]
pub(super) struct Words<'h> {
    pub(super) heap: &'h Heap,
    loaders: HashSet<ObjectIdx>,
}

impl<'h> Words<'h> {
    pub(super) fn new(heap: &'h Heap) -> Self {
        Self { heap, loaders: heap.classes().iter().filter_map(|(_, class)| class.loader).collect() }
    }

    pub(super) fn class(&self, class: ClassIdx) -> String {
        self.heap.classes().get(class).name.clone()
    }

    pub(super) fn id(&self, object: ObjectIdx) -> Option<String> {
        self.heap.dump_id(object).map(|id| format!("0x{id:x}"))
    }

    /// The number of the planned mark that the object bears.
    pub(super) fn mark(&self, object: ObjectIdx) -> Option<u32> {
        self.heap.planned_mark_of(object).map(|(_, number)| number)
    }

    /// The kind of the object.
    pub(super) fn kind(&self, object: ObjectIdx) -> Kind {
        if self.heap.class_of_mirror(object).is_some() {
            Kind::Class
        } else if self.heap.thread_of(object).is_some() {
            Kind::Thread
        } else if self.loaders.contains(&object) {
            Kind::ClassLoader
        } else {
            Kind::Object
        }
    }

    /// Class of the object, or for a mirror the class that it stands for.
    pub(super) fn class_name(&self, object: ObjectIdx) -> String {
        self.class(self.heap.class_shown_by(object))
    }

    /// The same, but a mirror is named `class com.example.Shop`.
    pub(super) fn name(&self, object: ObjectIdx) -> String {
        let prefix = if self.heap.class_of_mirror(object).is_some() { "class " } else { "" };
        format!("{prefix}{}", self.class_name(object))
    }

    pub(super) fn thread(&self, object: ObjectIdx) -> Option<String> {
        self.heap.thread_of(object).map(|thread| thread.name.clone())
    }

    /// The reference of one object to another, and the class that declares the field.
    pub(super) fn reference(&self, referrer: ObjectIdx, label: Label) -> (Reference, String) {
        if let Some(slot) = label.element_index() {
            return (Reference::Slot(slot), String::new());
        }
        let of = if label.is_static_field() {
            self.heap.class_of_mirror(referrer)
        } else {
            Some(self.heap.class_of(referrer))
        };
        match of.and_then(|of| self.heap.classes().field(of, label)) {
            Some(field) => (Reference::Field(field.name.clone()), self.class(field.declaring)),
            None => (unnamed(label), String::new()),
        }
    }

    /// `local variable of com.example.Shop.main (thread "main")`.
    pub(super) fn root(&self, root: &Root) -> String {
        let thread = root.thread.map(|thread| self.heap.threads()[thread.0 as usize].name.as_str());
        let of_thread = thread.map(|name| format!(" (thread \"{name}\")")).unwrap_or_default();
        match root.kind {
            RootKind::Class => "system class".to_owned(),
            RootKind::Thread => "live thread".to_owned(),
            RootKind::OnStack => {
                let frame = root.method.as_deref().map(|method| format!(" of {method}")).unwrap_or_default();
                format!("local variable{frame}{of_thread}")
            }
            RootKind::JniGlobal => "JNI global reference".to_owned(),
            RootKind::Monitor => format!("held monitor{of_thread}"),
            RootKind::Other => "JVM root".to_owned(),
        }
    }
}

fn unnamed(label: Label) -> Reference {
    match label {
        Label::CLASS => Reference::Class,
        Label::CLASS_LOADER => Reference::Loader,
        Label::SUPERCLASS => Reference::Superclass,
        Label::INTERFACE => Reference::Interface,
        Label::CONSTANT_POOL => Reference::Constant,
        _ => Reference::Unnamed,
    }
}
