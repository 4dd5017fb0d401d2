use super::*;
use rootbound_wire::ids::ProbeId;

/// A region of weak references that gains one each tenth of a second.
struct Entries {
    region: TrackedRegion,
    seconds: u64,
}

impl Entries {
    fn new() -> Self {
        let mut region = TrackedRegion::new(0.5, 100, 1.0);
        region.is_cleared_by_collections();
        Self { region, seconds: 0 }
    }

    fn watch(&mut self, seconds: u64) -> Option<Trend> {
        for _ in 0..seconds {
            self.seconds += 1;
            let sighting = Sighting {
                size: 1_000.0 + 10.0 * self.seconds as f64,
                size_error: 0.0,
                additions: 10.0,
                removals: 0.0,
                relinked: false,
                slots: None,
                method: VisitMethod::Full,
            };
            let outcome = VisitOutcome::Seen(sighting);
            let at_ms = self.seconds * 1000;
            self.region.observe(&ProbeReport { probe: ProbeId(1), at_ms, outcome, bias: 1.0, reads: 1, micros: 1 });
        }
        self.region.trend()
    }
}

#[test]
fn weak_references_that_pile_up_before_a_collection_are_no_leak_and_those_that_outlive_two_are() {
    let mut entries = Entries::new();
    assert_ne!(entries.watch(30), Some(Trend::Grower));
    assert!(entries.region.awaits_collection());
    entries.region.collected();
    entries.region.collected();
    assert_eq!(entries.watch(10), Some(Trend::Grower));
}

#[test]
fn a_collection_before_the_first_visit_proves_nothing() {
    let mut entries = Entries::new();
    entries.region.collected();
    entries.region.collected();
    assert_ne!(entries.watch(30), Some(Trend::Grower));
}
