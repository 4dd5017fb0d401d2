//! Outlines of formats that name classes only at their objects and have no roots. Classes are collected by name, and
//! classes and threads count as roots.
//!
//! Fields have no names in these formats. All references of a `java.lang.ref.Reference`, and of the JDK's classes
//! directly below it, are reported as its `referent`, so that the rules for weak references hold. HeapRoots does the
//! same and calls them all *soft*. References of subclasses that programs derive are strong.

use crate::heap::{
    Class, ClassIdx, DumpSink, DumpSource, DumpedClass, DumpedObject, DumpedRoot, DumpedThread, Field, Label, Outline,
    RootKind,
};
use std::collections::HashMap;

const CLASS_CLASS: &str = "java.lang.Class";
const REFERENCE: &str = "java.lang.ref.Reference";
const FINAL_REFERENCE: &str = "java.lang.ref.FinalReference";
/// The classes below it, each with its superclass.
const REFERENCES: [(&str, &str); 5] = [
    ("java.lang.ref.SoftReference", REFERENCE),
    ("java.lang.ref.WeakReference", REFERENCE),
    ("java.lang.ref.PhantomReference", REFERENCE),
    (FINAL_REFERENCE, REFERENCE),
    ("java.lang.ref.Finalizer", FINAL_REFERENCE),
];
const THREAD: &str = "java.lang.Thread";

/// Classes by name, in the order of their first mention.
#[derive(Debug)]
pub(super) struct Collecting {
    pub(super) classes: Vec<DumpedClass>,
    by_name: HashMap<String, ClassIdx>,
}

impl Collecting {
    pub(super) fn new() -> Self {
        Self { classes: Outline::new().classes, by_name: HashMap::new() }
    }

    /// The class of that name, which is added if it is new.
    pub(super) fn class(&mut self, name: &str) -> ClassIdx {
        if let Some(&class) = self.by_name.get(name) {
            return class;
        }
        let class = self.another(name);
        self.by_name.insert(name.to_owned(), class);
        class
    }

    /// Adds one more class of that name; a search by name finds the first.
    fn another(&mut self, name: &str) -> ClassIdx {
        let class = ClassIdx(self.classes.len() as u32);
        let new = Class::new(name.to_owned(), None, Vec::new());
        self.classes.push(DumpedClass { class: new, mirror: None, loader: None });
        class
    }

    /// A class with a mirror. Of several classes with one name, each has its own entry.
    pub(super) fn mirror(&mut self, name: &str, mirror: u64) -> ClassIdx {
        let mut class = self.class(name);
        if self.classes[class.at()].mirror.is_some_and(|there| there != mirror) {
            class = self.another(name);
        }
        self.classes[class.at()].mirror = Some(mirror);
        class
    }

    /// The class of mirrors.
    pub(super) fn class_of_mirrors(&mut self) -> ClassIdx {
        self.class(CLASS_CLASS)
    }

    /// Makes `class` a subclass of `superclass`, unless it has a superclass already.
    pub(super) fn derive(&mut self, class: ClassIdx, superclass: ClassIdx) {
        let class = &mut self.classes[class.at()].class;
        if class.superclass.is_none() {
            class.superclass = Some(superclass);
        }
    }

    /// Gives the classes of references their only field. Returns by class whether all references of its instances are
    /// weak.
    pub(super) fn name_referents(&mut self) -> Vec<bool> {
        // The superclass of a finalizer may not be in the dump.
        let present: Vec<(&str, &str)> =
            REFERENCES.into_iter().filter(|pair| self.by_name.contains_key(pair.0)).collect();
        for (name, superclass) in present {
            let (class, superclass) = (self.class(name), self.class(superclass));
            self.derive(class, superclass);
        }
        if let (Some(&last), Some(&reference)) = (self.by_name.get(FINAL_REFERENCE), self.by_name.get(REFERENCE)) {
            self.derive(last, reference);
        }
        let reference = self.by_name.get(REFERENCE).copied();
        let is_one = |name: &str| name == REFERENCE || REFERENCES.iter().any(|pair| pair.0 == name);
        let mut reported = Vec::with_capacity(self.classes.len());
        for dumped in &mut self.classes {
            let refers = is_one(&dumped.class.name);
            if let Some(declaring) = reference.filter(|_| refers) {
                let descriptor = "Ljava/lang/Object;".to_owned();
                let field =
                    Field { name: "referent".to_owned(), descriptor, declaring, is_static: false, is_final: false };
                let superclass = dumped.class.superclass;
                dumped.class = Class::new(std::mem::take(&mut dumped.class.name), superclass, vec![field]);
            }
            reported.push(refers);
        }
        reported
    }

    /// The classes, and their indexes by name, for reading.
    pub(super) fn names(self) -> (Vec<DumpedClass>, HashMap<String, ClassIdx>) {
        (self.classes, self.by_name)
    }
}

/// The label of the `index`th reference of an object of a class.
#[inline]
pub(super) fn label(is_array: bool, refers_weakly: bool, index: u32) -> Label {
    match () {
        () if is_array => Label::element(index),
        () if refers_weakly => Label::field(0),
        () => Label::OTHER,
    }
}

/// Roots for a dump without roots: its classes and threads.
pub(super) fn roots_of<S: DumpSource>(source: &S) -> Result<(Vec<DumpedRoot>, Vec<DumpedThread>), S::Error> {
    let classes = &source.outline().classes;
    let root = |id: u64, kind: RootKind| DumpedRoot { id, kind, thread: None, method: None, depth: 0 };
    let mut roots: Vec<DumpedRoot> =
        classes.iter().filter_map(|class| Some(root(class.mirror?, RootKind::Class))).collect();
    let mut found = Threads { is_thread: are_threads(classes), ids: Vec::new() };
    if found.is_thread.contains(&true) {
        for part in 0..source.part_count() {
            source.read_part(part, &mut found)?;
        }
    }
    let threads = found.ids.iter().map(|&id| DumpedThread { id, name: String::new() }).collect();
    roots.extend(found.ids.iter().map(|&id| root(id, RootKind::Thread)));
    Ok((roots, threads))
}

/// By class: whether its instances are threads.
fn are_threads(classes: &[DumpedClass]) -> Vec<bool> {
    const DEEPEST: usize = 50;
    let is_thread = |class: usize| {
        let upward = |&class: &usize| classes.get(class)?.class.superclass.map(ClassIdx::at);
        let mut chain = std::iter::successors(Some(class), upward).take(DEEPEST);
        chain.any(|class| classes.get(class).is_some_and(|class| class.class.name == THREAD))
    };
    (0..classes.len()).map(is_thread).collect()
}

struct Threads {
    is_thread: Vec<bool>,
    ids: Vec<u64>,
}

impl DumpSink for Threads {
    const TAKES_REFERENCES: bool = false;

    fn object(&mut self, object: DumpedObject) {
        if self.is_thread.get(object.class.at()) == Some(&true) {
            self.ids.push(object.id);
        }
    }

    fn reference(&mut self, _label: Label, _referee: u64) {}
}
