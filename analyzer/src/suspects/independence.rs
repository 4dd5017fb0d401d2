//! Suspects that one change may free together, and suspects that are independent (HeapLens, *Worked Example*: which to
//! fix first). Two suspects are independent if no object below the roots dominates both. Built-in loaders and the
//! classes that last as long as the program count as roots here: in each program they own nearly everything.

use super::{Forest, Subject, Suspect, loaders};
use crate::heap::ObjectIdx;
use std::collections::HashSet;

/// The relation of a suspect to the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// The nearest suspect that dominates it.
    pub within: Option<usize>,
    /// Equal for suspects that some object below the roots dominates together; `None` for a class, whose instances are
    /// everywhere.
    pub group: Option<usize>,
}

/// The relations of the suspects, in their order.
pub fn relations(forest: &Forest<'_>, suspects: &[Suspect]) -> Vec<Relation> {
    let lasting = Lasting::new(forest);
    let objects: Vec<Option<ObjectIdx>> = suspects.iter().map(object).collect();
    let tops: Vec<Option<ObjectIdx>> = objects.iter().map(|object| object.map(|at| lasting.top(forest, at))).collect();
    let relation = |at: usize| {
        let within = objects[at].and_then(|object| {
            let mut above = forest.above(object);
            above.find_map(|above| (0..objects.len()).find(|&other| other != at && objects[other] == Some(above)))
        });
        // The first suspect with the same top gives the group its number.
        let group = tops[at].and_then(|top| tops.iter().position(|&other| other == Some(top)));
        Relation { within, group }
    };
    (0..suspects.len()).map(relation).collect()
}

/// The object of a suspect: of a built-in loader its accumulation point.
fn object(suspect: &Suspect) -> Option<ObjectIdx> {
    match suspect.subject {
        Subject::Loader { is_built_in: true, accumulation, .. } => Some(accumulation),
        Subject::Loader { loader, .. } => Some(loader),
        Subject::Object(structure) | Subject::Statics(structure) => Some(structure.head),
        Subject::Class { .. } => None,
    }
}

/// Objects that last as long as every program.
struct Lasting {
    loaders: HashSet<ObjectIdx>,
}

impl Lasting {
    fn new(forest: &Forest<'_>) -> Self {
        Self { loaders: loaders::built_in(forest).collect() }
    }

    fn contains(&self, forest: &Forest<'_>, object: ObjectIdx) -> bool {
        let class = forest.heap().class_of_mirror(object).map(|class| forest.heap().classes().get(class));
        let lasts = |loader: Option<ObjectIdx>| loader.is_none_or(|loader| self.loaders.contains(&loader));
        self.loaders.contains(&object) || class.is_some_and(|class| lasts(class.loader))
    }

    /// The uppermost dominator below the roots and below all that lasts; the object itself if there is none.
    fn top(&self, forest: &Forest<'_>, object: ObjectIdx) -> ObjectIdx {
        let above = forest.above(object).take_while(|&above| !self.contains(forest, above));
        above.last().unwrap_or(object)
    }
}
