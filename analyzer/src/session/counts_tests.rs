//! Exact counts by place: what grows by them, what does not, and what holds the objects around it.

use super::*;
use crate::heap::dsl::HeapSketch;
use crate::naming::Place;

/// Connections, each with a map of its own: `kept` orders in all of the maps together, and one map with as many
/// visitors as are there now.
fn broker(kept: usize, visitors: usize) -> Heap {
    const CONNECTIONS: usize = 40;
    let mut heap = HeapSketch::new();
    let all = heap.old("Connection[]");
    heap.static_field("Broker", "connections", all);
    for number in 0..CONNECTIONS {
        let (connection, orders, table) = (heap.old("Connection"), heap.old("Orders"), heap.old("Node[]"));
        heap.element(all, connection);
        heap.refer(connection, "orders", orders);
        heap.refer(orders, "table", table);
        for _ in (number..kept).step_by(CONNECTIONS) {
            let (node, order) = (heap.old("Node"), heap.old("Order"));
            heap.element(table, node);
            heap.refer(node, "value", order);
        }
    }
    let guests = heap.old("Guest[]");
    heap.static_field("Broker", "guests", guests);
    for _ in 0..visitors {
        let guest = heap.old("Guest");
        heap.element(guests, guest);
    }
    heap.build()
}

/// The structures that grow by captures with this number of orders and guests, and the rate of each.
fn growing(captures: &[(usize, usize)]) -> Vec<(String, String, f64)> {
    let mut counts = Counts::default();
    let mut found = Vec::new();
    for (at, &(kept, visitors)) in captures.iter().enumerate() {
        let heap = broker(kept, visitors);
        counts.begin(10.0 + 15.0 * at as f64);
        found = counts.take(&heap, &Owned::new(&heap), &[], false).growing;
    }
    let rate = |region: &FoundRegion| region.rate_per_min().map_or(0.0, |rate| rate.0.round());
    found.iter().map(|each| (each.change_class.clone(), each.path.owner.to_string(), rate(each))).collect()
}

#[test]
fn what_gains_a_little_in_many_small_maps_is_found_once_with_its_rate() {
    let found = growing(&[(4_000, 500), (4_300, 520), (4_600, 490), (4_900, 510)]);
    let [(class, owner, rate)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((class.as_str(), owner.as_str(), *rate), ("Node", "static Broker", 1_200.0));
}

#[test]
fn growth_that_is_known_is_not_counted_again_and_any_other_is() {
    let mut counts = Counts::default();
    let mut take = |at_s: f64, kept: usize, guests: usize| {
        let heap = broker(kept, guests);
        counts.begin(at_s);
        counts.take(&heap, &Owned::new(&heap), &[], false).growing
    };
    take(10.0, 4_000, 500);
    take(25.0, 4_300, 500);
    take(40.0, 4_600, 500);
    let found = take(55.0, 4_900, 500);
    let known = || found.iter().map(|region| &region.path.route);
    assert!(counts.may_show_more(std::iter::empty()), "orders");
    assert!(!counts.may_show_more(known()), "orders are known");
    let heap = broker(5_200, 700);
    counts.begin(70.0);
    counts.take(&heap, &Owned::new(&heap), &[], false);
    assert!(counts.may_show_more(known()), "guests");
}

/// Times of all captures, if the first two are so far apart, with these times between the others.
fn times(first_s: f64, between: &[f64]) -> Vec<f64> {
    let mut times = vec![0.0, first_s];
    times.extend(between.iter().scan(first_s, |at, between| {
        *at += between;
        Some(*at)
    }));
    times
}

/// Whether some of the captures at these times take what rises to 20,000 objects and falls to none, again and again,
/// for growth.
fn is_deceived(times: &[f64], period_s: f64, phase: f64) -> bool {
    let size = |at_s: f64| 20_000.0 * (at_s / period_s + phase).fract();
    let points: Vec<Point> = times.iter().map(|&at_s| Point { at_s, size: size(at_s), error: 0.0 }).collect();
    (1..=points.len()).any(|taken| rises_steadily(&points[..taken]))
}

#[test]
fn what_a_program_builds_up_and_drops_in_a_period_of_its_own_does_not_grow() {
    let periods = || (12..140).map(|quarters| f64::from(quarters) / 4.0);
    let phases = || (0..20).map(|part| f64::from(part) / 20.0);
    let deceived = |between: &[f64], first_s: f64| {
        let times = times(first_s, between);
        periods()
            .flat_map(|period| phases().map(move |phase| (period, phase)))
            .find(|&(period_s, phase)| is_deceived(&times, period_s, phase))
    };
    for first_s in [7.0, 10.0, 15.0] {
        assert_eq!(deceived(&COUNT_AFTER_S, first_s), None, "{first_s} s between the first two");
        assert!(deceived(&[15.0; 4], first_s).is_some(), "even times do not");
    }
}

#[test]
fn what_gains_between_two_captures_may_grow_and_is_to_be_followed() {
    let mut counts = Counts::default();
    let mut take = |at_s: f64, kept: usize, guests: usize, seeks_rising: bool| {
        let heap = broker(kept, guests);
        counts.begin(at_s);
        let owned = Owned::new(&heap);
        let counted = counts.take(&heap, &owned, &[], seeks_rising);
        assert_eq!(counted.growing.len(), 0, "two captures prove nothing");
        let named = |region: &Region| (heap.classes().get(region.change_class).name.clone(), region.proxy_size);
        let mut found = Vec::new();
        if let Some(rising) = counted.rising {
            rising.find(&ObjectGraph::of(&heap, &owned)).join(&mut found);
        }
        found.iter().map(named).collect::<Vec<_>>()
    };
    assert_eq!(take(10.0, 4_000, 500, true), [], "one capture shows nothing");
    assert_eq!(take(25.0, 4_000, 570, true), [("Guest".to_owned(), 70)]);
    assert_eq!(take(40.0, 4_000, 640, false), [], "they cannot be followed");
    assert_eq!(take(55.0, 4_000, 630, true), [], "the latest is no gain");
}

#[test]
fn three_captures_or_a_size_that_moves_both_ways_show_nothing() {
    assert_eq!(growing(&[(4_000, 500), (4_300, 500), (4_600, 500)]), []);
    assert_eq!(growing(&[(4_000, 500), (4_300, 700), (4_250, 900), (4_900, 800)]), []);
}

#[test]
fn what_only_loses_its_other_holder_has_moved_and_is_no_gain() {
    let program = |shared: usize| {
        let mut heap = HeapSketch::new();
        let (parts, open) = (heap.old("Part[]"), heap.old("Part[]"));
        heap.static_field("Model", "parts", parts);
        heap.static_field("Model", "open", open);
        for number in 0..2_000 {
            let part = heap.old("Part");
            heap.element(parts, part);
            if number < shared {
                heap.element(open, part);
            }
        }
        heap.build()
    };
    let mut counts = Counts::default();
    for (at, shared) in [1_800, 1_600, 1_400, 1_200, 1_000].into_iter().enumerate() {
        let heap = program(shared);
        counts.begin(10.0 + 15.0 * at as f64);
        assert_eq!(counts.take(&heap, &Owned::new(&heap), &[], false).growing.len(), 0);
    }
    assert_eq!(counts.places_where(rises_steadily).len(), 1, "those that nothing else holds");
}

#[test]
fn rows_that_come_to_be_held_in_another_way_are_no_gain() {
    // Of 4,000 rows, all with a text at first, updates leave some without one, and let an index hold those of others.
    let table = |without: usize, indexed: usize| {
        let mut heap = HeapSketch::new();
        let (table, rows, index) = (heap.old("Table"), heap.old("Row[]"), heap.old("Text[]"));
        heap.static_field("Store", "table", table);
        heap.refer(table, "rows", rows);
        heap.refer(table, "index", index);
        for number in without..4_000 {
            let (row, text, letters) = (heap.old("Row"), heap.old("Text"), heap.old("byte[]"));
            heap.element(rows, row);
            heap.refer(row, "text", text);
            heap.refer(text, "letters", letters);
            if number < without + indexed {
                heap.element(index, text);
            }
        }
        heap.build()
    };
    let mut counts = Counts::default();
    for (at, (without, indexed)) in
        [(140, 20), (880, 140), (1_400, 260), (1_750, 380), (2_000, 500)].into_iter().enumerate()
    {
        let heap = table(without, indexed);
        counts.begin(10.0 + 15.0 * at as f64);
        assert_eq!(counts.take(&heap, &Owned::new(&heap), &[], false).growing.len(), 0, "{without}");
    }
    assert_eq!(counts.places_where(rises_steadily).len(), 2, "texts that the index holds, and letters");
}

/// Sessions, each with 400 requests and twelve names. Two maps of different classes hold them, by name and by number; all know
/// one queue of jobs. Sessions are too few to be seen to grow by counts.
fn server(sessions: usize, jobs: usize) -> Heap {
    let mut heap = HeapSketch::new();
    let (queue, table) = (heap.old("Queue"), heap.old("Job[]"));
    heap.static_field("Server", "queue", queue);
    heap.refer(queue, "jobs", table);
    for _ in 0..jobs {
        let job = heap.old("Job");
        heap.element(table, job);
    }
    let maps = ["Numbers", "Names"].map(|index| {
        let (map, table) = (heap.old("Map"), heap.old("Node[]"));
        heap.static_field(index, "map", map);
        heap.refer(map, "table", table);
        table
    });
    for _ in 0..sessions {
        let (session, requests) = (heap.old("Session"), heap.old("Request[]"));
        heap.refer(session, "requests", requests);
        heap.refer(session, "queue", queue);
        for table in maps {
            for _ in 0..12 {
                let node = heap.old("Node");
                heap.element(table, node);
                heap.refer(node, "value", session);
            }
        }
        for _ in 0..400 {
            let request = heap.old("Request");
            heap.element(requests, request);
        }
    }
    heap.build()
}

/// The objects around those of a class, by the places of the structures that hold each of them: of a region there, beside
/// the regions found. The places of the first known ones are not named.
fn named_around(class: &str, known: usize) -> (BTreeSet<String>, Option<f64>) {
    let mut counts = Counts::default();
    let mut found = Vec::new();
    for at in 0..8 {
        let heap = server(6 + at, 100 + 90 * at);
        counts.begin(10.0 + 15.0 * at as f64);
        found = counts.take(&heap, &Owned::new(&heap), &[], false).growing;
    }
    let heap = server(13, 730);
    let owned = Owned::new(&heap);
    let placed = Placed::new(&heap, &owned.dominators, Arc::make_mut(&mut counts.places));
    let ages = InferredAges::new(&placed, &counts.base).generation;
    let members = heap.objects().filter(|&object| heap.classes().get(heap.class_of(object)).name == class);
    let places = placed.places_of(&members.collect::<Vec<_>>());
    let at = found.iter().position(|region| region.change_class == "Job").expect("jobs come");
    let around = Around::new(&owned.referrers, &counts.places, &placed, &ages, &places);
    let mut regions = vec![found.remove(at)];
    regions[0].places = places.clone();
    assert_eq!(found.len(), 2, "the nodes of both maps");
    let growers: Vec<KnownGrower> =
        found.drain(..known).map(|map| KnownGrower { owner: Place::default(), route: map.path.route }).collect();
    regions.extend(found);
    name_around(&heap, (&around, &counts.places), &mut regions, &growers);
    let named = regions[0].shared.iter().map(|shared| match shared.place == Place::default() {
        true => format!("{}, known", shared.class),
        false => format!("{} in {}", shared.class, shared.place),
    });
    (named.collect(), places.iter().find_map(|&place| around.in_each_new(place)))
}

#[test]
fn what_came_in_new_objects_names_those_that_hold_each_of_them() {
    let both = ["Session in static Names.map", "Session in static Numbers.map"].map(str::to_owned);
    assert_eq!(named_around("Request", 0), (BTreeSet::from(both), Some(400.0)));
    let known = BTreeSet::from(["Session, known".to_owned()]);
    assert_eq!(named_around("Request", 2), (known, Some(400.0)), "by the routes to their members");
}

#[test]
fn one_queue_that_all_sessions_know_is_no_reason_for_its_jobs() {
    assert_eq!(named_around("Job", 0), (BTreeSet::new(), None));
}

#[test]
fn of_many_captures_the_first_and_the_latest_are_kept() {
    let mut counts = Counts::default();
    for at in 0..20 {
        let heap = broker(100, 10);
        counts.begin(f64::from(at));
        counts.take(&heap, &Owned::new(&heap), &[], false);
    }
    let times: Vec<f64> = counts.taken.iter().map(|taken| taken.at_s).collect();
    assert_eq!((times.len(), times[0], times[11]), (MOST_TAKEN, 0.0, 19.0));
}
