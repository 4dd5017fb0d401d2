//! Growth from round to round of a repeated scenario: heap dumps or captures that were taken after equal numbers of runs.
//!
//! The rule is that of LeakCanary's `ObjectGrowthDetector` (Shark). A place grows if in every round it gained at least
//! the number of objects that the options name. Of nested growing places only the outermost is reported. What stops
//! growing is healthy, such as a cache that is being filled. Objects have no identity here, so one that is replaced in
//! each round is no growth.
//!
//! Reading order: [`spots`] (places where the nodes of one structure count together), [`census`] (the figures of one
//! heap), [`rule`] (which places grow), [`nested`] (which of them lie within others), [`findings`] (what is reported of
//! each), [`held`] (who else holds the objects), [`retained`] (what they retain).

mod census;
mod findings;
mod held;
mod nested;
mod retained;
mod rule;
mod spots;

use crate::graph::RootPaths;
use crate::heap::{Heap, coming_loaders};
use crate::naming::Pattern;
use crate::report::rounds::{RoundsReport, SCHEMA};
use census::{Census, Placed};
use findings::{Evidence, Finding};
use rule::Rule;
use spots::Spots;

/// Choice of what counts as growth.
#[derive(Clone, Debug)]
pub struct RoundsWanted {
    /// Runs of the scenario in each round.
    pub runs: u32,
    /// Least number of objects that a place gains in every round.
    pub least_growth: u32,
    /// Fingerprints that are reported apart.
    pub ignored: Vec<String>,
    /// Places that are reported apart.
    pub ignored_places: Vec<Pattern>,
}

/// The heaps after each round, in their order. At most three are in memory at a time: the first, the last, and one
/// between.
#[derive(Debug)]
pub struct Rounds {
    wanted: RoundsWanted,
    spots: Spots,
    censuses: Vec<Census>,
    first: Option<Heap>,
    coming_loaders: Vec<String>,
}

impl Rounds {
    /// An empty list of rounds, which will begin with `first` and end with `last`.
    pub fn between(first: &Heap, last: &Heap, wanted: RoundsWanted) -> Self {
        let coming_loaders = coming_loaders(first, last);
        Self { wanted, spots: Spots::default(), censuses: Vec::new(), first: None, coming_loaders }
    }

    /// Adds a heap that is not the last.
    pub fn add(&mut self, heap: Heap) {
        let heap = self.rooted(heap);
        let paths = RootPaths::by_name(&heap);
        self.censuses.push(Placed::new(&heap, &paths, &mut self.spots).census(&heap));
        self.first.get_or_insert(heap);
    }

    /// Reports what grew up to the last heap.
    pub fn report(mut self, last: Heap) -> RoundsReport {
        let last = self.rooted(last);
        let paths = RootPaths::by_name(&last);
        let placed = Placed::new(&last, &paths, &mut self.spots);
        self.censuses.push(placed.census(&last));
        let rule = Rule { least: u64::from(self.wanted.least_growth) };
        let growing = rule.growing(&self.censuses, &self.spots);
        let mut report = RoundsReport {
            schema: SCHEMA,
            rounds: self.censuses.len().saturating_sub(1),
            runs: self.wanted.runs,
            least_growth: self.wanted.least_growth,
            objects: self.censuses.iter().map(|census| census.objects).collect(),
            ..RoundsReport::default()
        };
        if !growing.is_empty() {
            let outer = nested::outermost(&last, &paths, &placed, &growing, &self.spots);
            let found: Vec<Finding> =
                outer.into_iter().map(|group| Finding::new(&last, &paths, &placed, group)).collect();
            self.describe(
                &mut report,
                found,
                &Evidence { heap: &last, paths: &paths, placed: &placed, growing: &growing },
            );
        }
        report.verdict = report.sentence();
        report
    }

    fn describe(&mut self, report: &mut RoundsReport, found: Vec<Finding>, evidence: &Evidence<'_>) {
        let (ignored, grown): (Vec<Finding>, Vec<Finding>) =
            found.into_iter().partition(|finding| finding.is_ignored(&self.wanted, &self.spots));
        report.ignored = ignored.iter().map(|finding| finding.ignored(&self.spots, &self.censuses)).collect();
        if grown.is_empty() {
            return;
        }
        let mut items = findings::describe(&grown, evidence, &self.spots, &self.censuses, self.wanted.runs);
        if let Some(first) = self.first.take() {
            let paths = RootPaths::by_name(&first);
            let before = Placed::new(&first, &paths, &mut self.spots);
            for (item, finding) in items.iter_mut().zip(&grown) {
                item.retained_before = retained::of(&first, &before, &finding.spots);
            }
        }
        items.sort_by_key(|item| std::cmp::Reverse((item.retained_gained(), item.gained())));
        report.growing = items;
    }

    /// Lets classes be roots, except those of loaders that keep coming: these may leak themselves.
    fn rooted(&self, heap: Heap) -> Heap {
        heap.with_class_roots(|loader| self.coming_loaders.iter().any(|name| name == loader))
    }
}

#[cfg(test)]
mod tests;
