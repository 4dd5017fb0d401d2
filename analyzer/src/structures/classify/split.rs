//! One group of objects of one heap, split by one classifier, or led on to other objects.

use super::chain::Classifier;
use super::upward::Upward;
use crate::graph::{BitSet, Dominance};
use crate::heap::{ClassIdx, ObjectIdx};
use crate::matching::{PlaceFinder, PlaceIdx};
use crate::structures::Reach;
use crate::structures::census::Detected;
use crate::structures::walk::Walker;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// References that all walks for a tree follow, for each reference of the heap.
const LOOKS_PER_REFERENCE: u64 = 8;
const LEAST_LOOKS: u64 = 1_000_000;

/// One heap whose objects are classified.
#[derive(Debug)]
pub struct Side<'a, D> {
    of: &'a Detected<'a, D>,
    finder: PlaceFinder<'a>,
    walker: Walker<'a>,
    most_looks: u64,
    /// Whether the walks reached their limit: some nodes lack children.
    pub is_exhausted: bool,
}

impl<'a, D: Dominance> Side<'a, D> {
    /// For any number of groups.
    pub fn new(of: &'a Detected<'a, D>, finder: PlaceFinder<'a>) -> Self {
        let heap = of.dominance.heap();
        let most_looks = (heap.references().len() as u64 * LOOKS_PER_REFERENCE).max(LEAST_LOOKS);
        Self { of, finder, walker: Walker::new(heap, of.layout), most_looks, is_exhausted: false }
    }

    /// The heap with its structures.
    pub fn detected(&self) -> &'a Detected<'a, D> {
        self.of
    }

    /// A bound of what the objects retain together: the order of the parts.
    pub(super) fn weight(&self, objects: &[ObjectIdx]) -> u64 {
        objects.iter().fold(0, |sum, &object| sum.saturating_add(self.of.dominance.retained(object).bytes))
    }

    /// The parts by their keys; each in the order of the heap.
    pub(super) fn parts(&mut self, by: &Classifier, objects: &[ObjectIdx]) -> BTreeMap<String, Vec<ObjectIdx>> {
        match by {
            Classifier::Type => self.by_type(objects),
            Classifier::Loader => self.by_loader(objects),
            Classifier::Place => self.by_place(objects),
            Classifier::Object => objects.iter().map(|&object| (self.id(object), vec![object])).collect(),
            Classifier::Leaves(reach, _) => one("leaves", self.leaves(objects, *reach)),
            Classifier::Contained(_) => one("contained structures", self.contained(objects)),
            Classifier::Containing { direct, owned, .. } => {
                let (mut heads, mut others) = self.containing(objects, *direct);
                if *owned && !others.is_empty() {
                    others = self.owning(&others, *direct, &mut heads);
                }
                let mut parts = one("in structures", heads.into_iter().collect());
                if !others.is_empty() {
                    parts.insert(IN_NONE.to_owned(), others);
                }
                parts
            }
        }
    }

    fn id(&self, object: ObjectIdx) -> String {
        let id = self.of.dominance.heap().dump_id(object);
        id.map_or_else(|| format!("object {}", object.0), |id| format!("0x{id:x}"))
    }

    fn by_type(&self, objects: &[ObjectIdx]) -> BTreeMap<String, Vec<ObjectIdx>> {
        let heap = self.of.dominance.heap();
        let mut by_class: HashMap<(ClassIdx, bool), Vec<ObjectIdx>> = HashMap::new();
        for &object in objects {
            let is_mirror = heap.class_of_mirror(object).is_some();
            by_class.entry((heap.class_shown_by(object), is_mirror)).or_default().push(object);
        }
        // Classes of one name and several loaders are one: `loader` tells them apart.
        named(by_class, |(class, is_mirror)| {
            let prefix = if is_mirror { "class " } else { "" };
            format!("{prefix}{}", heap.classes().get(class).name)
        })
    }

    fn by_loader(&self, objects: &[ObjectIdx]) -> BTreeMap<String, Vec<ObjectIdx>> {
        let heap = self.of.dominance.heap();
        let mut by_class: HashMap<ClassIdx, Vec<ObjectIdx>> = HashMap::new();
        objects.iter().for_each(|&object| by_class.entry(heap.class_shown_by(object)).or_default().push(object));
        named(by_class, |class| match heap.classes().get(class).loader {
            Some(loader) => heap.classes().get(heap.class_of(loader)).name.clone(),
            None => "boot loader".to_owned(),
        })
    }

    fn by_place(&mut self, objects: &[ObjectIdx]) -> BTreeMap<String, Vec<ObjectIdx>> {
        let mut by_place: HashMap<PlaceIdx, Vec<ObjectIdx>> = HashMap::new();
        objects.iter().for_each(|&object| by_place.entry(self.finder.place_of(object)).or_default().push(object));
        named(by_place, |place| self.finder.places().expression(place))
    }

    fn leaves(&mut self, heads: &[ObjectIdx], reach: Reach) -> Vec<ObjectIdx> {
        let mut members = Vec::new();
        self.walk(heads, reach, &mut |object| members.push(object));
        members.retain(|&object| !self.walker.has_followed(object));
        members
    }

    fn contained(&mut self, heads: &[ObjectIdx]) -> Vec<ObjectIdx> {
        self.walk(heads, Reach::Deep, &mut |_| {});
        self.walker.met().to_vec()
    }

    fn walk(&mut self, heads: &[ObjectIdx], reach: Reach, visit: &mut impl FnMut(ObjectIdx)) {
        let own = self.walker.own(heads, self.most_looks, visit);
        let whole =
            if reach == Reach::Deep && own.is_some() { self.walker.contained(self.most_looks, visit) } else { own };
        self.is_exhausted |= whole.is_none();
    }

    /// Heads of the structures that have one of the objects as a member, and the objects that none has.
    fn containing(&mut self, objects: &[ObjectIdx], direct: bool) -> (BTreeSet<ObjectIdx>, Vec<ObjectIdx>) {
        let mut asked = BitSet::new(self.of.dominance.heap().object_count());
        objects.iter().for_each(|object| {
            asked.insert(object.at());
        });
        let mut left = asked.clone();
        let (structures, mut found) = (self.of.structures, BTreeSet::new());
        for (_, object) in structures.heads.iter() {
            let mut has_one = false;
            let walked = self.walker.own(&[object], self.most_looks, &mut |member| {
                if member != object && asked.contains(member.at()) {
                    has_one = true;
                    left.remove(member.at());
                }
            });
            if has_one {
                found.insert(self.shown(object, direct));
            }
            if walked.is_none() {
                self.is_exhausted = true;
                break;
            }
        }
        let others = objects.iter().copied().filter(|object| left.contains(object.at())).collect();
        (found, others)
    }

    /// The head itself, or that of the top-level structure that owns its structure.
    fn shown(&self, head: ObjectIdx, direct: bool) -> ObjectIdx {
        let structures = self.of.structures;
        match structures.heads.of(head) {
            Some(head) if !direct => structures.heads.object(structures.top_of(head)),
            _ => head,
        }
    }

    /// Adds the heads of structures whose members are the first ones against the references from objects that are no
    /// members; returns those of the objects that no member leads to.
    fn owning(&mut self, objects: &[ObjectIdx], direct: bool, heads: &mut BTreeSet<ObjectIdx>) -> Vec<ObjectIdx> {
        let all: Vec<ObjectIdx> = self.of.structures.heads.iter().map(|(_, object)| object).collect();
        let mut members = BitSet::new(self.of.dominance.heap().object_count());
        self.walk(&all, Reach::Own, &mut |member| {
            members.insert(member.at());
        });
        let Some(upward) = Upward::search(self.of, &members, objects, self.most_looks) else {
            self.is_exhausted = true;
            return objects.to_vec();
        };
        let is_head = |object: &ObjectIdx| self.of.structures.heads.of(*object).is_some();
        let (met_heads, met): (Vec<ObjectIdx>, Vec<ObjectIdx>) = upward.met.iter().partition(|object| is_head(object));
        heads.extend(met_heads.into_iter().map(|head| self.shown(head, direct)));
        heads.extend(self.containing(&met, direct).0);
        upward.unreached(self.of.dominance.heap(), objects)
    }
}

/// Key of objects that no structure contains.
pub(super) const IN_NONE: &str = "in no structure";

fn one(key: &str, objects: Vec<ObjectIdx>) -> BTreeMap<String, Vec<ObjectIdx>> {
    if objects.is_empty() { BTreeMap::new() } else { BTreeMap::from([(key.to_owned(), objects)]) }
}

fn named<K: Copy>(
    groups: HashMap<K, Vec<ObjectIdx>>,
    mut name: impl FnMut(K) -> String,
) -> BTreeMap<String, Vec<ObjectIdx>> {
    let mut parts: BTreeMap<String, Vec<ObjectIdx>> = BTreeMap::new();
    for (key, objects) in groups {
        parts.entry(name(key)).or_default().extend(objects);
    }
    parts.values_mut().for_each(|objects| objects.sort_unstable());
    parts
}
