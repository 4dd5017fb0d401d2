//! Counts by group, and the estimates from them: kept, gained, and the certainty of both.

use super::Estimate;
use super::knowledge::{Key, Knowledge};
use crate::heap::{Container, MarkTable, Stratum};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, HashSet};

/// Number of standard errors within which a gain counts as none.
pub(super) const SIGNIFICANT: f64 = 2.0;

/// Largest share of survivors in a stratum whose objects were all made anew.
const MADE_ANEW: f64 = 0.05;
/// Least number of marks that show it, unless all were marked.
const MANY_MARKS: u32 = 16;

/// One group, counted.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Objects with a mark: t.
    marked: f64,
    /// Objects without one: m − t.
    unmarked: f64,
    /// Estimated number of kept objects: those that the marked ones stand for, and those of unmarked strata.
    kept: f64,
    /// Number of objects before.
    before: f64,
    /// Variance of `kept`.
    variance: f64,
    /// Estimated number of those before that left, never 0 for a sample.
    left: f64,
    /// Number of those before that were copied.
    copied: f64,
    /// Containers of this class below this container that are gone.
    gone: u32,
}

/// All groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    index: FxHashMap<Key, u32>,
    keys: Vec<Key>,
    counts: Vec<Count>,
    /// Survivors by group and stratum.
    survivors: BTreeMap<(u32, u32), u32>,
    /// Containers that are still there.
    met: FxHashSet<Container>,
    latest: Option<(Key, u32)>,
}

impl Groups {
    /// Number of a group.
    pub(super) fn group(&mut self, key: Key) -> u32 {
        if let Some((latest, group)) = self.latest.filter(|latest| latest.0 == key) {
            debug_assert_eq!(latest, key);
            return group;
        }
        let group = *self.index.entry(key).or_insert_with(|| {
            self.keys.push(key);
            self.counts.push(Count::default());
            self.counts.len() as u32 - 1
        });
        self.latest = Some((key, group));
        group
    }

    pub(super) fn met(&mut self, container: Container) {
        self.met.insert(container);
    }

    pub(super) fn unmarked(&mut self, group: u32) {
        self.counts[group as usize].unmarked += 1.0;
    }

    pub(super) fn marked(&mut self, group: u32, stands_for: f64, stratum: Option<u32>) {
        let count = &mut self.counts[group as usize];
        count.marked += 1.0;
        count.kept += stands_for;
        if let Some(stratum) = stratum {
            *self.survivors.entry((group, stratum)).or_default() += 1;
        }
    }

    /// One estimate for each group, and the number of its containers that are gone, in the order of their numbers.
    /// `copied`: marks of those that were copied.
    pub(super) fn estimates(mut self, knowledge: &Knowledge<'_>, copied: &HashSet<u32>) -> (Vec<Estimate>, Vec<u32>) {
        match knowledge.table {
            Some(table) => {
                self.ask_strata(table, copied);
                self.ask_containers(table);
            }
            None => self.ask_classes(knowledge),
        }
        (self.counts.iter().map(Count::estimate).collect(), self.counts.iter().map(|count| count.gone).collect())
    }

    /// The group of a container, by the number of its mark, if the container is gone.
    pub(super) fn group_of_gone(&self, table: &MarkTable, number: u32) -> Option<u32> {
        let mark = table.mark(number)?;
        let below = mark.container_below.filter(|_| !self.met.contains(&Container::Marked(number)))?;
        self.index.get(&(self.nearest_met(table, below), mark.class)).copied()
    }

    fn ask_containers(&mut self, table: &MarkTable) {
        let is_set = |number: u32| table.mark(number).is_some_and(|mark| mark.weight > 0.0);
        for number in (1..=table.marks.len() as u32).filter(|&number| is_set(number)) {
            if let Some(group) = self.group_of_gone(table, number) {
                self.counts[group as usize].gone += 1;
            }
        }
    }

    fn ask_strata(&mut self, table: &MarkTable, copied: &HashSet<u32>) {
        let mut survivors = vec![0; table.strata.len()];
        self.survivors.iter().for_each(|((_, stratum), found)| survivors[*stratum as usize] += found);
        for (stratum, at) in table.strata.iter().zip(0u32..) {
            let key = (self.nearest_met(table, stratum.below), stratum.class);
            let Some(&group) = self.index.get(&key) else { continue };
            let is_copied = was_made_anew(stratum, survivors[at as usize])
                && self.above_gone(table, stratum.below).any(|number| copied.contains(&number));
            let count = &mut self.counts[group as usize];
            count.before += f64::from(stratum.count);
            if is_copied {
                let share = f64::from(survivors[at as usize]) / f64::from(stratum.marked);
                count.copied += f64::from(stratum.count) * (1.0 - share);
                self.survivors.remove(&(group, at));
            } else if stratum.marked == 0 {
                count.kept += f64::from(stratum.count);
            } else {
                self.survivors.entry((group, at)).or_default();
            }
        }
        for (&(group, stratum), &survivors) in &self.survivors {
            let (count, stratum) = (&mut self.counts[group as usize], &table.strata[stratum as usize]);
            count.variance += variance_of_kept(stratum, survivors);
            count.left += left(stratum, survivors);
        }
    }

    /// Numbers of the gone containers from this one up to the nearest that is still there.
    pub(super) fn above_gone(&self, table: &MarkTable, container: Container) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(container), move |&container| next_above(table, container)).map_while(|container| {
            match container {
                Container::Marked(number) if !self.met.contains(&container) => table.mark(number).map(|_| number),
                _ => None,
            }
        })
    }

    /// The container, or the nearest above it that is still there.
    fn nearest_met(&self, table: &MarkTable, container: Container) -> Container {
        let gone = |container: &Container| matches!(container, Container::Marked(_)) && !self.met.contains(container);
        let mut ahead = std::iter::successors(Some(container), |&container| next_above(table, container));
        ahead.find(|container| !gone(container)).unwrap_or(Container::Roots)
    }

    /// Variance for marks that were set independently, each with a chance of 1 in k: one survivor more or less than
    /// observed stands for k objects.
    fn ask_classes(&mut self, knowledge: &Knowledge<'_>) {
        for (key, count) in self.keys.iter().zip(&mut self.counts) {
            let each = knowledge.class_stands_for(key.1);
            count.variance = (count.marked + 1.0) * each * (each - 1.0);
        }
    }
}

/// The container above. A container lies below one of a smaller number; a table that says otherwise must not cause an
/// endless loop.
fn next_above(table: &MarkTable, container: Container) -> Option<Container> {
    let Container::Marked(number) = container else { return None };
    let above = table.mark(number).and_then(|mark| mark.container_below);
    let goes_up = |above: &Container| !matches!(above, Container::Marked(other) if *other >= number);
    Some(above.filter(goes_up).unwrap_or(Container::Roots))
}

/// Whether hardly one of a stratum's objects is still there. A few marks of many do not show that.
fn was_made_anew(stratum: &Stratum, survivors: u32) -> bool {
    let is_evidence = stratum.marked >= stratum.count.clamp(1, MANY_MARKS);
    is_evidence && f64::from(survivors) <= MADE_ANEW * f64::from(stratum.marked)
}

/// Variance of n·t/s, as for a sample without replacement.
fn variance_of_kept(stratum: &Stratum, survivors: u32) -> f64 {
    let (n, s) = (f64::from(stratum.count), f64::from(stratum.marked));
    let share = surviving_share(stratum, survivors);
    n * (n - s).max(0.0) * share * (1.0 - share) / s
}

/// Estimated number of a stratum's objects that left: those of the marked ones, and the share of the others.
fn left(stratum: &Stratum, survivors: u32) -> f64 {
    let (n, s, t) = (f64::from(stratum.count), f64::from(stratum.marked), f64::from(survivors));
    (s - t) + (n - s).max(0.0) * (1.0 - surviving_share(stratum, survivors))
}

/// The share of the marked objects that survived, moved a little away from 0 and 1 (Laplace): three survivors of three
/// do not prove that all of a thousand survived.
fn surviving_share(stratum: &Stratum, survivors: u32) -> f64 {
    (f64::from(survivors) + 1.0) / (f64::from(stratum.marked) + 2.0)
}

impl Count {
    fn estimate(&self) -> Estimate {
        if self.unmarked == 0.0 {
            return Estimate { newness: 0.0, variance: 0.0 };
        }
        let all = self.marked + self.unmarked;
        let kept = self.kept + self.copied;
        let certain = (all - self.before.max(kept)).max(0.0);
        let gained = all - kept;
        let is_noise = gained <= SIGNIFICANT * self.variance.sqrt();
        let (gained, variance) =
            if is_noise { (certain, self.variance_of_increase()) } else { (gained, self.variance) };
        // Of copies, as many come as the gain; how many left meanwhile is not known.
        let variance = if self.copied > 0.0 { variance + gained } else { variance };
        let newness = (gained / self.unmarked).clamp(0.0, 1.0);
        Estimate { newness, variance: if newness == 0.0 { 0.0 } else { variance / self.unmarked } }
    }

    /// Variance of the increase in size by chance: both counts are exact, and as many objects come as leave, each
    /// independently. In a large group this is far less than the variance of `kept`.
    fn variance_of_increase(&self) -> f64 {
        if self.before > 0.0 { self.variance.min(2.0 * self.left) } else { self.variance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(marked: f64, unmarked: f64, kept: f64, before: f64, variance: f64) -> Count {
        Count { marked, unmarked, kept, before, variance, ..Count::default() }
    }

    #[test]
    fn with_every_old_object_marked_the_others_are_new() {
        assert_eq!(count(10.0, 3.0, 10.0, 12.0, 0.0).estimate().newness, 1.0);
    }

    #[test]
    fn a_gain_is_spread_over_the_unmarked() {
        let estimate = count(10.0, 190.0, 100.0, 100.0, 25.0).estimate();
        assert!((estimate.newness - 100.0 / 190.0).abs() < 1e-12);
        assert!((estimate.variance * 190.0 - 25.0).abs() < 1e-12);
    }

    #[test]
    fn a_gain_within_its_error_is_none_unless_there_are_more_than_before() {
        assert_eq!(count(10.0, 95.0, 100.0, 105.0, 25.0).estimate().newness, 0.0);
        assert!((count(10.0, 95.0, 100.0, 101.0, 25.0).estimate().newness - 4.0 / 95.0).abs() < 1e-12);
    }

    #[test]
    fn an_increase_in_size_errs_only_by_what_comes_and_goes() {
        let large = Stratum { below: Container::Roots, class: 0, count: 300_000, marked: 30 };
        let (variance, left) = (variance_of_kept(&large, 30), left(&large, 30));
        let grown = Count { left, ..count(30.0, 300_570.0, 300_000.0, 300_000.0, variance) }.estimate();
        assert!((grown.newness * 300_570.0 - 600.0).abs() < 1e-6);
        let error = (grown.variance * 300_570.0).sqrt();
        assert!(error < 150.0 && variance.sqrt() > 9_000.0, "{error}");
    }

    #[test]
    fn an_unmarked_stratum_was_kept() {
        assert_eq!(count(0.0, 50.0, 50.0, 50.0, 0.0).estimate().newness, 0.0);
        assert_eq!(count(0.0, 50.0, 0.0, 0.0, 0.0).estimate().newness, 1.0);
    }

    #[test]
    fn the_error_vanishes_where_all_were_marked() {
        let stratum = Stratum { below: Container::Roots, class: 0, count: 100, marked: 100 };
        assert_eq!(variance_of_kept(&stratum, 60), 0.0);
        assert!(variance_of_kept(&Stratum { marked: 30, ..stratum }, 30) > 0.0);
    }
}
