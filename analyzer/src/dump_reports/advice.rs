//! One line of advice for each kind of suspect (HeapLens, *cards of suspects*): the reason why such objects stay, and
//! where a change helps.

use crate::naming::Kind;
use crate::report::dump::{SuspectKind, SuspectRow};

/// The kind of a suspect whose objects are described.
pub(super) fn kind(row: &SuspectRow) -> SuspectKind {
    let Some(held) = &row.object else { return SuspectKind::Class };
    match held.kind {
        Kind::ClassLoader => SuspectKind::Loader,
        Kind::Thread => SuspectKind::Thread,
        Kind::Class => SuspectKind::Statics,
        Kind::Object if row.phase == 1 => SuspectKind::Loader,
        Kind::Object => {
            let has_entries = held.contents.as_ref().is_some_and(|contents| contents.entry_count > 1);
            if has_entries || held.node_count > 1 { SuspectKind::Collection } else { SuspectKind::Object }
        }
    }
}

/// The advice.
pub(super) fn sentence(row: &SuspectRow) -> String {
    let text = match row.kind {
        SuspectKind::Loader if row.is_built_in => {
            "this loader stays as long as the program; look at the place where memory accumulates"
        }
        SuspectKind::Loader => {
            "a class loader stays while anything refers to it, to its classes or to their objects; end the threads of its \
             component, and remove what it has registered: listeners, drivers, thread locals"
        }
        SuspectKind::Thread => {
            "a thread keeps its fields, thread locals and local variables until it ends; end it, or clear what it no \
             longer needs"
        }
        SuspectKind::Statics => {
            "static fields stay as long as their class; set them to null after use, or bound the structures in them"
        }
        SuspectKind::Collection => {
            "a collection keeps its entries until they are removed; remove them after use, or bound their number"
        }
        SuspectKind::Object => {
            "this object stays while the last reference of its path does; clear that reference after use"
        }
        SuspectKind::Class => {
            "no instance is large, but they are many; `rootbound holders FILE --of CLASS` lists the fields that refer to \
             them"
        }
    };
    text.to_owned()
}
