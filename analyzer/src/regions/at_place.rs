//! The objects of a heap at a place. Shortest paths differ from capture to capture, so one structure may have another
//! place in each; an earlier place still leads to it.

use super::path::{class_name, gc_root, reference};
use crate::heap::{Heap, ObjectIdx};
use crate::naming::{Origin, Place, Reference};
use rustc_hash::FxHashSet;

/// Most objects at one step of a place. A place with more names nothing.
const MOST: usize = 1_024;

/// The objects to which a place leads, whichever slots of arrays it goes over; none where there are too many.
#[must_use]
pub fn objects_at(heap: &Heap, place: &Place) -> FxHashSet<ObjectIdx> {
    let mut at: FxHashSet<ObjectIdx> = beginnings(heap, &place.origin).into_iter().collect();
    let references = place.turns.iter().flat_map(|turn| std::iter::repeat_n(&turn.reference, turn.times));
    for such in references {
        at = at.iter().flat_map(|&from| referees(heap, from, such)).take(MOST + 1).collect();
        if at.is_empty() || at.len() > MOST {
            return FxHashSet::default();
        }
    }
    at
}

/// The objects with which a place may begin.
fn beginnings(heap: &Heap, origin: &Origin) -> Vec<ObjectIdx> {
    match origin {
        Origin::Static(class) => {
            let named = heap.classes().iter().filter(|(_, known)| known.name == *class);
            named.filter_map(|(_, class)| class.mirror).collect()
        }
        Origin::Thread(name) => {
            heap.threads().iter().filter(|thread| thread.name == *name).map(|thread| thread.object).collect()
        }
        Origin::Held(held_by, class) => {
            let held = heap.roots().iter().filter(|root| class_name(heap, root.object) == class);
            held.filter(|root| gc_root(heap, root) == *held_by).map(|root| root.object).collect()
        }
        Origin::Object(_) | Origin::Unreached(_) | Origin::AsRead(_) => Vec::new(),
    }
}

/// The objects to which such a reference of an object leads.
fn referees<'a>(heap: &'a Heap, from: ObjectIdx, such: &'a Reference) -> impl Iterator<Item = ObjectIdx> + use<'a> {
    let such = if matches!(such, Reference::Slot(_)) { &Reference::Element } else { such };
    let references = heap.references().labelled(from);
    references.filter(move |&(_, label)| reference(heap, from, label) == *such).map(|(referee, _)| referee)
}
