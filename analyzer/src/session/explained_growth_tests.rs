//! Growth that other growth explains.

use super::{Row, attribute};
use crate::naming::{Fingerprint, PathStep, Shared};
use crate::regions::rank::Footing;
use crate::relations::{Named, Relations};
use crate::report::samples::{self, start, static_field, step};
use crate::report::{Kind, Region, Trend};

/// An element of a path: a class, `.field: Class` or `[*]: Class ×3`.
fn element(text: &str) -> PathStep {
    let Some((reference, class)) = text.split_once(": ") else { return start(Kind::Object, text) };
    let (class, times) = class.split_once(" ×").unwrap_or((class, "1"));
    step(reference.strip_prefix('.').unwrap_or_default(), class, times.parse().expect("a number"))
}

/// A fingerprint of its own for each path.
fn named(path: &[&str]) -> Fingerprint {
    Fingerprint(path.concat().bytes().fold(0u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte))))
}

/// A grower at the end of this path.
fn grower(rank: f64, path: &[&str], size: f64, rate: f64) -> Region {
    let first = samples::figure_5().regions.swap_remove(0);
    Region {
        rank,
        fingerprint: named(path),
        path: path.iter().map(|hop| element(hop)).collect(),
        history: vec![(1.0, size - rate), (61.0, size)],
        rate_per_min: Some(rate),
        ..first
    }
}

const NODES: [&str; 4] = ["Pool", ".all: Map", "[*]: Node", ".next: Node ×2"];
const STAMPS: [&str; 5] = ["Pool", ".all: Map", "[*]: Node ×3", ".value: Pooled", ".created: Instant"];

const FOOTING: Footing = Footing { leak_root_rank: 0.5, divisor: 1.0 };

fn by_name(region: &Region) -> Named<'_> {
    Named {
        path: &region.path,
        owner_at: region.owner_at,
        reached_from: &region.reached_from,
        owner: &region.owner_proxy.path,
        kept_by: region.kept_by.as_ref(),
        shared: &region.also_held_by,
    }
}

fn marked(regions: Vec<Region>) -> Vec<(f64, Option<Fingerprint>)> {
    marked_on(FOOTING, regions)
}

fn marked_on(footing: Footing, regions: Vec<Region>) -> Vec<(f64, Option<Fingerprint>)> {
    let relations = Relations::new(&regions.iter().map(by_name).collect::<Vec<Named<'_>>>());
    let row = |(at, region)| Row { at, owner: None, footing, stands_for: 1.0, region };
    let mut rows: Vec<Row> = regions.into_iter().enumerate().map(row).collect();
    attribute(&mut rows, &relations);
    rows.into_iter().map(|row| (row.region.rank, row.region.within)).collect()
}

#[test]
fn a_region_that_its_standing_has_discounted_is_not_discounted_again() {
    let halved = Footing { divisor: 2.0, ..FOOTING };
    let found = marked_on(halved, vec![grower(8.0, &STAMPS, 900.0, 300.0), grower(6.0, &NODES, 300.0, 100.0)]);
    assert_eq!(found, [(8.0, Some(named(&NODES))), (6.0, None)]);
}

#[test]
fn three_stamps_to_each_pooled_object_are_part_of_the_pool() {
    let found = marked(vec![grower(8.0, &STAMPS, 900.0, 300.0), grower(6.0, &NODES, 300.0, 100.0)]);
    assert_eq!(found, [(6.0, None), (4.0, Some(named(&NODES)))]);
}

#[test]
fn what_two_owners_count_alike_is_one_growth() {
    let found = marked(vec![grower(8.0, &STAMPS, 900.0, 300.0), grower(7.0, &STAMPS, 900.0, 301.0)]);
    assert_eq!(found, [(8.0, None)]);
}

#[test]
fn two_objects_of_each_entry_are_one_growth_but_two_lists_of_one_owner_are_not() {
    let of = |rank, path: &[&str]| Region { owner_at: 1, ..grower(rank, path, 900.0, 300.0) };
    let checked = ["Pool", ".all: Map", "[*]: Node", ".value: Metadata", ".checked: Set", ".tail: Entry"];
    let injected = ["Pool", ".all: Map", "[*]: Node", ".value: Metadata", ".injected: List"];
    let found = marked(vec![of(8.0, &injected), of(6.0, &checked)]);
    assert_eq!(found, [(8.0, None), (3.0, Some(named(&injected)))]);
    let lists = [".first: Entry", ".second: Event"].map(|field| ["Pool", ".all: Lists", field]);
    assert_eq!(marked(vec![of(8.0, &lists[0]), of(6.0, &lists[1])]), [(8.0, None), (6.0, None)]);
    let elements = [[&checked[..], &["[*]: Check"]].concat(), [&injected[..], &["[*]: Point"]].concat()];
    assert_eq!(marked(vec![of(8.0, &elements[0]), of(6.0, &elements[1])]), [(8.0, None), (6.0, None)]);
}

/// Growers of which each may refer weakly to objects that another keeps.
fn side_table(rank: f64, size: f64, rate: f64, path: &str, kept_by: Option<&str>) -> Region {
    let place = |path: &str| static_field(path, "all");
    let mut region = Region { kept_by: kept_by.map(place), ..grower(rank, &[path], size, rate) };
    region.owner_proxy.path = place(path);
    region
}

#[test]
fn locals_of_a_thread_grow_with_the_appenders_that_keep_their_keys() {
    let locals = |rate| side_table(8.0, 900.0, rate, "thread.threadLocals", Some("static Log.appenders"));
    let appenders = || side_table(6.0, 300.0, 100.0, "static Log.appenders", None);
    let kept = marked(vec![locals(300.0), appenders()]);
    assert_eq!(kept, [(6.0, None), (4.0, Some(named(&["static Log.appenders"])))]);
    assert_eq!(marked(vec![locals(900.0), appenders()]), [(8.0, None), (6.0, None)]);
}

#[test]
fn of_two_that_keep_each_others_keys_one_is_explained() {
    let found = marked(vec![side_table(8.0, 90.0, 9.0, "a", Some("b")), side_table(6.0, 90.0, 9.0, "b", Some("a"))]);
    assert_eq!(found.iter().filter(|(_, within)| within.is_none()).count(), 1);
}

/// A grower whose members hold the same orders as those of another one.
fn index(rank: f64, (size, rate): (f64, f64), field: &str, other: &str) -> Region {
    let place = |field: &str| static_field("Shop", field);
    let mut region = grower(rank, &[field], size, rate);
    region.also_held_by = vec![Shared { class: "Order".to_owned(), place: place(other), are_contents: false }];
    region.owner_proxy.path = place(field);
    region
}

#[test]
fn an_index_by_number_grows_with_the_index_by_name_that_holds_the_same_orders() {
    let both = |gained| marked(vec![index(8.0, (900.0, 60.0), "a", "b"), index(6.0, (90.0, gained), "b", "a")]);
    assert_eq!(both(60.0), [(8.0, None), (3.0, Some(named(&["a"])))], "whatever is in the first beside");
    assert_eq!(both(90.0), [(8.0, None), (6.0, None)], "it gains more than those");
}

#[test]
fn orders_grow_with_the_index_that_holds_them_whatever_the_ranks_are() {
    let mut orders = index(8.0, (900.0, 60.0), "a", "b");
    orders.also_held_by[0].are_contents = true;
    let found = marked(vec![orders, index(6.0, (900.0, 60.0), "b", "c")]);
    assert_eq!(found, [(6.0, None), (4.0, Some(named(&["b"])))]);
}

#[test]
fn regions_never_explain_each_other_in_a_circle() {
    let stamps = Region { also_held_by: Vec::new(), ..grower(8.0, &STAMPS, 900.0, 300.0) };
    let pool =
        Region { also_held_by: index(0.0, (1.0, 1.0), "a", "a").also_held_by, ..grower(6.0, &NODES, 300.0, 100.0) };
    let mut stamps = stamps;
    stamps.owner_proxy.path = static_field("Shop", "a");
    let found = marked(vec![stamps, pool]);
    assert_eq!(found, [(6.0, None), (4.0, Some(named(&NODES)))], "the pool explains the stamps, and not they the pool");
}

#[test]
fn lists_that_grow_by_themselves_are_no_part_of_the_map_that_holds_them() {
    let found = marked(vec![grower(8.0, &STAMPS, 900.0, 600.0), grower(6.0, &NODES, 300.0, 100.0)]);
    assert_eq!(found, [(8.0, None), (6.0, None)]);
}

#[test]
fn a_list_in_chunks_gains_what_lies_in_them() {
    const CHUNKS: [&str; 3] = ["Column", ".segments: Cell[][]", "[*]: Cell[]"];
    const CELLS: [&str; 4] = ["Column", ".segments: Cell[][]", "[*]: Cell[]", "[*]: Cell"];
    const NODES: [&str; 3] = ["Queue", ".first: Chunk", ".next: Chunk ×9"];
    const ITEMS: [&str; 4] = ["Queue", ".first: Chunk", ".items: Object[]", "[*]: Item"];
    for (chunks, members) in [(&CHUNKS, &CELLS), (&NODES, &ITEMS)] {
        let found = marked(vec![grower(8.0, members, 640.0, 320.0), grower(4.0, chunks, 10.0, 5.0)]);
        assert_eq!(found, [(8.0, None), (4.0, None)]);
    }
}

#[test]
fn keys_and_values_in_the_same_arrays_are_one_growth() {
    const KEYS: [&str; 4] = ["Map", ".root: Node", ".slots: Object[]", "[*]: Key"];
    const VALUES: [&str; 4] = ["Map", ".root: Node", ".slots: Object[]", "[*]: Session"];
    let found = marked(vec![grower(8.0, &VALUES, 900.0, 300.0), grower(7.0, &KEYS, 900.0, 300.0)]);
    assert_eq!(found, [(8.0, None), (3.5, Some(named(&VALUES)))]);
    let apart = marked(vec![grower(8.0, &VALUES, 900.0, 100.0), grower(7.0, &KEYS, 900.0, 300.0)]);
    assert_eq!(apart, [(8.0, None), (7.0, None)], "one type gains more than the other explains");
}

#[test]
fn what_hangs_elsewhere_or_does_not_grow_explains_nothing() {
    let elsewhere = ["Pool", ".idle: Deque", "[*]: Node"];
    let still = Region { trend: Some(Trend::Flatliner), ..grower(6.0, &NODES, 300.0, 100.0) };
    for other in [grower(6.0, &elsewhere, 300.0, 100.0), still] {
        let found = marked(vec![grower(8.0, &STAMPS, 900.0, 300.0), other]);
        assert!(found.iter().all(|(_, within)| within.is_none()), "{found:?}");
    }
}
