//! Structures at one place as one row.

use super::{Row, merge, rank};
use crate::heap::ObjectIdx;
use crate::naming::Fingerprint;
use crate::regions::rank::Footing;
use crate::relations::{Named, Relations};
use crate::report::samples;
use crate::report::{Note, Region, SizeProbe, Trend, Untracked};

/// A grower with a rate, its interval and every other field that can be summed.
fn grower() -> Region {
    samples::figure_5().regions.swap_remove(0)
}

fn with_history(history: &[(f64, f64)]) -> Region {
    Region { history: history.to_vec(), ..grower() }
}

const FOOTING: Footing = Footing { leak_root_rank: 0.5, divisor: 1.0 };

/// Regions, each with an owner of its own.
fn of_owners(regions: Vec<Region>) -> Vec<Region> {
    merged(regions.into_iter().enumerate().map(|(at, region)| row(Some(ObjectIdx(at as u32)), region)).collect())
}

fn merged(rows: Vec<Row>) -> Vec<Region> {
    merge(rows, &Relations::default()).into_iter().map(|row| row.region).collect()
}

fn row(owner: Option<ObjectIdx>, region: Region) -> Row {
    Row { at: 0, owner, footing: FOOTING, stands_for: 1.0, region }
}

#[test]
fn what_was_found_in_two_ways_counts_once_and_what_an_old_capture_found_counts_too() {
    let owner = Some(ObjectIdx(7));
    let two_of = |owner| vec![row(owner, grower()), row(owner, grower())];
    assert_eq!(merged(two_of(owner)), [grower()]);
    assert_eq!(merged(two_of(None)).iter().map(|region| region.alike).collect::<Vec<_>>(), [2]);
}

#[test]
fn two_of_one_place_are_one_with_the_sum_of_their_rates() {
    let united = of_owners(vec![grower(), grower()]);
    let ([one], two) = (&united[..], grower()) else { panic!("{united:?}") };
    assert_eq!((one.alike, one.proxy_size), (2, 2 * two.proxy_size));
    assert_eq!(one.rate_per_min, Some(960.0));
    // Half widths of 9 add up to 12.7.
    let half = 960.0 - one.rate_low.unwrap_or(0.0);
    assert!((half - 9.0 * 2f64.sqrt()).abs() < 1e-9, "{half}");
    assert_eq!(one.bytes_per_hour, Some(921_600.0));
    assert_eq!(one.time_to_full_s, two.time_to_full_s.map(|seconds| seconds / 2.0));
    assert_eq!(one.updates.additions, 2 * two.updates.additions);
    // Twice the bytes: one more by the second logarithm; and the entries of both.
    let alone = rank(FOOTING, &two);
    let step = (1.0 + 2f64.log10()) / 3.0;
    assert!((one.rank - alone - step).abs() < 1e-2, "{} after {alone}", one.rank);
}

#[test]
fn sites_of_allocation_are_those_of_both() {
    let united = of_owners(vec![grower(), grower()]);
    let (one, two) = (&united[0], grower());
    assert_eq!(one.allocation_samples, two.allocation_samples.map(|samples| 2 * samples));
    let shares = |region: &Region| region.allocation_sites.iter().map(|site| site.share).collect::<Vec<_>>();
    assert_eq!(shares(one), shares(&two));
}

#[test]
fn sizes_are_summed_from_when_both_are_known() {
    let first = with_history(&[(1.0, 10.0), (3.0, 30.0), (5.0, 50.0)]);
    let second = with_history(&[(2.0, 200.0), (4.0, 400.0), (6.0, 600.0)]);
    let united = of_owners(vec![first, second]);
    assert_eq!(united[0].history, [(2.0, 210.0), (4.0, 430.0), (6.0, 650.0)]);
}

#[test]
fn what_does_otherwise_or_stands_elsewhere_stays_apart() {
    let mut owned_otherwise = grower();
    owned_otherwise.owner_proxy.class = "Shop".to_owned();
    let elsewhere = Region { fingerprint: Fingerprint(7), ..grower() };
    let still = Region { trend: Some(Trend::Flatliner), ..grower() };
    let unknown = Region { trend: None, ..grower() };
    let filling = Region { bounded: true, ..grower() };
    let all = vec![grower(), owned_otherwise, elsewhere, still, unknown.clone(), unknown, filling.clone(), filling];
    assert_eq!(of_owners(all.clone()), all);
}

#[test]
fn what_counts_the_members_of_another_is_not_added_to_it() {
    let region = grower();
    let named = |owner_at| Named {
        path: &region.path,
        owner_at,
        reached_from: &[],
        owner: &region.owner_proxy.path,
        kept_by: None,
        shared: &[],
        in_each_new: None,
        entry_class: None,
    };
    let alike = |owners: [usize; 3]| {
        let relations = Relations::new(&owners.map(named));
        let rows = (0..3).map(|at| Row { at, ..row(Some(ObjectIdx(at as u32)), grower()) });
        merge(rows.collect(), &relations).iter().map(|row| row.region.alike).collect::<Vec<_>>()
    };
    assert_eq!(alike([2, 2, 2]), [3], "beside each other");
    assert_eq!(alike([2, 1, 2]), [2, 1], "the second holds the others");
    assert_eq!(alike([1, 2, 2]), [1, 2], "the first holds the others");
}

#[test]
fn what_is_not_followed_for_one_reason_is_reported_once() {
    let left_out = |reason: Untracked| Region {
        trend: None,
        rate_per_min: None,
        history: Vec::new(),
        untracked: Some(reason),
        ..grower()
    };
    let one_of_many = || left_out(Untracked::OneOfMany { count: 60 });
    let united = of_owners(vec![one_of_many(), left_out(Untracked::OwnerGone), one_of_many()]);
    let counts: Vec<u64> = united.iter().map(|region| region.alike).collect();
    assert_eq!((counts, united[0].rate_per_min), (vec![2, 1], None));
}

#[test]
fn what_many_gain_together_is_growth_where_none_of_them_gains_enough_alone() {
    let alone = |gained: &dyn Fn(f64) -> f64, probe| Region {
        trend: Some(Trend::Flatliner),
        probe: Some(probe),
        history: (0..60).map(|second| (f64::from(second), 100.0 + gained(f64::from(second)))).collect(),
        ..grower()
    };
    let judged = |gained: &dyn Fn(f64) -> f64, probe| of_owners(vec![alone(gained, probe); 12])[0].trend;
    let six = |second: f64| (second / 10.0).floor();
    assert_eq!(judged(&six, SizeProbe::Counter), Some(Trend::Grower));
    assert_eq!(judged(&six, SizeProbe::Sampled), Some(Trend::Flatliner), "such sizes are not exact");
    assert_eq!(judged(&|second| six(second.min(20.0)), SizeProbe::Counter), Some(Trend::Flatliner), "it has stopped");
}

#[test]
fn an_interval_that_one_of_them_lacks_the_sum_lacks_too() {
    let united = of_owners(vec![grower(), Region { rate_low: None, rate_high: None, ..grower() }]);
    assert_eq!((united[0].rate_per_min, united[0].rate_low, united[0].rate_high), (Some(960.0), None, None));
}

fn sample(count: usize) -> Vec<Region> {
    let rows = (0..count).map(|at| {
        let stands_for = if at == 0 { 1.0 } else { 10.0 };
        Row { stands_for, ..row(Some(ObjectIdx(at as u32)), grower()) }
    });
    merged(rows.collect())
}

#[test]
fn some_that_behave_alike_show_what_those_do_for_which_they_stand() {
    let (few, one) = (sample(2), grower());
    assert_eq!((few[0].alike, few[0].rate_per_min), (2, Some(960.0)), "two prove nothing of the others");
    let many = sample(4);
    assert_eq!((many[0].alike, many[0].rate_per_min), (31, one.rate_per_min.map(|rate| 31.0 * rate)));
    assert_eq!(many[0].note, Some(Note::SomeOfMany { followed: 4, all: 31 }));
    assert_eq!(many[0].proxy_size, 31 * one.proxy_size);
    let half = |region: &Region| region.rate_per_min.unwrap_or(0.0) - region.rate_low.unwrap_or(0.0);
    assert!((half(&many[0]) - half(&one) * 301f64.sqrt()).abs() < 1e-6, "they differ by nothing but their own errors");
}
