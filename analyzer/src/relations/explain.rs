//! Growth that other growth explains: the time-stamps of pooled objects grow as the pool does, three for each object.
//!
//! Both are observed to grow, and the one with the most members would come first. An engineer looks for the structure
//! that gains members, not for the contents of each member. So a grower is reported as part of another grower if its
//! members lie within the other's members, and each of those holds no more than before. The same holds for a side table
//! whose keys another grower keeps: a weak map, the locals of a thread. It grows because the other grows. And where two
//! hold the same objects, an index by name and one by number, one leak is reported once. So is one that is counted in the
//! map that gains, and in the object that holds this map and others. And what one operation adds to several structures is
//! one leak to look for: they gain in step with the first of them.

use super::in_step::in_step;
use super::rules::{Rule, THRESHOLDS};
use super::{Related, Relations};

/// Growth of a region, as tracking observed it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Net gain of change-proxies a minute.
    pub per_min: f64,
    /// Change-proxies now; above 0.
    pub size: f64,
}

/// A region with its growth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed<'a> {
    /// Index of the region among those of [`Relations`].
    pub region: usize,
    /// `None` for a region that is no grower.
    pub growth: Option<Growth>,
    /// Its exact sizes, each with its time in seconds; none where they are sums over several structures.
    pub history: &'a [(f64, f64)],
}

/// Why a region grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The region whose growth explains it: an index of the weighed regions.
    pub by: usize,
    /// The rule that found the relation.
    pub rule: Rule,
}

impl Relations {
    /// For each of `regions`, which stand in the order of their ranks, the one whose growth explains its growth. Two
    /// regions never explain each other.
    #[must_use]
    pub fn explain(&self, regions: &[Weighed<'_>]) -> Vec<Option<Explanation>> {
        let by_path = |inner: usize| {
            self.nearest_around(regions, inner).or_else(|| self.of_higher_rank(regions, inner, Rule::Beside))
        };
        let mut found: Vec<Option<Explanation>> = (0..regions.len()).map(by_path).collect();
        for inner in 0..regions.len() {
            let is_free = |by: &Explanation| !leads_to(&found, by.by, inner);
            let keeper = || self.first(regions, inner, Rule::Keeper).filter(is_free);
            if found[inner].is_none() {
                found[inner] = keeper().or_else(|| self.by_objects(regions, inner)).filter(is_free);
            }
        }
        for inner in 0..regions.len() {
            let is_free = |&by: &usize| found[by].is_none() && found[inner].is_none();
            let by = (0..inner).filter(is_free).find(|&by| grow_in_step(&regions[by], &regions[inner]));
            found[inner] = found[inner].or(by.map(|by| Explanation { by, rule: Rule::InStep }));
        }
        found
    }

    /// The region whose members are the nearest around this one's; of two on one path the one of the higher rank.
    fn nearest_around(&self, regions: &[Weighed<'_>], inner: usize) -> Option<Explanation> {
        let may_explain = |&(outer, related): &(usize, &Related)| !related.is_one_path || outer < inner;
        let around = self.explaining(regions, inner, Rule::Path).filter(may_explain);
        let nearest = around.max_by_key(|(outer, related)| (related.depth, *outer))?;
        Some(Explanation { by: nearest.0, rule: Rule::Path })
    }

    /// The first region whose members hold this one's, or the first of a higher rank whose members hold the same
    /// objects, or the first whose members hold the objects around this one's, or the first whose members this one
    /// counts, too.
    fn by_objects(&self, regions: &[Weighed<'_>], inner: usize) -> Option<Explanation> {
        let jointly = || self.of_higher_rank(regions, inner, Rule::Jointly);
        let content = self.first(regions, inner, Rule::Content);
        let inside = || self.first(regions, inner, Rule::Inside);
        content.or_else(jointly).or_else(inside).or_else(|| self.first(regions, inner, Rule::Whole))
    }

    /// The first region whose growth explains this one's by this rule.
    fn first(&self, regions: &[Weighed<'_>], inner: usize, rule: Rule) -> Option<Explanation> {
        let by = self.explaining(regions, inner, rule).map(|(outer, _)| outer).min()?;
        Some(Explanation { by, rule })
    }

    /// The same, if it has a higher rank.
    fn of_higher_rank(&self, regions: &[Weighed<'_>], inner: usize, rule: Rule) -> Option<Explanation> {
        self.first(regions, inner, rule).filter(|found| found.by < inner)
    }

    /// The regions with such a relation whose growth explains this one's, by their indices among `regions`. What fields
    /// alone lead to from each of the other's members cannot outgrow these, at whatever pace it catches up with them.
    fn explaining<'a>(
        &'a self,
        regions: &'a [Weighed<'a>],
        inner: usize,
        rule: Rule,
    ) -> impl Iterator<Item = (usize, &'a Related)> + 'a {
        let related = self.of(regions[inner].region).iter().filter(move |related| related.rule == rule);
        related.filter_map(move |related| {
            let outer = regions.iter().position(|weighed| weighed.region == related.outer)?;
            let (outer_growth, inner_growth) = (regions[outer].growth?, regions[inner].growth?);
            let is_minor = related.is_included && inner_growth.per_min < THRESHOLDS.minor * outer_growth.per_min;
            let has_room = related.is_single && inner_growth.size <= outer_growth.size;
            let is_explained = is_minor || has_room || explains(related, outer_growth, inner_growth);
            is_explained.then_some((outer, related))
        })
    }
}

/// Whether there are no more of the inner members to each of the outer ones than before, or than to each new one where
/// they came in new containers. Of objects that both hold, one to each, the other must gain as many. So it must where all
/// inner members lie in one of the outer ones, of which more say nothing about that one.
fn explains(related: &Related, outer: Growth, inner: Growth) -> bool {
    let is_one_to_one = related.is_in_one || matches!(related.rule, Rule::Jointly | Rule::Content | Rule::Whole);
    let inner_each =
        if is_one_to_one { 1.0 } else { (inner.size / outer.size).max(related.in_each_new.unwrap_or_default()) };
    inner.per_min <= (1.0 + THRESHOLDS.tolerance) * outer.per_min * inner_each
}

/// Whether both grow, and one operation adds to both.
fn grow_in_step(one: &Weighed<'_>, other: &Weighed<'_>) -> bool {
    one.growth.is_some() && other.growth.is_some() && in_step(one.history, other.history)
}

/// Whether the explanations, followed from one region on, arrive at another.
fn leads_to(found: &[Option<Explanation>], from: usize, to: usize) -> bool {
    std::iter::successors(Some(from), |&at| Some(found[at]?.by)).take(found.len() + 1).any(|at| at == to)
}
