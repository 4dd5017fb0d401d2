//! Growth that other growth explains.

use super::{Row, attribute};
use crate::naming::{Fingerprint, PathStep, Shared, SharedRole};
use crate::regions::rank::Footing;
use crate::relations::{Named, Relations};
use crate::report::samples::{self, start, static_field, step};
use crate::report::{Entry, Kind, Region, Trend};

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
        reached_from: Vec::new(),
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
        in_each_new: None,
        entry_class: region.entry.as_ref().map(|entry| entry.class.as_str()),
    }
}

fn marked(regions: Vec<Region>) -> Vec<(f64, Option<Fingerprint>)> {
    marked_on(FOOTING, regions)
}

fn marked_on(footing: Footing, regions: Vec<Region>) -> Vec<(f64, Option<Fingerprint>)> {
    let relations = Relations::new(&regions.iter().map(by_name).collect::<Vec<Named<'_>>>());
    marked_with(footing, &relations, regions)
}

fn marked_with(footing: Footing, relations: &Relations, regions: Vec<Region>) -> Vec<(f64, Option<Fingerprint>)> {
    let row = |(at, region)| Row { at, owner: None, footing, stands_for: 1.0, region };
    let mut rows: Vec<Row> = regions.into_iter().enumerate().map(row).collect();
    attribute(&mut rows, relations, |row| row.region.history.clone());
    rows.into_iter().map(|row| (row.region.rank, row.region.within)).collect()
}

#[test]
fn a_region_that_its_standing_has_discounted_is_not_discounted_again() {
    let halved = Footing { divisor: 2.0, ..FOOTING };
    let found = marked_on(halved, vec![grower(8.0, &STAMPS, 900.0, 300.0), grower(6.0, &NODES, 300.0, 100.0)]);
    assert_eq!(found, [(8.0, Some(named(&NODES))), (6.0, None)]);
}

#[test]
fn sizes_are_compared_at_one_time() {
    let stamps = Region { history: vec![(1.0, 600.0), (21.0, 700.0)], ..grower(8.0, &STAMPS, 900.0, 300.0) };
    let found = marked(vec![stamps, grower(6.0, &NODES, 300.0, 100.0)]);
    assert_eq!(found, [(6.0, None), (4.0, Some(named(&NODES)))]);
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

/// A grower with this owner: static field `Versions.all`, or a field of that object.
fn owned(rank: f64, (size, rate): (f64, f64), field: Option<&str>, path: &[&str]) -> Region {
    let mut region = Region { owner_at: 0, ..grower(rank, path, size, rate) };
    region.owner_proxy.path = static_field("Versions", "all");
    region.owner_proxy.path.turns.extend(field.into_iter().flat_map(|field| static_field("Versions", field).turns));
    region
}

#[test]
fn a_whole_that_gains_no_more_than_one_of_its_parts_is_that_part() {
    let part = || owned(8.0, (900.0, 60.0), Some("deleted"), &["Map", ".values: Object[]", "[*]: Version"]);
    let whole = |rate| owned(9.0, (990.0, rate), None, &["Versions", ".old: Map", ".values: Object[]", "[*]: Version"]);
    let found = named(&["Map", ".values: Object[]", "[*]: Version"]);
    assert_eq!(marked(vec![whole(61.0), part()]), [(8.0, None), (4.5, Some(found))]);
    assert_eq!(marked(vec![whole(120.0), part()]), [(9.0, None), (8.0, None)], "it gains elsewhere, too");
}

#[test]
fn the_keys_of_a_map_of_numbers_grow_with_its_values() {
    let path = ["Map", ".values: Object[]", "[*]: Version"];
    let keys = |field| owned(7.0, (900.0, 60.0), field, &["Map", ".keys: long[]"]);
    let values = || owned(8.0, (900.0, 60.0), Some("deleted"), &path);
    assert_eq!(marked(vec![values(), keys(Some("deleted"))]), [(8.0, None), (3.5, Some(named(&path)))]);
    assert_eq!(marked(vec![values(), keys(Some("other"))]), [(8.0, None), (7.0, None)], "another map's");
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
    region.also_held_by = vec![Shared { class: "Order".to_owned(), place: place(other), role: SharedRole::Held }];
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
    orders.also_held_by[0].role = SharedRole::Content;
    let found = marked(vec![orders, index(6.0, (900.0, 60.0), "b", "c")]);
    assert_eq!(found, [(6.0, None), (4.0, Some(named(&["b"])))]);
}

#[test]
fn maps_in_sessions_grow_with_the_index_that_holds_these() {
    let attributes = |rate| {
        let mut attributes = index(8.0, (900.0, rate), "a", "b");
        attributes.also_held_by[0].role = SharedRole::Around;
        attributes
    };
    let both = |rate| [attributes(rate), index(6.0, (90.0, 20.0), "b", "c")];
    assert_eq!(marked(both(240.0).into()), [(6.0, None), (4.0, Some(named(&["b"])))], "ten to each, as before");
    assert_eq!(marked(both(300.0).into()), [(8.0, None), (6.0, None)], "more to each");
    let regions = both(300.0);
    let mut of_attributes = by_name(&regions[0]);
    of_attributes.in_each_new = Some(15.0);
    let relations = Relations::new(&[of_attributes, by_name(&regions[1])]);
    assert_eq!(
        marked_with(FOOTING, &relations, regions.into()),
        [(6.0, None), (4.0, Some(named(&["b"])))],
        "15 in each new one"
    );
}

#[test]
fn entries_of_maps_of_one_class_on_the_way_are_no_part() {
    let part = owned(8.0, (900.0, 60.0), Some("deleted"), &["Map", ".values: Object[]", "[*]: Version"]);
    let beside = owned(9.0, (990.0, 61.0), None, &["Versions", ".old: List", ".values: Object[]", "[*]: Version"]);
    assert_eq!(marked(vec![beside, part]), [(9.0, None), (8.0, None)], "a list holds them");
    let nested = ["Map", ".nested: Map", ".values: Object[]", "[*]: Version"];
    let below = Region { owner_at: 1, ..owned(8.0, (900.0, 60.0), Some("nested"), &nested) };
    let above = owned(9.0, (990.0, 61.0), None, &["Map", ".values: Object[]", "[*]: Version"]);
    assert_eq!(marked(vec![above, below]), [(9.0, None), (8.0, None)], "its own, and not those of the map below");
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
fn what_lies_in_the_members_of_another_is_explained_whatever_their_leak_roots_are() {
    let session_cache = |path: &[&str], reached: &[&str], region: Region| Region {
        path: path.iter().map(|hop| element(hop)).collect(),
        reached_from: reached.iter().map(|hop| element(hop)).collect(),
        fingerprint: named(path),
        ..region
    };
    let sessions = session_cache(
        &["Cache", ".sessions: Map", "[*]: Node"],
        &["Server", ".handler: Handler", ".cache: Cache"],
        grower(8.0, &NODES, 10_000.0, 2_000.0),
    );
    let keys = session_cache(
        &["Handler", ".cache: Cache", ".sessions: Map", "[*]: Node", ".value: Session", ".id: String"],
        &["Server", ".handler: Handler"],
        grower(6.0, &NODES, 20_000.0, 4_000.0),
    );
    let by = sessions.fingerprint;
    assert_eq!(marked(vec![sessions, keys])[1].1, Some(by));
}

#[test]
fn more_maps_explain_no_more_in_one_of_them_than_one_each() {
    const MAPS: [&str; 4] = ["Store", ".maps: Map", "[*]: Node", ".value: Tree"];
    const ROWS: [&str; 6] = ["Store", ".maps: Map", "[*]: Node", ".value: Tree", ".root: Page", "[*]: Row"];
    let by = |owner_at, rate| {
        let rows = Region { owner_at, ..grower(6.0, &ROWS, 5_000.0, rate) };
        marked(vec![grower(8.0, &MAPS, 250.0, 200.0), rows])[1].1
    };
    assert_eq!(by(3, 2_800.0), None, "one of the maps owns them");
    assert_eq!(by(1, 2_800.0), Some(named(&MAPS)), "all maps do");
    assert_eq!(by(3, 180.0), Some(named(&MAPS)), "one to each map");
}

#[test]
fn what_each_delivery_refers_to_by_a_field_is_explained_while_there_are_no_more_than_deliveries() {
    const DELIVERIES: [&str; 3] = ["Queue", ".slots: Object[]", "[*]: Delivery"];
    const PRODUCTS: [&str; 4] = ["Queue", ".slots: Object[]", "[*]: Delivery", ".product: Product"];
    let by =
        |size, rate| marked(vec![grower(8.0, &DELIVERIES, 18_000.0, 4_800.0), grower(6.0, &PRODUCTS, size, rate)])[1].1;
    assert_eq!(by(3_000.0, 1_900.0), Some(named(&DELIVERIES)), "products that were replaced since");
    assert_eq!(by(30_000.0, 19_000.0), None, "chained");
}

#[test]
fn nodes_that_are_counted_in_orders_explain_the_orders_in_them() {
    const NODES: [&str; 3] = ["Index", ".root: Node", "[*]: Node ×3"];
    const ORDERS: [&str; 4] = ["Index", ".root: Node ×4", ".kids: Object[]", "[*]: Order"];
    let nodes = |class: &str| {
        let entry = Some(Entry { class: class.to_owned(), per_change_proxy: 15.0, error: 0.0 });
        Region { entry, ..grower(8.0, &NODES, 3_000.0, 15_000.0) }
    };
    let orders = || grower(6.0, &ORDERS, 45_000.0, 15_000.0);
    assert_eq!(marked(vec![nodes("Order"), orders()])[1].1, Some(named(&NODES)));
    assert_eq!(marked(vec![nodes("Key"), orders()])[1].1, None);
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

/// Visits in the histories of users: the owner is the map of users, or one history.
const VISITS: [&str; 5] = ["Shop", ".users: Map", "[*]: User", ".history: List", "[*]: Visit"];

fn visits(owner_at: usize, size: f64, rate: f64) -> Region {
    Region { owner_at, ..grower(8.0, &VISITS, size, rate) }
}

#[test]
fn some_histories_that_gain_a_minor_part_are_explained_by_all_of_them_however_fast_they_are() {
    let all = || visits(1, 300_000.0, 16_800.0);
    assert_eq!(marked(vec![all(), visits(3, 3_000.0, 500.0)]).len(), 1);
    assert_eq!(marked(vec![all(), visits(3, 3_000.0, 12_000.0)]).len(), 2, "the one that grows");
}

/// A grower at this path that gains this number of members from each job.
fn of_each_job(rank: f64, path: &[&str], each: f64) -> Region {
    let job = |number: i32| (f64::from(number), each * f64::from(10 + number * number / 20));
    Region { history: (0..40).map(job).collect(), ..grower(rank, path, 100.0, 50.0) }
}

#[test]
fn what_one_operation_adds_to_several_structures_is_named_with_the_first_and_keeps_its_rank() {
    let (beans, queue) = (["Server", ".beans: Map", "[*]: Bean"], ["Logger", ".queue: Queue", "[*]: Message"]);
    let leads = |first: Region, second: Region| marked(vec![first, second])[1];
    let (first, second) = (of_each_job(8.0, &beans, 4.0), of_each_job(5.0, &queue, 1.0));
    assert_eq!(leads(first, second.clone()), (5.0, Some(named(&beans))));
    let other = Region { history: second.history.iter().map(|&(at_s, size)| (at_s, size + at_s)).collect(), ..second };
    assert_eq!(leads(of_each_job(8.0, &beans, 4.0), other).1, None);
}
