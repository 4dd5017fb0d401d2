//! Growth that other growth explains: the time-stamps of pooled objects grow as the pool does, three for each object.
//!
//! Both are observed to grow, and the one with the most members would come first. An engineer looks for the structure
//! that gains members, not for the contents of each member. So a grower is reported as part of another grower if its
//! members lie within the other's members, and each of those holds no more than before. The same holds for a side table
//! whose keys another grower keeps: a weak map, the locals of a thread. It grows because the other grows. And where two
//! hold the same objects, an index by name and one by number, one leak is reported once.

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
pub struct Weighed {
    /// Index of the region among those of [`Relations`].
    pub region: usize,
    /// `None` for a region that is no grower.
    pub growth: Option<Growth>,
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
    pub fn explain(&self, regions: &[Weighed]) -> Vec<Option<Explanation>> {
        let by_path = |inner: usize| self.nearest_around(regions, inner).or_else(|| self.beside(regions, inner));
        let mut found: Vec<Option<Explanation>> = (0..regions.len()).map(by_path).collect();
        for inner in 0..regions.len() {
            let is_free = |by: &Explanation| !leads_to(&found, by.by, inner);
            let by_objects = || self.keeper(regions, inner).filter(is_free).or_else(|| self.jointly(regions, inner));
            if found[inner].is_none() {
                found[inner] = by_objects().filter(is_free);
            }
        }
        found
    }

    /// The region whose members are the nearest around this one's; of two on one path the one of the higher rank.
    fn nearest_around(&self, regions: &[Weighed], inner: usize) -> Option<Explanation> {
        let may_explain = |&(outer, related): &(usize, &Related)| !related.is_one_path || outer < inner;
        let around = self.explaining(regions, inner, Rule::Path).filter(may_explain);
        let nearest = around.max_by_key(|(outer, related)| (related.depth, *outer))?;
        Some(Explanation { by: nearest.0, rule: Rule::Path })
    }

    /// The first region of a higher rank with members in the same arrays.
    fn beside(&self, regions: &[Weighed], inner: usize) -> Option<Explanation> {
        let by =
            self.explaining(regions, inner, Rule::Beside).map(|(outer, _)| outer).min().filter(|&by| by < inner)?;
        Some(Explanation { by, rule: Rule::Beside })
    }

    /// The first region that keeps the objects to which this one's members refer weakly.
    fn keeper(&self, regions: &[Weighed], inner: usize) -> Option<Explanation> {
        let by = self.explaining(regions, inner, Rule::Keeper).map(|(outer, _)| outer).min()?;
        Some(Explanation { by, rule: Rule::Keeper })
    }

    /// The first region whose members hold this one's, or the first of a higher rank whose members hold the same
    /// objects.
    fn jointly(&self, regions: &[Weighed], inner: usize) -> Option<Explanation> {
        let first = |rule| self.explaining(regions, inner, rule).map(|(outer, _)| outer).min();
        let content = first(Rule::Content).map(|by| Explanation { by, rule: Rule::Content });
        let jointly = || first(Rule::Jointly).filter(|&by| by < inner);
        content.or_else(|| jointly().map(|by| Explanation { by, rule: Rule::Jointly }))
    }

    /// The regions with such a relation whose growth explains this one's, by their indices among `regions`.
    fn explaining<'a>(
        &'a self,
        regions: &'a [Weighed],
        inner: usize,
        rule: Rule,
    ) -> impl Iterator<Item = (usize, &'a Related)> + 'a {
        let related = self.of(regions[inner].region).iter().filter(move |related| related.rule == rule);
        related.filter_map(move |related| {
            let outer = regions.iter().position(|weighed| weighed.region == related.outer)?;
            explains(rule, regions[outer].growth?, regions[inner].growth?).then_some((outer, related))
        })
    }
}

/// Whether there are no more of the inner members to each of the outer ones than before. Of objects that members of
/// both hold, one to each, the other must gain as many.
fn explains(rule: Rule, outer: Growth, inner: Growth) -> bool {
    let is_one_to_one = matches!(rule, Rule::Jointly | Rule::Content);
    let inner_each = if is_one_to_one { 1.0 } else { inner.size / outer.size };
    inner.per_min <= (1.0 + THRESHOLDS.tolerance) * outer.per_min * inner_each
}

/// Whether the explanations, followed from one region on, arrive at another.
fn leads_to(found: &[Option<Explanation>], from: usize, to: usize) -> bool {
    std::iter::successors(Some(from), |&at| Some(found[at]?.by)).take(found.len() + 1).any(|at| at == to)
}
