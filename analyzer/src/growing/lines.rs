//! The growth of data structures as values of the report, with its sentence.

use super::compare::Compared;
use crate::graph;
use crate::matching::{NamedPlaces, PlaceIdx};
use crate::naming::class::simple_name;
use crate::naming::growth::{Advice, Pattern};
use crate::report::dump::SCHEMA;
use crate::report::growth::{
    Born, ByIdentity, Counts, Delta, GrowthReport, High, Item, Leaf, Metrics, Portion, Size, State, Window,
};
use crate::structures::census::{self, Census, Kept};
use crate::structures::growth::{self, Grown, grew_steadily, leaf_growth};
use crate::units;

/// Everything that the report is made of.
pub(super) struct Described<'a> {
    pub(super) compared: &'a Compared,
    pub(super) places: &'a NamedPlaces,
    /// All states, in their order.
    pub(super) states: Vec<&'a Census>,
    /// The places among them of those that are compared.
    pub(super) ends: [usize; 2],
    /// The first and the last state in which a steady growth is looked for.
    pub(super) steady: [usize; 2],
}

/// One state by its name.
pub(super) fn state(name: &str, census: &Census) -> State {
    State {
        name: name.to_owned(),
        heap: Size { objects: census.heap.objects, bytes: census.heap.bytes },
        top_level: census.counts.top_level,
    }
}

/// Most lines of structures that are new at their places.
const MOST_BORN: usize = 10;
/// Most classes of leaves of one structure.
const MOST_LEAVES: usize = 4;

/// The whole report.
pub(super) fn lines(of: &Described<'_>, states: Vec<State>) -> GrowthReport {
    let compared = of.compared;
    let mut report = GrowthReport {
        schema: SCHEMA.into(),
        report: "growth".into(),
        verdict: String::new(),
        language: compared.language.clone(),
        states,
        window: window(compared, of.ends),
        counts: counts(compared),
        explained: compared.explained,
        items: (0..compared.listed.len()).map(|at| of.item(at)).collect(),
        item_count: compared.listed_count,
        born: compared.growth.born.iter().take(MOST_BORN).map(|born| of.born(born)).collect(),
        tree: compared.tree.clone(),
        notes: notes(compared),
    };
    report.verdict = verdict(&report);
    report
}

impl Described<'_> {
    fn item(&self, at: usize) -> Item {
        let compared = self.compared;
        let grown = self.grown(at);
        let (before, after) = (&compared.before.kept[grown.before], &compared.after.kept[grown.after]);
        let also: Vec<usize> = compared.sharing.get(at).into_iter().flatten().copied().collect();
        let advice = grown.pattern.and_then(Pattern::advice);
        let is_shared = advice == Some(Advice::RemoveHere) && !also.is_empty();
        Item {
            class: after.class.to_string(),
            place: self.place(after.place),
            id: compared.ids[at].map(|id| format!("0x{id:x}")),
            identity: grown.identity,
            alike: u64::from(after.heads),
            is_top_level: after.is_top_level,
            sizes: sizes(after),
            before: sizes(before),
            growth: metrics(grown.growth.map(|growth| growth.map(delta))),
            hgp: metrics(grown.hgp.map(|hgp| hgp.map(portion))),
            pattern: grown.pattern,
            high: grown.high.map(|high| High {
                retained: high.retained,
                deep_structure: high.container,
                deep: high.deep,
            }),
            grew_steadily: grew_steadily(&self.states[self.steady[0]..=self.steady[1]], after),
            advice: if is_shared { Some(Advice::RemoveInAll) } else { advice },
            leaves: leaves(before, after, compared.growth.heap.bytes),
            also_contained_in: also.into_iter().map(|other| self.place(self.kept(other).place)).collect(),
        }
    }

    fn born(&self, born: &growth::Born) -> Born {
        let kept = &self.compared.after.kept[born.after];
        Born {
            class: kept.class.to_string(),
            place: self.place(kept.place),
            count: born.count,
            retained_bytes: kept.sizes.retained.map(|retained| retained.bytes),
        }
    }

    fn grown(&self, at: usize) -> &Grown {
        &self.compared.growth.grown[self.compared.listed[at]]
    }

    /// A listed structure in the later state.
    fn kept(&self, at: usize) -> &Kept {
        &self.compared.after.kept[self.grown(at).after]
    }

    fn place(&self, place: PlaceIdx) -> String {
        self.places.expression(place)
    }
}

pub(super) fn size(size: graph::Size) -> Size {
    Size { objects: size.objects, bytes: size.bytes }
}

pub(super) fn delta(delta: growth::Delta) -> Delta {
    Delta { objects: delta.objects, bytes: delta.bytes }
}

pub(super) fn portion(portion: growth::Portion) -> Portion {
    Portion { objects: portion.objects, bytes: portion.bytes }
}

fn sizes(kept: &Kept) -> Metrics<Option<Size>> {
    metrics(kept.sizes.map(|known| known.map(size)))
}

pub(super) fn metrics<T>(metrics: census::Metrics<T>) -> Metrics<T> {
    let census::Metrics { shallow, deep, retained, structure, deep_structure } = metrics;
    Metrics { shallow, deep, retained, structure, deep_structure }
}

fn leaves(before: &Kept, after: &Kept, heap_growth: i64) -> Vec<Leaf> {
    let percent = |bytes: i64| (heap_growth > 0).then(|| bytes as f64 / heap_growth as f64 * 100.0);
    let leaf = |leaf: growth::LeafGrowth| Leaf {
        class: leaf.class.to_string(),
        before: leaf.before.objects,
        after: leaf.after.objects,
        growth: leaf.after.objects as i64 - leaf.before.objects as i64,
        retained_growth: leaf.retained.map(|growth| growth.bytes),
        hgp: leaf.retained.and_then(|growth| percent(growth.bytes)),
    };
    leaf_growth(before, after).into_iter().take(MOST_LEAVES).map(leaf).collect()
}

fn window(compared: &Compared, [from_state, to_state]: [usize; 2]) -> Window {
    let growth = &compared.growth;
    let [from, to] = compared.names.clone();
    Window {
        from,
        to,
        from_state,
        to_state,
        seconds: compared.seconds,
        heap_bytes_before: growth.heap_before.bytes,
        heap_bytes_after: growth.heap_after.bytes,
        heap_objects_before: growth.heap_before.objects,
        heap_objects_after: growth.heap_after.objects,
        growth_bytes: growth.heap.bytes,
        growth_objects: growth.heap.objects,
        is_long_enough: growth.is_long_enough,
    }
}

fn counts(compared: &Compared) -> Counts {
    let (counts, survival) = (compared.after.counts, compared.growth.survival);
    Counts {
        structures: counts.structures,
        top_level: counts.top_level,
        member_objects: counts.members.objects,
        member_bytes: counts.members.bytes,
        by_identity: ByIdentity {
            handle: survival.by_handle,
            mark: survival.by_mark,
            path: survival.by_path,
            place: survival.groups,
        },
        survived: survival.by_handle + survival.by_mark + survival.by_path + survival.groups,
        died: survival.died,
        born: survival.born,
        not_measured: counts.not_measured.max(compared.before.counts.not_measured),
    }
}

fn notes(compared: &Compared) -> Vec<String> {
    let dropped = compared.before.counts.dropped.max(compared.after.counts.dropped);
    let not_measured = compared.before.counts.not_measured.max(compared.after.counts.not_measured);
    let note = |count: u64, text: &str| (count > 0).then(|| format!("{} {text}", units::count(count)));
    [
        Some("places, not objects: a program may have replaced the structure at a place".to_owned()),
        note(dropped, "of the smallest structures and groups are left out"),
        compared.is_tree_cut.then(|| "the tree lacks parts: it reached its limit of nodes or of references".to_owned()),
        note(not_measured, "structures have no size: they are part of too many others"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Added to the answer where the structure did not grow in every step.
const NOT_STEADILY: &str = "; not in every step, as what fills up to a bound";

/// The answer in one sentence.
fn verdict(report: &GrowthReport) -> String {
    let window = &report.window;
    if window.growth_bytes <= 0 {
        let bytes = units::bytes(-window.growth_bytes as f64);
        return format!("the heap did not grow: it is {bytes} smaller, so no portion of a growth can be given");
    }
    let grew = units::bytes(window.growth_bytes as f64);
    if !window.is_long_enough {
        return format!("the heap grew by only {grew}: the window is too short for a judgement");
    }
    let growing: Vec<&Item> = report.items.iter().filter(|item| item.pattern.is_some_and(Pattern::is_growth)).collect();
    let Some(first) = growing.first() else {
        return format!(
            "no described data structure takes part in the growth of the heap ({grew}); the program's own structures \
             need a description (--dsl)"
        );
    };
    let percent = first.hgp.retained.map_or(0.0, |hgp| hgp.bytes);
    let pattern = first.pattern.map_or("", Pattern::name);
    let name = format!("{} ({})", first.place, simple_name(&first.class));
    let steps = if first.grew_steadily == Some(false) { NOT_STEADILY } else { "" };
    match first.high.is_some_and(|high| high.retained) {
        true => format!(
            "one structure accounts for {} of the heap's growth: {name}, {pattern}{steps}",
            units::percent(percent / 100.0)
        ),
        false => format!("no structure alone keeps what the heap grew by; above all {name}: {pattern}{steps}"),
    }
}
