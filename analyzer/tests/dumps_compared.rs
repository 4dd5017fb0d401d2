//! Dumps of one program compared: what grew is named, and nothing is said that dumps cannot tell.

use rootbound::heap::Heap;
use rootbound::heap::dsl::{HeapSketch, OLD};
use rootbound::report::{GrowthPlace, Report, Status, Trend};
use rootbound::session::{DumpFacts, Dumps};
use rootbound::view::look::{Look, Width};
use rootbound::view::table;

/// A shop with orders in one vector and cached prices in another. Other objects come first, so that
/// nothing lies where it lay in another dump.
fn shop(orders: usize, prices: usize) -> Heap {
    let mut sketch = HeapSketch::new();
    sketch.class("shop.Noise");
    for _ in 0..orders % 7 {
        sketch.old("shop.Noise");
    }
    for (field, class, count) in [("orders", "shop.Order", orders), ("prices", "shop.Price", prices)] {
        let (vector, array) = (sketch.old("java.util.Vector"), sketch.old("java.lang.Object[]"));
        sketch.static_field("shop.Shop", field, vector);
        sketch.refer(vector, "elementData", array);
        for _ in 0..count {
            let (element, part) = (sketch.old(class), sketch.old("shop.Part"));
            sketch.element(array, element);
            sketch.refer(element, "part", part);
        }
    }
    sketch.build()
}

fn facts(number: usize, is_timed: bool) -> DumpFacts {
    let taken_ms = is_timed.then_some(1_700_000_000_000 + number as u64 * 60_000);
    DumpFacts { file: format!("{number}.hprof"), taken_ms }
}

fn compared(heaps: Vec<Heap>, is_timed: bool) -> Report {
    let count = heaps.len();
    let mut dumps = Dumps::between(&heaps[0], &heaps[count - 1]);
    for (number, heap) in heaps.into_iter().enumerate() {
        if number + 1 == count {
            return dumps.report(heap, &facts(number, is_timed), false);
        }
        dumps.add(heap, facts(number, is_timed));
    }
    unreachable!("there is a last heap")
}

/// Where each region's owner is, and its trend.
fn trends(report: &Report) -> Vec<(String, Option<Trend>)> {
    report.regions.iter().map(|region| (region.owner_proxy.path.to_string(), region.trend)).collect()
}

fn of_shop((field, trend): (&str, Option<Trend>)) -> (String, Option<Trend>) {
    (format!("static shop.Shop.{field}"), trend)
}

#[test]
fn of_two_dumps_what_is_more_is_named_and_no_leak_is_claimed() {
    let report = compared(vec![shop(1000, 500), shop(1300, 500)], true);
    let first = &report.regions[0];
    assert_eq!(first.owner_proxy.path.to_string(), "static shop.Shop.orders");
    assert_eq!(first.change_proxy.class, "shop.Order");
    assert_eq!(first.history, [(0.0, 1000.0), (60.0, 1300.0)]);
    assert_eq!((first.rate_per_min, first.trend), (Some(300.0), None));
    assert_eq!((report.verdict.leaking, report.snapshots.len()), (None, 2));
    assert!(report.status == Status::Compared { dumps: 2 }, "{}", report.status);
    let matched = report.snapshots[1].matched.unwrap();
    assert!((0.7..0.9).contains(&matched), "{matched}");
}

#[test]
fn the_table_says_what_grew_and_by_how_much() {
    let report = compared(vec![shop(1000, 500), shop(1300, 500)], true);
    insta::assert_snapshot!(table::final_table(&report, Width::of_terminal(100), Look::default()));
}

#[test]
fn of_three_dumps_what_goes_on_growing_is_a_grower() {
    let report = compared(vec![shop(1000, 500), shop(1300, 700), shop(1500, 600)], true);
    let expected = [("orders", Some(Trend::Grower)), ("prices", Some(Trend::Oscillator))];
    assert_eq!(trends(&report), expected.map(of_shop));
    assert_eq!(report.verdict.leaking, Some(true));
    assert_eq!(report.verdict.growth, Some(GrowthPlace::Heap));
}

#[test]
fn what_comes_to_a_stand_was_being_filled() {
    let report = compared(vec![shop(1000, 0), shop(1800, 800), shop(2600, 900)], true);
    let expected = [("orders", Some(Trend::Grower)), ("prices", Some(Trend::Flatliner))];
    assert_eq!(trends(&report), expected.map(of_shop));
}

#[test]
fn dumps_that_are_alike_grow_nowhere() {
    let report = compared(vec![shop(1000, 500), shop(1000, 500), shop(1000, 500)], true);
    assert!(report.regions.is_empty(), "{:?}", report.regions);
    assert_eq!(report.verdict.leaking, Some(false));
}

#[test]
fn without_times_there_is_no_rate() {
    let report = compared(vec![shop(1000, 500), shop(1300, 500)], false);
    assert_eq!(report.regions[0].rate_per_min, None);
    assert_eq!(report.regions[0].history, [(0.0, 1000.0), (1.0, 1300.0)]);
}

/// A service with a log of this length in bytes, and a table that does not change.
fn service(log: u64) -> Heap {
    let mut sketch = HeapSketch::new();
    let (builder, text) = (sketch.old("java.lang.StringBuilder"), sketch.object("byte[]", 16 + log, OLD));
    sketch.refer(builder, "value", text);
    let table = sketch.object("long[]", 65_536, OLD);
    sketch.static_field("shop.Service", "log", builder);
    sketch.static_field("shop.Service", "table", table);
    sketch.build()
}

#[test]
fn one_array_that_is_longer_each_time_is_reported_by_its_lengths() {
    let report = compared([4_096, 8_192, 16_384].map(service).into(), true);
    let [log] = &report.regions[..] else { panic!("{:?}", report.regions) };
    assert_eq!(
        (log.owner_proxy.path.to_string().as_str(), log.trend),
        ("static shop.Service.log", Some(Trend::Grower))
    );
    assert_eq!((&log.sizes[..], log.buffer_slots), (&[4_096, 8_192, 16_384][..], Some(16_384)));
    assert_eq!(log.rate_per_min, Some(6_144.0));
    assert_eq!(report.verdict.leaking, Some(true));
    let leaps = compared([4_096, 4_096, 16_384].map(service).into(), true);
    assert_eq!((leaps.regions[0].trend, leaps.verdict.leaking), (None, Some(false)), "one leap is no trend");
}
