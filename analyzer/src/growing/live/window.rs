//! A window between any two states that are kept (AntTracks §4.1: two points on the curve of the heap). Nothing is
//! measured for it: it has the metrics that both states know, and no names of other structures with the same leaves.

use super::{Chosen, LiveGrowth};
use crate::growing::compare::Compared;
use crate::report::growth::GrowthReport;
use crate::structures::census::Census;
use crate::structures::growth::Growth;
use crate::structures::pattern::Thresholds;
use std::sync::Arc;

/// Reasons why a window cannot be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WindowRefusal {
    /// The growth of structures is not wanted, or there are fewer than two states.
    #[error("nothing is compared yet")]
    Nothing,
    /// An end is no state.
    #[error("there are only {0} captures")]
    NoState(usize),
    /// Both ends are one state, or in the wrong order.
    #[error("the window must end after it begins")]
    Empty,
}

impl LiveGrowth {
    /// Compares these two of the report's states from now on, or again the first one and the latest.
    ///
    /// # Errors
    /// The reason why it is not possible; nothing has changed then.
    pub fn choose(&mut self, window: Option<(usize, usize)>) -> Result<(), WindowRefusal> {
        if self.report.is_none() {
            return Err(WindowRefusal::Nothing);
        }
        let count = self.states.len();
        self.chosen = match window {
            None => None,
            Some((from, to)) if from >= count || to >= count => return Err(WindowRefusal::NoState(count)),
            Some((from, to)) if from >= to => return Err(WindowRefusal::Empty),
            Some((0, to)) if to + 1 == count => None,
            Some((from, to)) => {
                let ends_s = [self.states[from].at_s, self.states[to].at_s];
                Some(Chosen { ends_s, report: self.between([from, to]) })
            }
        };
        Ok(())
    }

    /// Makes the report of the chosen window again: there is one more state, and perhaps others have gone.
    pub(super) fn renew_chosen(&mut self) {
        let Some(chosen) = &self.chosen else { return };
        let place = |at_s: f64| self.states.iter().position(|state| state.at_s == at_s);
        let ends_s = chosen.ends_s;
        let ends = place(ends_s[0]).zip(place(ends_s[1]));
        self.chosen = ends.map(|(from, to)| Chosen { ends_s, report: self.between([from, to]) });
    }

    fn between(&self, ends: [usize; 2]) -> GrowthReport {
        let [from, to] = ends.map(|at| &self.states[at]);
        let growth = Growth::between(&from.census, &to.census, &Thresholds::default());
        let (listed, listed_count) = self.wanted.listed(&to.census, &growth);
        let compared = Compared {
            names: [from.name.clone(), to.name.clone()],
            seconds: Some(to.at_s - from.at_s),
            before: Arc::clone(&from.census),
            after: Census::clone(&to.census),
            ids: vec![None; listed.len()],
            language: self.report.as_ref().map(|report| report.language.clone()).unwrap_or_default(),
            explained: None,
            growth,
            listed,
            listed_count,
            sharing: Vec::new(),
            tree: Vec::new(),
            is_tree_cut: false,
        };
        let all: Vec<(&str, &Census)> = self.states.iter().map(|state| (state.name.as_str(), &*state.census)).collect();
        self.report_on(&compared, &all, ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Owned;
    use crate::growing::{GrowthOrder, GrowthWanted, StateOf};
    use crate::heap::dsl::HeapSketch;
    use crate::structures::census::Identities;
    use crate::structures::language::parse;
    use crate::structures::{Language, LayoutOptions};
    use std::collections::HashSet;

    /// States in which a list has these numbers of orders, ten seconds apart.
    fn states(counts: &[usize]) -> LiveGrowth {
        let mut language = Language::new();
        language.add(parse("test.ds", "namespace java.util { DS ArrayList { java.lang.Object[]; } }").unwrap());
        let (sort, layout) = (GrowthOrder::Retained, LayoutOptions::default());
        let wanted = GrowthWanted { sort, limit: 10, with_contained: false, layout, by: None };
        let mut growth = LiveGrowth::new(Arc::new(language), wanted);
        for (at, &count) in counts.iter().enumerate() {
            add(&mut growth, at, count);
        }
        growth
    }

    fn add(growth: &mut LiveGrowth, at: usize, count: usize) {
        let mut sketch = HeapSketch::new();
        let (list, array) = (sketch.old("java.util.ArrayList"), sketch.old("java.lang.Object[]"));
        sketch.refer(list, "elementData", array);
        for _ in 0..count {
            let order = sketch.old("Order");
            sketch.element(array, order);
        }
        sketch.static_field("Shop", "orders", list);
        let heap = sketch.build();
        let (name, at_s) = (format!("capture {at}"), 10.0 * at as f64);
        let (owned, known, dead) = (&Owned::new(&heap), Identities::NONE, HashSet::new());
        growth.take(StateOf { name, at_s, heap: &heap, owned, known, dead });
    }

    /// The ends of the window, and how many orders came in it.
    fn window(growth: &LiveGrowth) -> (String, String, i64) {
        let report = growth.report().unwrap();
        let orders = report.items.first().map_or(0, |item| item.leaves[0].growth);
        (report.window.from.clone(), report.window.to.clone(), orders)
    }

    fn named(from: usize, to: usize, orders: i64) -> (String, String, i64) {
        (format!("capture {from}"), format!("capture {to}"), orders)
    }

    #[test]
    fn any_two_states_can_be_compared_and_stay_chosen() {
        let mut growth = states(&[20_000, 40_000, 70_000, 110_000]);
        assert_eq!(window(&growth), named(0, 3, 90_000));
        growth.choose(Some((1, 2))).unwrap();
        assert_eq!(window(&growth), named(1, 2, 30_000));
        let report = growth.report().unwrap();
        assert_eq!((report.window.from_state, report.window.to_state, report.states.len()), (1, 2, 4));
        assert_eq!(report.window.seconds, Some(10.0));
        add(&mut growth, 4, 160_000);
        assert_eq!(window(&growth), named(1, 2, 30_000), "another capture changes no chosen window");
        assert_eq!(growth.report().unwrap().states.len(), 5);
        growth.choose(None).unwrap();
        assert_eq!(window(&growth), named(0, 4, 140_000));
    }

    #[test]
    fn a_chosen_state_outlasts_the_thinning() {
        let mut growth = states(&[20_000, 30_000, 40_000, 50_000]);
        growth.choose(Some((1, 3))).unwrap();
        (4..40).for_each(|at| add(&mut growth, at, 60_000));
        assert_eq!(window(&growth), named(1, 3, 20_000));
    }

    #[test]
    fn impossible_windows_are_refused_with_the_reason() {
        let mut growth = states(&[20_000]);
        assert_eq!(growth.choose(Some((0, 1))), Err(WindowRefusal::Nothing));
        add(&mut growth, 1, 40_000);
        assert_eq!(growth.choose(Some((0, 2))), Err(WindowRefusal::NoState(2)));
        assert_eq!(growth.choose(Some((1, 1))), Err(WindowRefusal::Empty));
        assert_eq!(growth.choose(Some((0, 1))), Ok(()));
        assert_eq!(window(&growth), named(0, 1, 20_000));
    }
}
