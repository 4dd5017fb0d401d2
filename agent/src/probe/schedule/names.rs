//! The objects that the probes of one installation name, all found in one search: classes by id, and owners by id, by
//! mark or by path. Owners by path are walked here, once, with JNI reads.

use super::install_error::InstallError;
use crate::identity::live::{self, LivePaths};
use crate::identity::named::{Gone, Ids, Named, Wanted};
use crate::identity::pace::Pace;
use crate::identity::path::arrive;
use crate::identity::plan::Tree;
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, Local};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{CounterSpec, MarkPlan, OwnerRef, ProbeSpec, RouteVia};
use std::time::Duration;

/// References that an installation makes in addition to those to the named objects.
const ROOM: usize = 256;
/// Reads on the path to one owner: a chain of this number of links takes about 0.1 s.
const MOST_READS: u64 = 1 << 20;
const LONGEST: Duration = Duration::from_secs(1);

/// The objects that probes name.
pub struct Names<'e, 'j> {
    /// The work thread.
    pub jni: &'j Jni,
    ids: Ids<'e>,
    named: Named<'j>,
}

/// Local references that the installation of these probes needs at a time.
pub fn room(specs: &[ProbeSpec]) -> usize {
    wanted(specs).room() + ROOM
}

fn wanted(specs: &[ProbeSpec]) -> Wanted {
    let mut wanted = Wanted::default();
    for spec in specs {
        wanted.ids.extend(spec.places.iter().map(|place| place.class));
        let steps = spec.places.iter().flat_map(|place| &place.steps);
        wanted.ids.extend(steps.filter_map(|step| declaring(&step.via)));
        wanted.ids.extend(spec.counters.iter().flat_map(classes_of));
        match &spec.owner {
            OwnerRef::Id(id) => drop(wanted.ids.insert(*id)),
            OwnerRef::Marked { first_seen, number } => drop(wanted.marks.insert((*first_seen, *number))),
            OwnerRef::Path(plan) => {
                let of_plan = live::wanted(plan);
                wanted.ids.extend(of_plan.ids);
                wanted.unique.extend(of_plan.unique);
                wanted.locals.extend(of_plan.locals);
            }
        }
    }
    wanted
}

fn declaring(via: &RouteVia) -> Option<ObjectId> {
    match via {
        RouteVia::Field { declaring, .. } => Some(*declaring),
        RouteVia::StaticField { .. } | RouteVia::ArrayElement | RouteVia::Slot(_) => None,
    }
}

fn classes_of(counter: &CounterSpec) -> Vec<ObjectId> {
    let cells = counter.cells.iter().filter_map(|cells| declaring(&cells.array));
    counter.way.iter().filter_map(declaring).chain([counter.number.declaring]).chain(cells).collect()
}

impl<'e, 'j> Names<'e, 'j> {
    /// Finds all objects that the probes name.
    ///
    /// # Errors
    /// When the JVM refuses, or finds no id.
    pub fn find(jni: &'j Jni, ids: Ids<'e>, specs: &[ProbeSpec]) -> Result<Self, InstallError> {
        let wanted = wanted(specs);
        let named = Named::find(jni, &ids, &wanted)?;
        if !wanted.ids.is_empty() && named.is_empty() {
            return Err(Gone.into());
        }
        Ok(Self { jni, ids, named })
    }

    /// The environment of the ids.
    pub fn env(&self) -> &'e Env {
        self.ids.env
    }

    /// Time for which the search paused the program.
    pub fn pause(&self) -> Duration {
        self.named.pause()
    }

    /// The mirror of a class.
    pub fn class(&self, id: ObjectId) -> Option<&Local<'j>> {
        self.named.id(id)
    }

    /// The owner of a probe.
    ///
    /// # Errors
    /// The reason why it is not found.
    pub fn owner(&self, owner: &OwnerRef) -> Result<Local<'j>, InstallError> {
        let marked = match owner {
            OwnerRef::Id(id) => self.named.id(*id),
            OwnerRef::Marked { first_seen, number } => self.named.marked(*first_seen, *number),
            OwnerRef::Path(plan) => return self.by_path(plan),
        };
        let duplicate = |object: &Local<'j>| self.jni.duplicate(object);
        marked.and_then(duplicate).ok_or(InstallError::OwnerCollected)
    }

    fn by_path(&self, plan: &MarkPlan) -> Result<Local<'j>, InstallError> {
        let tree = Tree::check(plan)?;
        let reader = LivePaths::new(self.jni, self.ids.env, &self.named, plan);
        let mut pace = Pace::new(MOST_READS, LONGEST, &|| false);
        let mut at: Option<(Local<'j>, u32)> = None;
        for (index, number) in tree.path_to_last().into_iter().enumerate() {
            let step = &plan.steps[number as usize];
            let from = at.as_ref().map(|(object, class)| (object, *class));
            let arrived = arrive(&reader, &mut pace, step, from);
            at = Some((arrived.ok_or(InstallError::LedElsewhere { step: index + 1 })?, step.class));
        }
        at.map(|(object, _)| object).ok_or(InstallError::NoStep)
    }
}
