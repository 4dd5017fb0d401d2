//! *Dump from roots*: the tree below an object, as far as depth, size and number of lines allow, with the references
//! that lead out of it: to an object that is open above, or to one that another parent owns.

use super::parents::Children;
use super::{Positions, Softness};
use crate::heap::{Heap, Label, ObjectIdx};

/// Limits of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutlineLimits {
    /// Most levels below the top.
    pub depth: u32,
    /// Least bytes of a subtree that is listed; smaller ones are only counted.
    pub least_bytes: u64,
    /// Most lines in all.
    pub lines: usize,
}

/// The tree below an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The tree, from the top.
    pub lines: Vec<OutlineLine>,
    /// Whether the limit of lines ended it.
    pub is_cut: bool,
}

/// One line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineLine {
    /// An object with its subtree.
    Object {
        /// Levels below the top.
        depth: u32,
        /// The object.
        object: ObjectIdx,
        /// The reference of the object above to it.
        label: Option<Label>,
        /// Whether that reference is soft.
        is_soft: bool,
        /// `None` for an object of the tree; otherwise the reason why it is not listed below.
        edge: Option<Edge>,
        /// Number of objects below it.
        descendant_count: u32,
        /// Shallow sizes of it and all objects below, in bytes.
        subtree_bytes: u64,
    },
    /// Children of the object above that are not listed.
    Omitted {
        /// Their level.
        depth: u32,
        /// Number of these children.
        child_count: u64,
        /// Shallow sizes of them and all objects below, in bytes.
        subtree_bytes: u64,
    },
}

/// A reference to an object that stands elsewhere in the trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// To the object itself or one above it: a cycle.
    Open,
    /// To an object below another parent, which this root owns.
    OwnedBy(ObjectIdx),
}

/// Objects whose trees are written.
#[derive(Clone, Copy, Debug)]
pub struct Outlines<'a> {
    /// The heap.
    pub heap: &'a Heap,
    /// Positions of its objects.
    pub positions: &'a Positions<'a>,
    /// Its soft references.
    pub softness: &'a Softness<'a>,
}

impl Outlines<'_> {
    /// The tree below any object.
    pub fn below(&self, top: ObjectIdx, limits: OutlineLimits) -> Outline {
        let mut writer = Writer { of: *self, limits, outline: Outline::default() };
        writer.outline.lines.push(writer.line(0, top, None, None));
        writer.emit_below(top);
        writer.outline
    }
}

struct Writer<'a> {
    of: Outlines<'a>,
    limits: OutlineLimits,
    outline: Outline,
}

/// An object whose references are being listed.
struct Open {
    object: ObjectIdx,
    /// Number of its references that were examined.
    examined: usize,
    /// Place of its next child.
    next_child: usize,
    omitted_count: u64,
    omitted_bytes: u64,
}

impl Writer<'_> {
    fn emit_below(&mut self, top: ObjectIdx) {
        let mut open = vec![self.open(top)];
        while let Some(mut above) = open.pop() {
            if self.outline.lines.len() >= self.limits.lines {
                self.outline.is_cut = true;
                return;
            }
            let depth = open.len() as u32 + 1;
            let Some(line) = self.next_line(depth, &mut above) else {
                self.omit(depth, &above);
                continue;
            };
            open.push(above);
            self.outline.lines.push(line);
            if let OutlineLine::Object { object, edge: None, .. } = line {
                open.push(self.open(object));
            }
        }
    }

    fn open(&self, object: ObjectIdx) -> Open {
        let next_child = self.of.positions.place(object) + 1;
        Open { object, examined: 0, next_child, omitted_count: 0, omitted_bytes: 0 }
    }

    /// The next reference that is large enough to be listed, as a line; smaller children are counted in `above`.
    fn next_line(&self, depth: u32, above: &mut Open) -> Option<OutlineLine> {
        let positions = self.of.positions;
        let class = Children::new(self.of.heap).left_out(above.object);
        for (referee, label) in self.of.heap.references().labelled(above.object).skip(above.examined) {
            above.examined += 1;
            if Some(referee) == class {
                continue;
            }
            let is_child =
                positions.place(referee) == above.next_child && positions.is_at_or_below(above.object, referee);
            let bytes = positions.subtree_bytes(referee);
            let is_listed = depth <= self.limits.depth && bytes >= self.limits.least_bytes;
            if is_child {
                above.next_child += positions.descendant_count(referee) as usize + 1;
            }
            match (is_listed, is_child) {
                (true, true) => return Some(self.line(depth, referee, Some((above.object, label)), None)),
                (true, false) => {
                    if let Some(edge) = self.edge(above.object, referee) {
                        return Some(self.line(depth, referee, Some((above.object, label)), Some(edge)));
                    }
                }
                (false, true) => {
                    above.omitted_count += 1;
                    above.omitted_bytes += bytes;
                }
                (false, false) => {}
            }
        }
        None
    }

    /// Kind of a reference that is not of the tree; `None` for a further reference to a child that is listed already.
    fn edge(&self, referrer: ObjectIdx, referee: ObjectIdx) -> Option<Edge> {
        let positions = self.of.positions;
        if positions.is_at_or_below(referee, referrer) {
            return Some(Edge::Open);
        }
        let is_own_child = positions.parent(referee) == Some(referrer);
        (!is_own_child).then(|| Edge::OwnedBy(positions.owner(referee).object))
    }

    fn line(
        &self,
        depth: u32,
        object: ObjectIdx,
        reference: Option<(ObjectIdx, Label)>,
        edge: Option<Edge>,
    ) -> OutlineLine {
        OutlineLine::Object {
            depth,
            object,
            label: reference.map(|(_, label)| label),
            is_soft: reference.is_some_and(|(referrer, label)| self.of.softness.is_soft(referrer, label)),
            edge,
            descendant_count: self.of.positions.descendant_count(object),
            subtree_bytes: self.of.positions.subtree_bytes(object),
        }
    }

    fn omit(&mut self, depth: u32, above: &Open) {
        if above.omitted_count > 0 {
            let (child_count, subtree_bytes) = (above.omitted_count, above.omitted_bytes);
            self.outline.lines.push(OutlineLine::Omitted { depth, child_count, subtree_bytes });
        }
    }
}
