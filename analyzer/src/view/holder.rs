//! Holders of growing structures and the elements that they gain, in the words of the program: `Shop.sessions`, and the
//! path there without the internals of the JDK. For people alone; reports keep the whole names.

use crate::naming::class::{is_array, is_platform, short_name};
use crate::naming::collections::{Members, is_internal, is_of_the_jdk, is_part};
use crate::naming::stretches::{self, Numbered, Referrer, Stretch};
use crate::naming::{GcRoot, Origin, Route};
use crate::report::trace::growing_stretch;
use crate::report::{Frame, Region};
use crate::units;
use std::collections::HashMap;

/// Stands before the field of a class.
const STATIC: &str = "static ";

/// Separator of two parts of a path.
const NEXT: &str = " → ";

/// Text for values that only code on their thread can reach.
const THREAD_LOCAL: &str = "thread locals";

/// Text for elements of unknown class.
const ELEMENTS: &str = "elements";

/// Fields by which a thread holds its thread-local values.
const THREAD_LOCALS: [&str; 2] = ["threadLocals", "inheritableThreadLocals"];

/// Holder of a growing structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Holder {
    /// `Shop.sessions`, `Shop.byUser[*]` for elements of a collection, `local variable of Main.main`.
    pub name: String,
    /// Its class, where it adds information: `HashMap`.
    pub kind: Option<String>,
    /// The path there: `static Shop.context`, `Context.services[*]`, `SessionService.sessions`.
    pub way: Vec<String>,
}

impl Holder {
    /// Holder of a region's structure.
    #[must_use]
    pub fn of(region: &Region) -> Self {
        let is_chain = has_many_behind_a_field(region);
        let mut parts = region.route.route().map_or_else(Parts::default, |route| parts(route, is_chain));
        match parts.last() {
            Some(last) if last.text == THREAD_LOCAL => {
                Self { name: parts.into_texts().join(NEXT), kind: None, way: Vec::new() }
            }
            Some(last) => Self {
                name: last.text.trim_start_matches(STATIC).to_owned(),
                kind: parts.pop_kind(),
                way: parts.into_texts(),
            },
            None => Self { name: region.owner_proxy.path.to_string(), kind: None, way: Vec::new() },
        }
    }

    /// `static Shop.context → Context.services[*] → SessionService.sessions`; `None` where the name already states it.
    #[must_use]
    pub fn way(&self) -> Option<String> {
        (self.way.len() > 1).then(|| self.way.join(NEXT))
    }
}

/// Whether a field that leads to one object has several members behind it: then they refer to each other.
fn has_many_behind_a_field(region: &Region) -> bool {
    region.buffer_slots.is_none() && region.proxy_size > region.alike
}

/// `Shop.sessions (HashMap)`; for several merged structures `Shop.sessions (3 × HashMap)`.
#[must_use]
pub fn structure(region: &Region) -> String {
    let Holder { name, kind, .. } = Holder::of(region);
    let kind = match (kind, region.alike) {
        (kind, 0..=1) => kind,
        (Some(kind), alike) => Some(format!("{} × {kind}", units::grouped(alike))),
        (None, alike) => Some(format!("{} alike", units::grouped(alike))),
    };
    kind.map_or(name.clone(), |kind| format!("{name} ({kind})"))
}

/// The names of several structures, each as of [`structure`]. Where names are equal, the elements are added
/// (`SSMS.data (ConcurrentHashMap) of Long`), and where that does not help, the beginning of the path there.
#[must_use]
pub fn structures(regions: &[&Region]) -> Vec<String> {
    let with = |names: Vec<String>, more: &dyn Fn(&Region) -> Option<String>| -> Vec<String> {
        let mut count: HashMap<String, u32> = HashMap::new();
        names.iter().for_each(|name| *count.entry(name.clone()).or_default() += 1);
        let longer = |(name, region): (String, &&Region)| match more(region).filter(|_| count[&name] > 1) {
            Some(more) => format!("{name} {more}"),
            None => name,
        };
        names.into_iter().zip(regions).map(longer).collect()
    };
    let names = regions.iter().map(|region| structure(region)).collect();
    let names = with(names, &|region| Some(format!("of {}", element(region))));
    with(names, &|region| Some(format!("in {}", Holder::of(region).way.first()?.trim_start_matches(STATIC))))
}

/// Class of the element that the program adds: `Session`, not a node of a map. Where each entry holds a collection, it is
/// `ArrayList of Session`, since there may be several in one. A map of which key and value are the JDK's gains
/// `entries of String and SoftReference`. Unknown ones are `entries` or `elements`.
#[must_use]
pub fn element(region: &Region) -> String {
    let counted = region.counted_class();
    if region.buffer_slots.is_some() {
        let whose = if region.alike > 1 { "their" } else { "its" };
        return format!("slots of {whose} {}", short_name(counted));
    }
    if region.entry.is_some() || !is_node(counted) {
        return short_name(counted);
    }
    let route = region.route.route();
    let carried = route.map_or(&[][..], |route| &route.carried);
    let own = |class: &&String| !is_platform(class) && !is_array(class);
    if let Some(class) = carried.iter().find(own) {
        return short_name(class);
    }
    if let Some(class) = region.members.iter().find(own).map(|class| short_name(class)) {
        let collection = carried.iter().find(|class| is_internal(class) && !is_part(class));
        return collection.map_or(class.clone(), |collection| format!("{} of {class}", short_name(collection)));
    }
    let put_in: Vec<&String> = carried.iter().filter(|class| !is_node(class)).collect();
    match put_in[..] {
        [key, value] if route.is_some_and(is_map) => {
            format!("{} of {} and {}", Members::Entries, short_name(key), short_name(value))
        }
        [class, ..] => short_name(class),
        [] if is_array(counted) => short_name(counted),
        [] if route.is_some_and(is_map) => Members::Entries.to_string(),
        [] => ELEMENTS.to_owned(),
    }
}

/// Whether the class is a node of the JDK that holds an object of the program.
fn is_node(class: &str) -> bool {
    is_part(class) || is_platform(class) && class.contains('$')
}

fn is_map(route: &Route) -> bool {
    matches!(stretches::stretches(route).last(), Some((_, Stretch::Collection { members: Members::Entries, .. })))
}

/// `Shop.add`: short name of the method of a frame.
#[must_use]
pub fn method(frame: &Frame) -> String {
    format!("{}.{}", short_name(&frame.class), frame.method)
}

/// Parts of a path under construction.
#[derive(Default)]
struct Parts(Vec<Part>);

struct Part {
    text: String,
    kind: Option<String>,
}

impl Parts {
    fn push(&mut self, text: String, kind: Option<String>) {
        self.0.push(Part { text, kind });
    }

    fn last(&self) -> Option<&Part> {
        self.0.last()
    }

    fn pop_kind(&mut self) -> Option<String> {
        self.0.last_mut().and_then(|last| last.kind.take())
    }

    fn into_texts(self) -> Vec<String> {
        self.0.into_iter().map(|part| part.text).collect()
    }

    /// Continues the path with `elements` elements of the last part.
    fn enter(&mut self, elements: usize) {
        if let Some(last) = self.0.last_mut().filter(|_| elements > 0) {
            last.text.push_str(&"[*]".repeat(elements));
            last.kind = None;
        }
    }
}

/// Where `is_chain`, a field of the program in which the route ends holds a chain.
fn parts(route: &Route, is_chain: bool) -> Parts {
    let stretches = stretches::stretches(route);
    let grows = growing_stretch(route, &stretches);
    let tree = tree(&stretches, grows);
    let mut parts = Parts::default();
    if let Some(text) = beginning(&route.origin) {
        parts.push(text, None);
    }
    for (at, (first, stretch)) in stretches.iter().enumerate().take(grows + 1) {
        let is_last = at == grows;
        match stretch {
            Stretch::Field { of: Referrer::Class(node), .. } if tree == Some(at) => {
                parts.set_kind(tree_of(node));
                break;
            }
            Stretch::Field { of, field: Some(field), elements, is_of_program } => {
                let leads_to = &route.hops[*first].class;
                match (is_of_program, of) {
                    (_, Referrer::Origin(Origin::Static(_))) | (true, _) => {
                        parts.push(format!("{}.{field}", referrer(of)), kind(leads_to));
                        if is_chain && is_last && *elements == 0 && !is_of_the_jdk(leads_to) {
                            parts.set_kind(chain_of(leads_to));
                        }
                        parts.enter_array(*elements, is_last);
                    }
                    _ if THREAD_LOCALS.contains(field) => parts.push(THREAD_LOCAL.to_owned(), None),
                    _ => {}
                }
            }
            Stretch::Field { elements, .. } => parts.enter_array(*elements, is_last),
            Stretch::Chain { of, .. } if is_last => parts.set_kind(chain_of(of)),
            Stretch::Chain { .. } => {}
            Stretch::Collection { class, .. } => {
                parts.set_kind(short_name(class));
                parts.enter(usize::from(!is_last));
            }
        }
    }
    parts
}

impl Parts {
    fn set_kind(&mut self, kind: String) {
        if let Some(last) = self.0.last_mut() {
            last.kind = Some(kind);
        }
    }

    /// Adds the array that grows: it is itself the holder, and its elements are the gain.
    fn enter_array(&mut self, elements: usize, is_last: bool) {
        self.enter(elements.saturating_sub(usize::from(is_last)));
    }
}

/// A class that is more informative than the name of its field.
fn kind(class: &str) -> Option<String> {
    Some(short_name(class)).filter(|name| !name.is_empty())
}

fn chain_of(class: &str) -> String {
    format!("chain of {}", short_name(class))
}

fn tree_of(class: &str) -> String {
    format!("tree of {}", short_name(class))
}

/// Index of the first stretch within a tree, where the array that grows belongs to a node among nodes. The stretch
/// before holds the tree.
fn tree(stretches: &[Numbered<'_>], grows: usize) -> Option<usize> {
    let recurs = |at: usize| {
        let of = place(&stretches[at].1);
        of.is_some() && stretches[at + 1..].iter().any(|(_, stretch)| place(stretch) == of)
    };
    (1..=grows).rev().take_while(|&at| recurs(at)).last()
}

/// Class and field of a reference.
fn place<'a>(stretch: &Stretch<'a>) -> Option<(&'a str, &'a str)> {
    match *stretch {
        Stretch::Field { of: Referrer::Class(class), field: Some(field), .. } => Some((class, field)),
        _ => None,
    }
}

/// Text of the path's beginning, where the first field does not state it.
fn beginning(origin: &Origin) -> Option<String> {
    match origin {
        Origin::Static(_) | Origin::Object(_) => None,
        Origin::Thread(name) => Some(format!("thread \"{name}\"")),
        Origin::Held(GcRoot::Local { method: Some(method), thread }, _) => {
            let thread = thread.as_ref().map_or_else(String::new, |name| format!(" (thread \"{name}\")"));
            Some(format!("local variable of {}{thread}", short_method(method)))
        }
        Origin::Held(GcRoot::Class, _) => Some(GcRoot::Other.to_string()),
        Origin::Held(root, _) => Some(root.to_string()),
        Origin::Unreached(start) => Some(start.to_string()),
        Origin::AsRead(text) => Some(text.clone()),
    }
}

/// `com.example.Shop$Cart.add` → `Cart.add`.
fn short_method(method: &str) -> String {
    match method.rsplit_once('.') {
        Some((class, name)) => format!("{}.{name}", short_name(class)),
        None => method.to_owned(),
    }
}

fn referrer(of: &Referrer<'_>) -> String {
    match of {
        Referrer::Origin(Origin::Static(class)) => format!("{STATIC}{}", short_name(class)),
        Referrer::Origin(Origin::Held(_, class) | Origin::Object(class)) => short_name(class),
        Referrer::Origin(Origin::Thread(_)) => "Thread".to_owned(),
        Referrer::Origin(Origin::Unreached(start)) => short_name(&start.class),
        Referrer::Origin(Origin::AsRead(text)) => text.clone(),
        Referrer::Class(class) => short_name(class),
    }
}

#[cfg(test)]
#[path = "holder_tests.rs"]
mod tests;
