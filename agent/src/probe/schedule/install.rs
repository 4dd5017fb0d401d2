//! Installation: turns the names in a probe into weak references, checked fields and a route. Runs once, visits
//! nothing.

use super::install_error::InstallError;
use super::names::Names;
use crate::jvmti::checked::{Elements, FieldHandle, HeldClass, NumberHandle};
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Local, NoReferences, Weak};
use crate::probe::reading::live::{LivePlace, LiveReader};
use crate::probe::reading::live_counter::{LiveCells, LiveCounter, LiveField};
use crate::probe::reading::reader::HeapReader;
use crate::probe::route::automaton::{Place, Route, Step};
use crate::probe::route::sum::Sum;
use rootbound_wire::message::{CounterSpec, NumberField, ProbeShape, ProbeSpec, RoutePlace, RouteStep, RouteVia};

/// Candidate counters of one probe.
const MOST_COUNTERS: usize = 32;

/// A probe's hold on the JVM.
pub struct Installed {
    /// Where each traversal starts.
    pub owner: Weak,
    /// Classes and fields of the route.
    pub places: Vec<LivePlace>,
    /// The route without its names.
    pub route: Route,
    /// Candidate counters; `None` for those that do not exist here.
    pub counters: Vec<Option<LiveCounter>>,
    /// For those that are sums: the place of the objects that have the number.
    pub summed_at: Vec<Option<u16>>,
    /// The kind of structure.
    pub shape: ProbeShape,
}

impl Installed {
    /// Whether members are reachable by several paths each.
    pub fn is_tangled(&self) -> bool {
        self.shape == ProbeShape::Tangled
    }

    /// The walks to the parts whose numbers are added up, by counter.
    pub fn sums(&self) -> Vec<Option<Sum>> {
        self.summed_at.iter().map(|place| place.map(|place| Sum::over(&self.route, usize::from(place)))).collect()
    }
}

/// Resolves one probe.
///
/// # Errors
/// The reason why it cannot run.
pub fn install(names: &Names<'_, '_>, spec: &ProbeSpec) -> Result<Installed, InstallError> {
    let jni = names.jni;
    let owner = names.owner(&spec.owner)?;
    let mut places = Vec::new();
    for (index, place) in spec.places.iter().enumerate() {
        let class = names.class(place.class).ok_or(InstallError::Unloaded)?;
        // The owner is itself a class, and place 0 is that class: its static fields are read.
        let is_mirror = index == 0 && jni.same(&owner, class);
        check_kinds(names.env(), class, place, is_mirror)?;
        if matches!(spec.shape, ProbeShape::Buffer { .. }) && place.counts {
            check_array(names.env(), class)?;
        }
        let class = held(names, class);
        let fields = place.steps.iter().map(|step| resolve(names, &class, &step.via)).collect::<Result<_, _>>()?;
        places.push(LivePlace { class: class.weaken(jni).ok_or(NoReferences)?, is_mirror, fields });
    }
    let route = route(&spec.places, spec.shape)?;
    if !LiveReader::new(jni, None, &places, &[]).is_some_and(|reader| !places.is_empty() && reader.admits(0, &owner)) {
        return Err(InstallError::ForeignOwner);
    }
    let own = spec.places.first().and_then(|place| names.class(place.class)).ok_or(InstallError::NoPlaces)?;
    let specs = || spec.counters.iter().take(MOST_COUNTERS);
    let counters = specs().map(|each| resolve_counter(names, own, each)).collect();
    let summed_at = specs().map(|each| each.summed_at).collect();
    let owner = jni.weaken(&owner).ok_or(NoReferences)?;
    Ok(Installed { owner, places, route, counters, summed_at, shape: spec.shape })
}

/// The classes that every object on the path must have are checked whenever it is read.
fn resolve_counter(names: &Names<'_, '_>, own: &Local<'_>, spec: &CounterSpec) -> Option<LiveCounter> {
    let way = spec.way.iter().map(|via| reference_of(names, own, via)).collect::<Option<_>>()?;
    let cells = match &spec.cells {
        None => None,
        Some(cells) if is_array_of_objects(&cells.array) => {
            Some(LiveCells::new(reference_of(names, own, &cells.array)?))
        }
        Some(_) => return None,
    };
    Some(LiveCounter { way, number: number_of(names, &spec.number)?, cells })
}

fn held<'a, 'j>(names: &Names<'_, '_>, class: &'a Local<'j>) -> HeldClass<&'a Local<'j>> {
    HeldClass::new(names.env(), class)
}

fn is_array_of_objects(via: &RouteVia) -> bool {
    matches!(via, RouteVia::Field { descriptor, .. } if Elements::of_signature(descriptor) == Elements::References)
}

/// Static fields are those of an owner that is itself a class, `own`.
fn reference_of(names: &Names<'_, '_>, own: &Local<'_>, via: &RouteVia) -> Option<LiveField<FieldHandle>> {
    let (declaring, name, descriptor, is_static) = match via {
        RouteVia::Field { declaring, name, descriptor } => (names.class(*declaring)?, name, descriptor, false),
        RouteVia::StaticField { name, descriptor } => (own, name, descriptor, true),
        RouteVia::ArrayElement | RouteVia::Slot(_) => return None,
    };
    let class = held(names, declaring);
    let field = class.reference_field(names.jni, names.env(), declaring, (name, descriptor, is_static))?;
    Some(LiveField { declaring: class.weaken(names.jni)?, field })
}

fn number_of(names: &Names<'_, '_>, spec: &NumberField) -> Option<LiveField<NumberHandle>> {
    let class = held(names, names.class(spec.declaring)?);
    let field = class.number_field(names.env(), &spec.name, &spec.descriptor, spec.is_static)?;
    Some(LiveField { declaring: class.weaken(names.jni)?, field })
}

/// Array steps belong to arrays of references, static fields to a class itself: anything else would read wild memory.
fn check_kinds(tags: &Env, class: &Local<'_>, place: &RoutePlace, is_mirror: bool) -> Result<(), InstallError> {
    let signature = tags.class_signature(class);
    let is_array = !is_mirror && Elements::of_signature(&signature) == Elements::References;
    let fits = |via: &RouteVia| match via {
        RouteVia::ArrayElement | RouteVia::Slot(_) => is_array,
        RouteVia::StaticField { .. } => is_mirror,
        RouteVia::Field { .. } => true,
    };
    if place.steps.iter().all(|step| fits(&step.via)) { Ok(()) } else { Err(InstallError::Misfit(signature)) }
}

/// The length is asked of arrays alone.
fn check_array(tags: &Env, class: &Local<'_>) -> Result<(), InstallError> {
    let signature = tags.class_signature(class);
    let is_array = Elements::of_signature(&signature) != Elements::None;
    is_array.then_some(()).ok_or(InstallError::NoArray(signature))
}

fn resolve(
    names: &Names<'_, '_>,
    class: &HeldClass<&Local<'_>>,
    via: &RouteVia,
) -> Result<Option<FieldHandle>, InstallError> {
    let find = |declaring: &Local<'_>, name: &str, descriptor: &str, is_static: bool| {
        reference(name, descriptor)?;
        let field = class.reference_field(names.jni, names.env(), declaring, (name, descriptor, is_static));
        field.map(Some).ok_or_else(|| InstallError::NoField(name.to_owned()))
    };
    match via {
        RouteVia::ArrayElement | RouteVia::Slot(_) => Ok(None),
        RouteVia::StaticField { name, descriptor } => find(class.mirror(), name, descriptor, true),
        RouteVia::Field { declaring, name, descriptor } => {
            let declaring = names.class(*declaring).ok_or(InstallError::DeclaringUnloaded)?;
            if !names.jni.is_subclass(class.mirror(), declaring) {
                return Err(InstallError::NotInherited(name.clone()));
            }
            find(declaring, name, descriptor, false)
        }
    }
}

/// Only references are ever read: a primitive read as one would be a wild pointer.
fn reference(name: &str, descriptor: &str) -> Result<(), InstallError> {
    if descriptor.starts_with(['L', '[']) { Ok(()) } else { Err(InstallError::NoReference(name.to_owned())) }
}

fn route(places: &[RoutePlace], shape: ProbeShape) -> Result<Route, InstallError> {
    let step = |step: &RouteStep| {
        let to: Vec<usize> = step.to.iter().map(|&to| usize::from(to)).collect();
        let inside = to.iter().all(|&to| to < places.len());
        let slot = if let RouteVia::Slot(slot) = step.via { Some(slot) } else { None };
        inside.then_some(Step { is_array: step.via == RouteVia::ArrayElement, slot, to })
    };
    let place = |place: &RoutePlace| {
        let steps = place.steps.iter().map(step).collect::<Option<_>>()?;
        Some(Place { counts: place.counts, steps })
    };
    let places = places.iter().map(place).collect::<Option<_>>().ok_or(InstallError::UnknownPlace)?;
    Ok(if shape == ProbeShape::Tangled { Route::of_mesh(places) } else { Route::new(places) })
}
