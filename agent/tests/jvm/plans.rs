//! Plans of paths through the program `Marked`, written down step by step.

use super::Analyzer;
use super::graph::Graph;
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::*;

/// A plan under construction, from the names of a capture.
pub struct Plan<'g> {
    graph: &'g Graph,
    pub plan: MarkPlan,
}

impl<'g> Plan<'g> {
    pub fn new(graph: &'g Graph) -> Self {
        Self { graph, plan: MarkPlan::default() }
    }

    pub fn class(&mut self, name: &str) -> u32 {
        let mirror = self.graph.class(name);
        let known = self.plan.classes.iter().position(|&class| class == mirror);
        known.unwrap_or_else(|| {
            self.plan.classes.push(mirror);
            self.plan.classes.len() - 1
        }) as u32
    }

    pub fn field(&mut self, declaring: &str, name: &str, descriptor: &str, is_static: bool) -> u32 {
        let declaring = self.class(declaring);
        let field = PathField { declaring, name: name.to_owned(), descriptor: descriptor.to_owned(), is_static };
        let known = self.plan.fields.iter().position(|known| *known == field);
        known.unwrap_or_else(|| {
            self.plan.fields.push(field);
            self.plan.fields.len() - 1
        }) as u32
    }

    fn push(&mut self, parent: u32, via: PathVia, class: &str, mark: u32) -> u32 {
        let class = self.class(class);
        self.plan.steps.push(MarkStep { parent, via, class, mark });
        self.plan.steps.len() as u32 - 1
    }

    pub fn at_class(&mut self, name: &str) -> u32 {
        let class = self.class(name);
        self.push(0, PathVia::Class(class), "java.lang.Class", 0)
    }

    /// A path from the first of `of` objects of a class to which local variables refer.
    pub fn at_local(&mut self, name: &str, of: u32) -> u32 {
        let class = self.class(name);
        self.push(0, PathVia::Local { class, nth: 0, of }, name, 0)
    }

    pub fn at_thread(&mut self, thread: ObjectId, class: &str, mark: u32) -> u32 {
        self.push(0, PathVia::Thread(thread), class, mark)
    }

    /// A path from the class `Marked` by a static field.
    pub fn at_static(&mut self, name: &str, descriptor: &str, class: &str, mark: u32) -> u32 {
        self.at_static_of("Marked", (name, descriptor), class, mark)
    }

    /// A path from any class by a static field, given by its name and its descriptor.
    pub fn at_static_of(&mut self, program: &str, (name, descriptor): (&str, &str), class: &str, mark: u32) -> u32 {
        let root = self.at_class(program);
        let field = self.field(program, name, descriptor, true);
        self.push(root, PathVia::Field { field, times: 1 }, class, mark)
    }

    /// Continues by a field of an object, a number of times, to an object of a class.
    pub fn by(
        &mut self,
        parent: u32,
        (declaring, name, descriptor): (&str, &str, &str),
        times: u32,
        class: &str,
        mark: u32,
    ) -> u32 {
        let field = self.field(declaring, name, descriptor, false);
        self.push(parent, PathVia::Field { field, times }, class, mark)
    }

    pub fn element(&mut self, parent: u32, index: u32, class: &str, mark: u32) -> u32 {
        self.push(parent, PathVia::Element(index), class, mark)
    }

    /// The array behind the static list.
    pub fn list_array(&mut self, mark: u32) -> u32 {
        let list = self.at_static("list", "Ljava/util/ArrayList;", "java.util.ArrayList", 0);
        self.by(list, ("java.util.ArrayList", "elementData", "[Ljava/lang/Object;"), 1, "java.lang.Object[]", mark)
    }

    /// The table behind the static map.
    pub fn map_table(&mut self, mark: u32) -> u32 {
        let map = self.at_static("map", "Ljava/util/HashMap;", "java.util.HashMap", 0);
        self.by(map, ("java.util.HashMap", "table", "[Ljava/util/HashMap$Node;"), 1, "java.util.HashMap$Node[]", mark)
    }

    /// The first node of the static chain.
    pub fn first_node(&mut self, mark: u32) -> u32 {
        let chain = self.at_static("chain", "Ljava/util/LinkedList;", "java.util.LinkedList", 0);
        self.by(chain, ("java.util.LinkedList", "first", NODE), 1, "java.util.LinkedList$Node", mark)
    }

    /// Continues by `times` links.
    pub fn links(&mut self, node: u32, times: u32, mark: u32) -> u32 {
        self.by(node, ("java.util.LinkedList$Node", "next", NODE), times, "java.util.LinkedList$Node", mark)
    }
}

const NODE: &str = "Ljava/util/LinkedList$Node;";

/// Asks for marks along the paths of a plan.
pub fn mark_paths(analyzer: &mut Analyzer, snapshot: u32, plan: &MarkPlan) -> MarkDone {
    analyzer.say(&ToAgent::MarkPaths { snapshot: SnapshotId(snapshot), plan: plan.clone(), most_stop_ms: 0 });
    mark_done(analyzer)
}

/// The end of a mark.
pub fn mark_done(analyzer: &mut Analyzer) -> MarkDone {
    analyzer.until(|message| match message {
        FromAgent::MarkDone(done) => Some(done),
        _ => None,
    })
}
