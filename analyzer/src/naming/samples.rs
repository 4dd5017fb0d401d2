//! Routes for tests, made by hand.

use super::{GcRoot, Hop, Origin, Reference, Route};

pub(crate) const MAP: &str = "java.util.HashMap";
pub(crate) const SHOP: &str = "com.example.Shop";

/// `field@declaring: class`; an element of an array is `[*]: class`.
pub(crate) fn hop(text: &str) -> Hop {
    let (reference, class) = text.split_once(": ").unwrap();
    match reference.split_once('@') {
        Some((field, declared_by)) => Hop::new(Reference::Field(field.to_owned()), declared_by, class),
        None => Hop::new(Reference::Element, "", class),
    }
}

pub(crate) fn route(origin: Origin, hops: &[&str], owner_at: usize, carried: &[&str]) -> Route {
    let carried = carried.iter().map(ToString::to_string).collect();
    Route { origin, hops: hops.iter().map(|text| hop(text)).collect(), owner_at, carried }
}

/// References within every map.
pub(crate) fn through_table(field: &str) -> Vec<String> {
    vec![format!("{field}@{SHOP}: {MAP}"), format!("table@{MAP}: {MAP}$Node[]"), format!("[*]: {MAP}$Node")]
}

pub(crate) fn map_of(more: &[&str], owner_at: usize, carried: &[&str]) -> Route {
    let hops = through_table("sessions");
    let hops: Vec<&str> = hops.iter().map(String::as_str).chain(more.iter().copied()).collect();
    route(statics(SHOP), &hops, owner_at, carried)
}

/// The static fields of a class.
pub(crate) fn statics(class: &str) -> Origin {
    Origin::Static(class.to_owned())
}

pub(crate) fn thread(name: &str) -> Origin {
    Origin::Thread(name.to_owned())
}

/// A local variable of `Main.main` that refers to an object of this class.
pub(crate) fn local(class: &str) -> Origin {
    let (method, thread) = (Some("com.example.Main.main".to_owned()), Some("main".to_owned()));
    Origin::Held(GcRoot::Local { method, thread }, class.to_owned())
}
