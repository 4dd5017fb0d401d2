//! A heap from a capture by address: a stream of chunks that identifies objects by their addresses.
//!
//! Addresses become dense indexes in their own order ([`super::places`]). Then several threads fill columns and rows,
//! for each chunk can be read alone. The heap is the same whatever the number of threads. If a stream has several
//! faults, the reported one may differ. All data are proved before use ([`proof`]), and no bytes cause more memory than
//! they justify.
//!
//! Reading order: [`stream`], [`survey`], [`class_ids`], [`columns`], [`describe`],
//! [`rows`] with [`stretches`] and [`sizes`], [`proof`], [`unproven`].

mod class_ids;
mod columns;
mod describe;
mod proof;
mod rows;
mod sizes;
mod stream;
mod stretches;
mod survey;
mod unproven;

pub(super) use stream::Stream;
pub use unproven::Unproven;

use super::builder::Described;
use super::edges::{self, Cut};
use super::kinds::Kinds;
use super::object_ids::ObjectIds;
use super::places::Places;
use super::resolve::Lookup;
use super::seen::Marks;
use super::{Heap, HeapError, ObjectIdx};
use class_ids::ClassIds;
use proof::Sentinels;
use rootbound_wire::graph::{Address, StreamRoot};
use rootbound_wire::ids::{MethodId, ObjectId};
use rootbound_wire::message::{self as wire, RootKind};
use rows::Rows;
use sizes::Sizes;
use survey::Survey;

/// Builds the heap from the stream and the data reported next to it.
pub(super) fn build(mut stream: Stream, mut described: Described) -> Result<Heap, HeapError> {
    let done = described.done.take().ok_or(Unproven::Unfinished)?;
    let mut survey = stream.take_survey()?;
    proof::counts(&survey, &done)?;
    let chunks = stream.chunks();
    let places = Places::new(&std::mem::take(&mut survey.spread)).ok_or(HeapError::TooLarge)?;
    let sentinels = Sentinels::new(&survey.sentinels, &places)?;
    let named = named(&survey, &places)?;
    let ids = ObjectIds::of_some(named.clone()).ok_or(Unproven::ToldTwice { what: "name" })?;
    described.keep_known(&ids);
    let lookup = Lookup { ids: &ids };
    let mut classes = lookup.classes(&described.classes)?;
    let class_ids = ClassIds::new(&named, &classes);
    let mut columns = columns::read(&chunks, &places, &class_ids, &survey)?;
    let marks =
        Marks::new(places.object_count(), columns.seen(&survey.snapshots), Some(done.snapshot), described.marks.take());
    let class_of = describe::describe(columns, &survey, &places, &class_ids, &described, &mut classes)?;
    let threads = lookup.threads(std::mem::take(&mut described.threads))?;
    let roots = survey.roots.iter().map(|&(object, kind)| Ok((index("GC root", &places, object)?, root_kind(kind))));
    let mut roots = lookup.roots(roots, &threads, &described.methods)?;
    let class_roots = edges::class_roots(&classes, &class_of, &marks.generation, marks.latest);
    roots.extend(class_roots.iter().map(|&mirror| super::Root::class(mirror)));
    let sizes = Sizes::new(&survey, &places)?;
    // A head that the walk did not meet is not reachable.
    let heads = survey.heads.iter().filter_map(|&(number, address)| Some((places.index(address)?, number))).collect();
    drop(survey);
    let (references, referents) = {
        let cut = Cut::new(&classes, &class_roots, class_of.len(), described.rules);
        let class_edges = rows::class_edges(&class_ids, &cut);
        let rows = Rows::new(&places, &class_ids, &class_of, &cut, &class_edges, sentinels.objects());
        let counted = rows.count(&chunks)?;
        sentinels.check(&counted.witnesses)?;
        drop(chunks);
        rows.write(stream, &counted, &sizes)?
    };
    let kinds = Kinds::new(&class_of, &sizes.finish()?);
    Ok(Heap { kinds, marks, classes, references, referents, roots, threads, ids, heads })
}

fn index(by: &'static str, places: &Places, address: Address) -> Result<ObjectIdx, Unproven> {
    places.index(address).ok_or(Unproven::Unexpanded { by })
}

/// The objects that have names.
fn named(survey: &Survey, places: &Places) -> Result<Vec<(ObjectIdx, ObjectId)>, Unproven> {
    let with_names = survey.named.iter().filter_map(|&(id, address)| Some((id?, address)));
    with_names.map(|(id, address)| Ok((index("name", places, address)?, id))).collect()
}

fn root_kind(kind: StreamRoot) -> RootKind {
    match kind {
        StreamRoot::JniGlobal => RootKind::JniGlobal,
        StreamRoot::SystemClass => RootKind::SystemClass,
        StreamRoot::Monitor => RootKind::Monitor,
        StreamRoot::Thread => RootKind::Thread,
        StreamRoot::Other => RootKind::Other,
        StreamRoot::StackLocal { thread, depth, method } => {
            RootKind::StackLocal { thread, depth, method: (method != 0).then_some(MethodId(method)) }
        }
        StreamRoot::JniLocal { thread, depth } => RootKind::JniLocal { thread, depth },
    }
}

impl Described {
    /// Drops classes and threads that the walk did not meet: they ended or began meanwhile.
    fn keep_known(&mut self, ids: &ObjectIds) {
        let is_known = |id: ObjectId| ids.index(id).is_some();
        self.classes.retain(|class: &wire::ClassRecord| is_known(class.object));
        self.threads.retain(|thread| is_known(thread.object));
        for class in &mut self.classes {
            class.loader = class.loader.filter(|&loader| is_known(loader));
        }
    }
}
