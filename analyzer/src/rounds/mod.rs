//! Growth from round to round of a repeated scenario: heap dumps or captures that were taken after equal numbers of
//! runs.
//!
//! The rule is that of LeakCanary's `ObjectGrowthDetector` (Shark). A place grows if in every round it gained at least
//! the number of objects that the options name. Of nested growing places only the outermost is reported. What stops
//! growing is healthy, such as a cache that is being filled. Objects have no identity here, so one that is replaced in
//! each round is no growth.
//!
//! Reading order: [`spots`] (places where the nodes of one structure count together), [`census`] (the figures of one
//! heap), [`rule`] (which places grow), [`nested`] (which of them lie within others), [`findings`] (what is reported of
//! each), [`held`] (who else holds the objects), [`retained`] (what they retain), [`described`] (the structures that
//! the user described).

mod census;
mod described;
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
pub use described::Descriptions;
use described::{Heads, Joined};
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
    descriptions: Option<Descriptions>,
}

impl Rounds {
    /// An empty list of rounds, which will begin with `first` and end with `last`.
    pub fn between(first: &Heap, last: &Heap, wanted: RoundsWanted) -> Self {
        let coming_loaders = coming_loaders(first, last);
        let (spots, censuses) = (Spots::default(), Vec::new());
        Self { wanted, spots, censuses, first: None, coming_loaders, descriptions: None }
    }

    /// Lets the report name the data structures that these descriptions find around what grows.
    #[must_use]
    pub fn described_by(self, descriptions: Descriptions) -> Self {
        Self { descriptions: Some(descriptions), ..self }
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
            let gained = rule.least * report.rounds as u64;
            let outer = nested::outermost(&last, &paths, &placed, &growing, &self.spots, gained);
            let found: Vec<Finding> =
                outer.into_iter().map(|group| Finding::new(&last, &paths, &placed, group)).collect();
            self.report_on(
                &mut report,
                found,
                &Evidence { heap: &last, paths: &paths, placed: &placed, growing: &growing },
            );
        }
        report.verdict = report.sentence();
        report
    }

    fn report_on(&mut self, report: &mut RoundsReport, found: Vec<Finding>, evidence: &Evidence<'_>) {
        let (ignored, grown): (Vec<Finding>, Vec<Finding>) =
            found.into_iter().partition(|finding| finding.is_ignored(&self.wanted, &self.spots));
        report.ignored = ignored.iter().map(|finding| finding.ignored(&self.spots, &self.censuses)).collect();
        if grown.is_empty() {
            return;
        }
        let mut items = findings::describe(&grown, evidence, &self.spots, &self.censuses, self.wanted.runs);
        let around = self.structures_around(report, &grown, evidence);
        if let Some(first) = self.first.take() {
            let paths = RootPaths::by_name(&first);
            let before = Placed::new(&first, &paths, &mut self.spots);
            for (item, finding) in items.iter_mut().zip(&grown) {
                item.retained_before = retained::of(&first, &before, &finding.spots);
            }
            if let Some(descriptions) = &self.descriptions {
                let joined = Joined::new(descriptions, &first);
                for (item, heads) in items.iter_mut().zip(&around) {
                    item.structure = heads.as_ref().map(|heads| joined.grown(&before, heads, &self.spots));
                }
            }
        }
        items.sort_by_key(|item| std::cmp::Reverse((item.retained_gained(), item.gained())));
        report.growing = items;
    }

    /// The described structures around findings; none without descriptions.
    fn structures_around(
        &self,
        report: &mut RoundsReport,
        grown: &[Finding],
        evidence: &Evidence<'_>,
    ) -> Vec<Option<Heads>> {
        let Some(descriptions) = &self.descriptions else { return Vec::new() };
        let joined = Joined::new(descriptions, evidence.heap);
        report.unmatched = joined.unmatched();
        joined.around(evidence.paths, evidence.placed, grown)
    }

    /// Lets classes be roots, except those of loaders that keep coming: these may leak themselves.
    fn rooted(&self, heap: Heap) -> Heap {
        heap.with_class_roots(|loader| self.coming_loaders.iter().any(|name| name == loader))
    }
}

#[cfg(test)]
mod tests;
