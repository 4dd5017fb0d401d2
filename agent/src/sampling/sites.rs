//! From samples to allocation sites: which samples count, and which stacks are the same. Knows no JVM.

use super::samples::Sample;
use rootbound_wire::message::{SampledSite, SiteBasis, SiteFrame};
use std::collections::{BTreeMap, HashSet};

/// Sites that are reported of each structure.
const MOST_SITES: usize = 5;
/// Frames of the application that make a site, from the one that allocates (or calls the JDK to allocate) on.
const APPLICATION_FRAMES: usize = 8;
/// Frames of the JDK above them that are reported.
const JDK_FRAMES: usize = 8;
/// A sample this old has had time to be put into the structure, and to be taken out again.
const LEAST_AGE_MS: u64 = 3_000;
/// This number of samples suffices: younger ones are left out then, of which some would not have stayed.
const ENOUGH: usize = 24;
/// Collections that a survivor has outlived.
const SURVIVED_COLLECTIONS: u64 = 2;

/// The moment of a search of the structures.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// When the window began.
    pub begun_ms: u64,
    /// Now.
    pub now_ms: u64,
    /// Collections finished by now.
    pub collections: u64,
}

/// The result of a search of one structure.
#[derive(Clone, Copy, Debug)]
pub struct Looked<'a> {
    /// Tags of the classes that its members have.
    pub classes: &'a HashSet<usize>,
    /// Tags of the samples that were met inside.
    pub met: &'a HashSet<i64>,
    /// Whether all of it was read.
    pub is_whole: bool,
    /// Tags of the samples that were met in any structure.
    pub met_anywhere: &'a HashSet<i64>,
}

/// The samples attributable to a structure, all of them alive.
///
/// Those met inside. In a structure too large to be searched wholly, when that finds none, those that survived and lie
/// in no other. If it can, the older half of the window is used alone: also in a structure that members leave, a
/// member is more likely to stay the longer it is there.
pub fn attributable<'s>(alive: &'s [Sample], looked: Looked<'_>, moment: Moment) -> (SiteBasis, Vec<&'s Sample>) {
    let of_class = |sample: &&Sample| looked.classes.contains(&sample.class);
    let met = |sample: &&Sample| looked.met.contains(&sample.tag);
    let found: Vec<&Sample> = alive.iter().filter(of_class).filter(met).collect();
    if !found.is_empty() || looked.is_whole {
        return (SiteBasis::Found, old_ones(&found, moment));
    }
    let survived = |sample: &&Sample| {
        sample.collections + SURVIVED_COLLECTIONS <= moment.collections && !looked.met_anywhere.contains(&sample.tag)
    };
    let survivors: Vec<&Sample> = alive.iter().filter(of_class).filter(survived).collect();
    (SiteBasis::Survived, old_ones(&survivors, moment))
}

/// The samples that are old enough to have been put into one of the structures, and lie in none: they make room for
/// others. Nothing is known of those of a class whose structures were not all searched wholly.
pub fn unrelated(alive: &[Sample], looked: &[Looked<'_>], moment: Moment) -> HashSet<i64> {
    let is_old = |sample: &&Sample| sample.at_ms + LEAST_AGE_MS <= moment.now_ms;
    let lies_in_none = |sample: &&Sample| {
        let may_hold = |looked: &&Looked<'_>| looked.classes.contains(&sample.class);
        looked.iter().filter(may_hold).all(|looked| looked.is_whole && !looked.met.contains(&sample.tag))
    };
    alive.iter().filter(is_old).filter(lies_in_none).map(|sample| sample.tag).collect()
}

fn old_ones<'s>(samples: &[&'s Sample], moment: Moment) -> Vec<&'s Sample> {
    let half_ms = moment.now_ms.saturating_sub(moment.begun_ms) / 2;
    let older_than = |age_ms: u64| {
        let is_old = |sample: &&&Sample| sample.at_ms + age_ms <= moment.now_ms;
        samples.iter().filter(is_old).copied().collect::<Vec<_>>()
    };
    let old = older_than(half_ms.max(LEAST_AGE_MS));
    if old.len() >= ENOUGH { old } else { older_than(LEAST_AGE_MS) }
}

/// Groups stacks, each given top first, into the most frequent sites.
///
/// Stacks are one site when the application's frames are the same, from the uppermost on. The JDK's reason to allocate
/// (a list that grew, a bucket that was taken) does not show which code adds. A stack without any application frame
/// counts as a whole.
pub fn sites(stacks: Vec<Vec<SiteFrame>>) -> Vec<SampledSite> {
    let mut groups: BTreeMap<Vec<String>, (u32, Vec<SiteFrame>)> = BTreeMap::new();
    for stack in stacks {
        let upper = stack.iter().position(|frame| frame.is_application).unwrap_or(0);
        let end = stack.len().min(upper + APPLICATION_FRAMES);
        let key = stack[upper..end].iter().map(place).collect();
        let frames = || stack[upper.saturating_sub(JDK_FRAMES)..end].to_vec();
        groups.entry(key).or_insert_with(|| (0, frames())).0 += 1;
    }
    let mut sites: Vec<SampledSite> =
        groups.into_values().map(|(samples, frames)| SampledSite { samples, frames }).collect();
    sites.sort_by_key(|site| std::cmp::Reverse(site.samples));
    sites.truncate(MOST_SITES);
    sites
}

fn place(frame: &SiteFrame) -> String {
    format!("{}.{}:{}", frame.class, frame.method, frame.line.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jvmti::abi::FrameInfo;
    use crate::jvmti::allocations::DEEPEST;

    const NOW: Moment = Moment { begun_ms: 0, now_ms: 60_000, collections: 10 };

    fn sample(tag: i64, at_ms: u64, collections: u64) -> Sample {
        Sample { tag, class: 1, at_ms, collections, depth: 1, frames: [FrameInfo::default(); DEEPEST] }
    }

    fn speak(alive: &[Sample], met: &[i64], is_whole: bool, elsewhere: &[i64]) -> (SiteBasis, Vec<i64>) {
        let met: HashSet<i64> = met.iter().copied().collect();
        let met_anywhere = met.iter().chain(elsewhere).copied().collect();
        let looked = Looked { classes: &HashSet::from([1]), met: &met, is_whole, met_anywhere: &met_anywhere };
        let (basis, samples) = attributable(alive, looked, NOW);
        (basis, samples.into_iter().map(|sample| sample.tag).collect())
    }

    #[test]
    fn samples_met_inside_are_attributable_and_young_ones_are_not() {
        let alive = [sample(1, 0, 0), sample(2, 0, 0), sample(3, 58_000, 9)];
        assert_eq!(speak(&alive, &[1, 3], true, &[]), (SiteBasis::Found, vec![1]));
        assert_eq!(speak(&alive, &[], true, &[]), (SiteBasis::Found, vec![]), "all was read, and nothing is there");
    }

    #[test]
    fn in_too_large_structures_survivors_outside_others_are_attributable() {
        let alive = [sample(1, 0, 0), sample(2, 0, 9), sample(3, 0, 0), sample(4, 0, 8)];
        assert_eq!(speak(&alive, &[], false, &[3]), (SiteBasis::Survived, vec![1, 4]));
        assert_eq!(speak(&alive, &[2], false, &[3]), (SiteBasis::Found, vec![2]));
        let mut other = sample(1, 0, 0);
        other.class = 2;
        assert_eq!(speak(&[other], &[], false, &[]), (SiteBasis::Survived, vec![]));
    }

    #[test]
    fn samples_in_no_structure_make_room_when_all_were_searched() {
        let alive = [sample(1, 0, 0), sample(2, 0, 0), sample(3, 59_000, 0)];
        let unrelated = |is_whole| {
            let (classes, met) = (HashSet::from([1]), HashSet::from([1]));
            let looked = Looked { classes: &classes, met: &met, is_whole, met_anywhere: &met };
            unrelated(&alive, &[looked], NOW)
        };
        assert_eq!(unrelated(true), HashSet::from([2]));
        assert_eq!(unrelated(false), HashSet::new());
    }

    #[test]
    fn enough_old_samples_speak_alone() {
        let mut alive: Vec<Sample> = (0..ENOUGH as i64).map(|tag| sample(tag, 10_000, 0)).collect();
        alive.push(sample(99, 40_000, 0));
        let met: Vec<i64> = alive.iter().map(|sample| sample.tag).collect();
        assert!(!speak(&alive, &met, true, &[]).1.contains(&99));
        assert!(speak(&alive[1..], &met, true, &[]).1.contains(&99));
    }

    fn frame(class: &str, line: u32) -> SiteFrame {
        let is_application = class.starts_with("shop");
        SiteFrame { class: class.to_owned(), method: "m".to_owned(), file: None, line: Some(line), is_application }
    }

    #[test]
    fn stacks_are_one_site_whichever_way_the_jdk_took() {
        let by_head = vec![frame("java.Node", 1), frame("java.Map", 627), frame("shop.A", 7), frame("java.Thread", 1)];
        let by_tail = vec![frame("java.Map", 641), frame("shop.A", 7), frame("java.Thread", 1)];
        let other = vec![frame("java.Map", 627), frame("shop.A", 8), frame("java.Thread", 1)];
        let sites = sites(vec![by_head.clone(), other, by_tail]);
        assert_eq!(sites.iter().map(|site| site.samples).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(sites[0].frames, by_head);
    }

    #[test]
    fn a_stack_without_the_application_is_a_site_too() {
        let stack = vec![frame("java.Node", 1), frame("java.Thread", 1)];
        assert_eq!(sites(vec![stack.clone()]), [SampledSite { samples: 1, frames: stack }]);
        assert_eq!(sites(vec![vec![], vec![]]).len(), 1, "an empty stack is no reason to panic");
    }

    #[test]
    fn the_first_five_are_reported() {
        let stacks = (0..20).flat_map(|line| vec![vec![frame("shop.A", line)]; line as usize + 1]).collect();
        let counts: Vec<u32> = sites(stacks).iter().map(|site| site.samples).collect();
        assert_eq!(counts, [20, 19, 18, 17, 16]);
    }
}
