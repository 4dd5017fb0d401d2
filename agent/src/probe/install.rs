//! Installation: what a probe names becomes weak references, checked fields and a route. Runs once, reads the tags of
//! the capture for the last time, visits nothing.

use super::live::{LivePlace, LiveReader};
use super::reader::HeapReader;
use super::route::{Place, Route, Step};
use crate::identity::tag::Tag;
use crate::jvmti::env::Env;
use crate::jvmti::jni::{FieldHandle, Jni, Local, Weak};
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::{OwnerRef, ProbeSpec, RoutePlace, RouteStep, RouteVia};
use std::collections::HashMap;

/// The objects that the probes of one installation name.
pub type Objects<'j> = HashMap<ObjectId, Local<'j>>;

/// A probe's hold on the JVM.
pub struct Installed {
    /// Where each traversal starts.
    pub owner: Weak,
    /// Classes and fields of the route.
    pub places: Vec<LivePlace>,
    /// The route without its names.
    pub route: Route,
}

/// Finds all objects that the probes name, in one scan of the tag table.
pub fn objects_of<'j>(jni: &'j Jni, tags: &Env, snapshot: SnapshotId, specs: &[ProbeSpec]) -> Objects<'j> {
    let mut ids: Vec<ObjectId> = specs.iter().flat_map(named).collect();
    ids.sort_unstable();
    ids.dedup();
    // A tag carries the first snapshot too, which the id does not tell: try each that there can be.
    let tags_of = |id: &ObjectId| {
        let id = id.0;
        (1..=snapshot.0).map(move |first_seen| Tag { id, first_seen, capture: snapshot.0 }.encode(0))
    };
    let candidates: Vec<i64> = ids.iter().flat_map(tags_of).collect();
    let found = tags.objects_with_tags(jni, &candidates).unwrap_or_default().into_iter();
    found.filter_map(|(tag, object)| Some((Tag::decode(tag).id_in(snapshot)?, object))).collect()
}

fn named(spec: &ProbeSpec) -> Vec<ObjectId> {
    let declaring = spec.places.iter().flat_map(|place| &place.steps).filter_map(|step| match &step.via {
        RouteVia::Field { declaring, .. } => Some(*declaring),
        RouteVia::StaticField { .. } | RouteVia::ArrayElement => None,
    });
    let owner = match &spec.owner {
        OwnerRef::Id(id) => Some(*id),
        OwnerRef::Marked { .. } | OwnerRef::Path(_) => None,
    };
    spec.places.iter().map(|place| place.class).chain(owner).chain(declaring).collect()
}

/// Resolves one probe.
///
/// # Errors
/// Why it cannot run, for people to read.
pub fn install(jni: &Jni, tags: &Env, objects: &Objects<'_>, spec: &ProbeSpec) -> Result<Installed, String> {
    let weak = |object: &Local<'_>| jni.weaken(object).ok_or("the JVM is out of references");
    let OwnerRef::Id(owner_id) = &spec.owner else { return Err("owners by mark or path are not found yet".to_owned()) };
    let owner = objects.get(owner_id).ok_or("the owner has been collected")?;
    let mut places = Vec::new();
    for (index, place) in spec.places.iter().enumerate() {
        let class = objects.get(&place.class).ok_or("a class of the route has been unloaded")?;
        let is_mirror = index == 0 && place.class == *owner_id;
        check_kinds(tags, class, place, is_mirror)?;
        let fields =
            place.steps.iter().map(|step| resolve(jni, objects, class, &step.via)).collect::<Result<_, _>>()?;
        places.push(LivePlace { class: weak(class)?, is_mirror, fields });
    }
    let route = route(&spec.places)?;
    if !LiveReader::new(jni, None, &places).is_some_and(|reader| reader.admits(0, owner)) {
        return Err("the owner is no instance of the class of place 0".to_owned());
    }
    Ok(Installed { owner: weak(owner)?, places, route })
}

/// Array steps belong to arrays of references, static fields to a class itself: anything else would read wild memory.
fn check_kinds(tags: &Env, class: &Local<'_>, place: &RoutePlace, is_mirror: bool) -> Result<(), String> {
    let signature = tags.class_signature(class);
    let is_array = !is_mirror && (signature.starts_with("[L") || signature.starts_with("[["));
    let fits = |via: &RouteVia| match via {
        RouteVia::ArrayElement => is_array,
        RouteVia::StaticField { .. } => is_mirror,
        RouteVia::Field { .. } => true,
    };
    if place.steps.iter().all(|step| fits(&step.via)) {
        Ok(())
    } else {
        Err(format!("a step does not fit objects of {signature}"))
    }
}

fn resolve(jni: &Jni, objects: &Objects<'_>, class: &Local<'_>, via: &RouteVia) -> Result<Option<FieldHandle>, String> {
    let missing = |name: &str| format!("no field {name} in the class");
    match via {
        RouteVia::ArrayElement => Ok(None),
        RouteVia::StaticField { name, descriptor } => {
            reference(name, descriptor)?;
            jni.field(class, name, descriptor, true).map(Some).ok_or_else(|| missing(name))
        }
        RouteVia::Field { declaring, name, descriptor } => {
            reference(name, descriptor)?;
            let declaring = objects.get(declaring).ok_or("a declaring class has been unloaded")?;
            if !jni.is_subclass(class, declaring) {
                return Err(format!("the class of the place does not inherit the field {name}"));
            }
            jni.field(declaring, name, descriptor, false).map(Some).ok_or_else(|| missing(name))
        }
    }
}

/// Only references are ever read: a primitive read as one would be a wild pointer.
fn reference(name: &str, descriptor: &str) -> Result<(), String> {
    if descriptor.starts_with(['L', '[']) { Ok(()) } else { Err(format!("the field {name} holds no reference")) }
}

fn route(places: &[RoutePlace]) -> Result<Route, String> {
    let step = |step: &RouteStep| {
        let to: Vec<usize> = step.to.iter().map(|&to| usize::from(to)).collect();
        let inside = to.iter().all(|&to| to < places.len());
        inside.then_some(Step { is_array: step.via == RouteVia::ArrayElement, to })
    };
    let place = |place: &RoutePlace| {
        let steps = place.steps.iter().map(step).collect::<Option<_>>()?;
        Some(Place { counts: place.counts, steps })
    };
    let places = places.iter().map(place).collect::<Option<_>>().ok_or("a step leads to a place that is not there")?;
    Ok(Route { places })
}
