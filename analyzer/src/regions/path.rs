//! Leak paths in words: root first, one reference a line, fields named.

use super::Region;
use super::route::{self, Route};
use crate::graph::{DominatorTree, RootPaths, shortest_path_within, usual_path_within};
use crate::heap::{Heap, Label, ObjectIdx, Root, RootKind};
use crate::naming::Kind;
use crate::naming::class::simple_name;

/// A way through the heap in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeakPath {
    /// From the leak root to a change-proxy: `class com.example.Shop`, `.orders: java.util.Vector`, ….
    pub steps: Vec<String>,
    /// Which of the steps is the owner-proxy.
    pub owner_at: usize,
    /// From a GC root to the leak root (which is the last).
    pub reached_from: Vec<String>,
    /// The owner-proxy in one expression: `static com.example.Shop.orders`.
    pub owner: String,
    /// The whole way, reference by reference.
    pub route: Route,
}

/// What kind of thing the object is.
pub fn kind(heap: &Heap, object: ObjectIdx) -> Kind {
    if heap.class_of_mirror(object).is_some() {
        Kind::Class
    } else if heap.thread_of(object).is_some() {
        Kind::Thread
    } else {
        Kind::Object
    }
}

/// Class of the object, or for a mirror the class that it stands for.
pub fn class_name(heap: &Heap, object: ObjectIdx) -> &str {
    &heap.classes().get(heap.class_shown_by(object)).name
}

/// What holds an object when all that is known is that the JVM itself does.
const JVM_ROOT: &str = "JVM root";

/// Stands before the number of equal steps.
const REPEATED: char = '×';

/// Change-proxies that are asked for the way to them.
const MAX_ASKED: usize = 25;

/// Words a region's leak path.
pub fn leak_path(heap: &Heap, dominators: &DominatorTree, roots: &RootPaths, region: &Region) -> LeakPath {
    let within = |from, to| shortest_path_within(heap, dominators, from, to).unwrap_or_default();
    let to_owner = within(region.leak_root, region.owner);
    let every = region.changes.len().div_ceil(MAX_ASKED).max(1);
    let asked: Vec<ObjectIdx> = region.changes.iter().copied().step_by(every).collect();
    let to_change = usual_path_within(heap, dominators, region.owner, &asked).unwrap_or_default();
    let mut steps = vec![headline(heap, region.leak_root)];
    steps.extend(step_lines(heap, region.leak_root, &to_owner));
    let owner_at = steps.len() - 1;
    steps.extend(step_lines(heap, region.owner, &to_change));
    let reached = Reached::new(heap, roots, region.leak_root);
    let mut owner = reached.expression(heap);
    if to_owner.iter().any(|step| heap.class_of_mirror(step.1).is_some()) {
        owner = String::new();
    }
    append_expression(heap, region.leak_root, &to_owner, &mut owner);
    let all = [reached.hops.as_slice(), &to_owner, &to_change].concat();
    let mut route = route::route(heap, reached.first, reached.begin(heap), &all, reached.hops.len() + to_owner.len());
    route.carried = route::carried(heap, dominators, region);
    LeakPath { steps, owner_at, reached_from: reached.lines(heap), owner, route }
}

/// The way from a GC root to a leak root, in lines.
pub fn reach(heap: &Heap, roots: &RootPaths, leak_root: ObjectIdx) -> Vec<String> {
    Reached::new(heap, roots, leak_root).lines(heap)
}

/// The way from a GC root to an object as one expression, if it names the same place in every capture: it leads over no element of
/// an array and no chain.
pub(super) fn lasting_name(heap: &Heap, roots: &RootPaths, object: ObjectIdx) -> Option<String> {
    let reached = Reached::new(heap, roots, object);
    let lasts = reached.is_known
        && reached.hops.iter().all(|&(label, object)| label.field_index().is_some() || is_mirror(heap, object));
    lasts.then(|| reached.expression(heap)).filter(|name| !name.contains(REPEATED))
}

fn is_mirror(heap: &Heap, object: ObjectIdx) -> bool {
    heap.class_of_mirror(object).is_some()
}

/// The way from a GC root to a leak root.
struct Reached {
    /// The GC root in words; empty for classes, which speak for themselves, and when none is known.
    origin: String,
    is_known: bool,
    first: ObjectIdx,
    hops: Vec<(Label, ObjectIdx)>,
}

impl Reached {
    fn new(heap: &Heap, roots: &RootPaths, leak_root: ObjectIdx) -> Self {
        let Some(path) = roots.path_to(heap, leak_root) else {
            return Self { origin: String::new(), is_known: false, first: leak_root, hops: Vec::new() };
        };
        let hops = path.steps[1..].iter().filter_map(|&(object, label)| Some((label?, object))).collect();
        Self { origin: root_in_words(heap, &heap.roots()[path.root]), is_known: true, first: path.steps[0].0, hops }
    }

    fn lines(&self, heap: &Heap) -> Vec<String> {
        if !self.is_known {
            return Vec::new();
        }
        let mut lines: Vec<String> = [self.origin.clone(), headline(heap, self.first)].into();
        lines.extend(step_lines(heap, self.first, &self.hops));
        lines.retain(|line| !line.is_empty());
        lines
    }

    /// The beginning of an expression.
    fn begin(&self, heap: &Heap) -> String {
        match kind(heap, self.first) {
            Kind::Object | Kind::ClassLoader if self.is_known => {
                // The JVM tells some of its own objects among the classes.
                let origin = if self.origin.is_empty() { JVM_ROOT } else { &self.origin };
                format!("{origin} → {}", simple_name(class_name(heap, self.first)))
            }
            _ => begin_expression(heap, self.first),
        }
    }

    /// As one expression.
    fn expression(&self, heap: &Heap) -> String {
        let mut expression = if self.is_known { self.begin(heap) } else { headline(heap, self.first) };
        append_expression(heap, self.first, &self.hops, &mut expression);
        expression
    }
}

fn root_in_words(heap: &Heap, root: &Root) -> String {
    let thread = root.thread.map(|thread| heap.threads()[thread.0 as usize].name.as_str());
    match root.kind {
        RootKind::Class => String::new(),
        RootKind::Thread => "live thread".to_owned(),
        RootKind::OnStack => {
            let frame = root.method.as_deref().map(|method| format!(" of {method}")).unwrap_or_default();
            let of_thread = thread.map(|name| format!(" (thread \"{name}\")")).unwrap_or_default();
            format!("local variable{frame}{of_thread}")
        }
        RootKind::JniGlobal => "JNI global reference".to_owned(),
        RootKind::Monitor => "held monitor".to_owned(),
        RootKind::Other => JVM_ROOT.to_owned(),
    }
}

/// The first line of a path.
fn headline(heap: &Heap, object: ObjectIdx) -> String {
    match kind(heap, object) {
        Kind::Class => format!("class {}", class_name(heap, object)),
        Kind::Thread => {
            let name = heap.thread_of(object).map_or("", |thread| thread.name.as_str());
            format!("thread \"{name}\": {}", class_name(heap, object))
        }
        Kind::Object | Kind::ClassLoader => class_name(heap, object).to_owned(),
    }
}

fn step_lines(heap: &Heap, from: ObjectIdx, path: &[(Label, ObjectIdx)]) -> Vec<String> {
    let referrers = std::iter::once(from).chain(path.iter().map(|step| step.1));
    let lines = referrers.zip(path).map(|(referrer, &(label, object))| {
        format!("{}: {}", reference_name(heap, referrer, label), class_name(heap, object))
    });
    run_lengths(lines).into_iter().map(|(line, count)| repeated(line, count, " ")).collect()
}

/// Equal neighbours joined, with their number: the way into a list repeats one step as often as the list is long.
fn run_lengths(words: impl Iterator<Item = String>) -> Vec<(String, usize)> {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for word in words {
        match runs.last_mut() {
            Some((last, count)) if *last == word => *count += 1,
            _ => runs.push((word, 1)),
        }
    }
    runs
}

fn repeated(word: String, count: usize, separator: &str) -> String {
    if count == 1 { word } else { format!("{word}{separator}{REPEATED}{count}") }
}

/// Appends a path to an expression. A mirror on the way begins it anew: `static com.example.Shop`; then `.orders`.
fn append_expression(heap: &Heap, from: ObjectIdx, path: &[(Label, ObjectIdx)], expression: &mut String) {
    if expression.is_empty() {
        *expression = begin_expression(heap, from);
    }
    let mut referrer = from;
    let mut names: Vec<String> = Vec::new();
    for &(label, object) in path {
        if heap.class_of_mirror(object).is_some() {
            *expression = begin_expression(heap, object);
            names.clear();
        } else {
            names.push(reference_name(heap, referrer, label));
        }
        referrer = object;
    }
    for (name, count) in run_lengths(names.into_iter()) {
        expression.push_str(&repeated(name, count, ""));
    }
}

pub(super) fn begin_expression(heap: &Heap, object: ObjectIdx) -> String {
    match kind(heap, object) {
        Kind::Class => format!("static {}", class_name(heap, object)),
        Kind::Thread => format!("thread \"{}\"", heap.thread_of(object).map_or("", |thread| &thread.name)),
        Kind::Object | Kind::ClassLoader => class_name(heap, object).to_owned(),
    }
}

/// How a reference is written behind its referrer: `.orders`, `[*]`.
pub fn reference_name(heap: &Heap, referrer: ObjectIdx, label: Label) -> String {
    let class = if label.is_static_field() { heap.class_of_mirror(referrer) } else { Some(heap.class_of(referrer)) };
    if label.is_element() {
        return "[*]".to_owned();
    }
    match class.and_then(|class| heap.classes().field(class, label)) {
        Some(field) => format!(".{}", field.name),
        None if label == Label::CLASS => ".<class>".to_owned(),
        None if label == Label::CLASS_LOADER => ".<loader>".to_owned(),
        None if label == Label::CONSTANT_POOL => ".<constant>".to_owned(),
        None => ".<reference>".to_owned(),
    }
}
