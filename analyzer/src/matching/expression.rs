//! A named place in one expression: `static com.example.Shop.sessions[*].attributes`.

use super::named::{NamedPlaces, PlaceStep};
use super::places::PlaceIdx;
use crate::heap::RootKind;
use crate::naming::class::simple_name;
use crate::naming::collections;

/// Most steps of an expression that are written out; an ellipsis stands between the first and the last ones.
const SHOWN: usize = 8;

impl NamedPlaces {
    /// The place in one expression; a stretch within a collection of the JDK is `[*]`.
    #[must_use]
    pub fn expression(&self, place: PlaceIdx) -> String {
        let path = self.path(place);
        let Some(((origin, class), steps)) = path.split_first() else { return "no GC root".to_owned() };
        let mut words: Vec<String> = Vec::new();
        for (step, class) in steps {
            let word = word(step, class);
            if word != ANY_ELEMENT || words.last() != Some(&word) {
                words.push(word);
            }
        }
        if words.len() > SHOWN {
            words.splice(SHOWN / 2..words.len() - SHOWN / 2, [" … ".to_owned()]);
        }
        begin(origin, class, !words.is_empty()) + &words.concat()
    }
}

const ANY_ELEMENT: &str = "[*]";

fn begin(origin: &PlaceStep, class: &str, is_followed: bool) -> String {
    match origin {
        PlaceStep::Class(name) if is_followed => format!("static {name}"),
        PlaceStep::Class(name) => format!("class {name}"),
        PlaceStep::Thread(name) => format!("thread \"{name}\""),
        PlaceStep::Root(kind) => format!("{} → {}", root(*kind), simple_name(class)),
        PlaceStep::Element | PlaceStep::Field { .. } | PlaceStep::Unnamed => class.to_owned(),
    }
}

fn root(kind: RootKind) -> &'static str {
    match kind {
        RootKind::Class => "system class",
        RootKind::Thread => "live thread",
        RootKind::OnStack => "local variable",
        RootKind::JniGlobal => "JNI global reference",
        RootKind::Monitor => "held monitor",
        RootKind::Other => "JVM root",
    }
}

fn word(step: &PlaceStep, class: &str) -> String {
    match step {
        PlaceStep::Field { declared_by, .. } if collections::is_internal(declared_by) => ANY_ELEMENT.to_owned(),
        PlaceStep::Field { name, .. } => format!(".{name}"),
        PlaceStep::Element => ANY_ELEMENT.to_owned(),
        _ => format!(".<{}>", simple_name(class)),
    }
}
