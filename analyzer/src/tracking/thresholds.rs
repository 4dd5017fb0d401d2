//! Every number by which sizes are judged, in one table: a name, a value, a source, and the meaning with its unit.
//!
//! Sources: `Paper`, with the section in the meaning. `Reason`: the meaning gives it. `Simulated`: a choice with which
//! the programs of docs/trends.md are judged as that page states. `Cost`: time or memory of the analyzer. Constants of
//! arithmetic are no thresholds and stand beside their formulas.

use rootbound_wire::message::MOST_RECOGNISED;

/// Declares the table: a row for each number.
macro_rules! thresholds {
    ($($name:ident: $kind:ty = $value:expr, $source:ident $meaning:literal;)*) => {
        /// The table.
        pub(super) struct Thresholds {
            $(#[doc = concat!($meaning, " (", stringify!($source), ")")] pub(super) $name: $kind,)*
        }

        /// The numbers in use.
        pub(super) static THRESHOLDS: Thresholds = Thresholds { $($name: $value,)* };
    };
}

/// Share of the time of captures after which what a start fills is full: what is there by then counts as old.
pub const FILLED_BY: f64 = 1.0 / 3.0;

thresholds! {
    // Evidence: the sightings that are judged.
    recent_s: f64 = 90.0, Simulated "seconds of the recent past: bursts average out, a change of mode shows soon";
    min_points: usize = 6, Simulated "least number of sightings, or of lows of the heap";
    min_span_s: f64 = 8.0, Simulated "least seconds of sightings";
    least_lapse_s: f64 = 30.0, Reason "least seconds without a sighting after which growth may be over";
    filled_by: f64 = FILLED_BY, Reason "share of the time of captures after which what a start fills is full";
    min_captures: usize = 5, Simulated "the same, where sizes come from captures, which are few and exact";
    least_counts: usize = 4, Reason "captures whose exact counts rise, each above the one before";
    least_counted_s: f64 = 30.0, Reason "seconds that such counts span: a start is over by then";
    least_counted: f64 = 64.0, Reason "objects gained by then: a place has thousands beside it, and a few are chance";
    sure_of_counts: f64 = 0.999, Reason "probability that a place rises: thousands are looked at";
    steady: f64 = 2.5, Reason "ratio of the pace between two counts to that of all, either way, of a steady growth";
    min_points_of_part: usize = 4, Simulated "least sightings of a part: a third, a stretch, the time before a change";
    less_precise: f64 = 3.0, Simulated "ratio to the error of the best sightings from which on one is left out";
    moved_on: f64 = 3.0, Reason "standard errors from the last precise sighting: chance alone leads as far once in 370";
    least_error: f64 = 0.5, Reason "members: a size is a whole number, so an exact one is good to half an entry";
    covered: f64 = 0.5, Reason "share of the time, most of it, that the sightings left must cover";
    rough: f64 = 0.2, Simulated "error of a sighting, as a share of its size or of the growth, that hides both";
    falls: f64 = 2.0, Reason "standard errors of a fall: the usual two";
    shortest_s: f64 = 0.05, Reason "seconds between two sightings: the clock's grain";
    blind_visits: u32 = 8, Reason "visits without a size: most counts that take several visits have ended before";
    // Certainty of a direction.
    sure: f64 = 0.99, Simulated "probability of the direction";
    sure_of_chosen: f64 = 0.9998, Reason "of a chosen stretch: some twenty places and three envelopes are tried";
    sure_enough_to_stay: f64 = 0.97, Reason "of a known trend: a report must not waver with its evidence";
    same_growth: f64 = 0.5, Reason "share of a drift, less than half, below which another one is not the same growth";
    // Growth: the least amount.
    min_growth: f64 = 8.0, Simulated "members of net growth";
    min_steps: usize = 5, Simulated "sightings that moved on: growth in fewer may be a burst or two";
    min_steps_of_captures: usize = 4, Simulated "the same, of captures";
    heavy_flux: f64 = 0.3, Simulated "removals, as a share of the additions, above which the flux is heavy";
    min_span_in_flux_s: f64 = 20.0, Simulated "seconds of growth in heavy flux: a saw-tooth rises for a while, too";
    turnovers: f64 = 3.0, Simulated "times that members are replaced, until their number under one load is known";
    of_load: f64 = 0.2, Simulated "share of those that leave by which more come under a higher load";
    recognised: f64 = MOST_RECOGNISED as f64, Cost "members of the largest structure in which the agent recognises some";
    // Signs of a bound.
    smoothed: f64 = 8.0, Simulated "falls are sought in means over this part of the rise: faster ones are its noise";
    late_share: f64 = 0.12, Simulated "share of the growth in the last third; of a steady one it is a third";
    min_stop_s: f64 = 4.0, Simulated "seconds of a stop";
    missing_steps: f64 = 5.0, Simulated "usual steps of growth that a stop misses";
    longer: f64 = 1.5, Simulated "factor by which a stop is longer than any before";
    progress: f64 = 0.05, Simulated "share of the growth: a full queue goes up and down a little";
    staying_share: f64 = 0.25, Simulated "share of the growth, between the middles of outer thirds, by which lows rise";
    given_back: f64 = 0.5, Simulated "loss, as a share of the net growth, that counts as coming back";
    longer_than_cycle: f64 = 2.0, Reason "cycles that a rise must outlast: in each the loss would have come again";
    noise_errors: f64 = 4.0, Reason "standard errors of a fall: the deepest of hundreds";
    slowed: f64 = 0.65, Simulated "rate of the last third, as a share of that of the first";
    slowed_errors: f64 = 2.6, Simulated "standard errors between both";
    bent: f64 = 0.1, Simulated "what an approach to a limit leaves of a line's residuals, where few sightings show a bend";
    envelopes: [usize; 3] = [12, 8, 6], Simulated "stretches: few show slow saw-teeth, many give better intervals";
    // Sizes that settle.
    stands_still_within: f64 = 0.025, Simulated "share of the mean within which sizes are constant";
    noise_range: f64 = 6.0, Reason "standard errors from the least to the most of equal sizes: three to each side";
    retreats_within: f64 = 0.1, Simulated "share of its distance by which a size that moves one way goes back";
    // Changes of mode.
    left_by_two: f64 = 0.25, Simulated "share of one line's residual that two leave; of a random walk it is a third";
    left_by_jump: f64 = 0.02, Simulated "that share where the level jumped, whatever the drifts";
    different: f64 = 4.0, Reason "standard errors between two drifts: the place was chosen for their difference";
    as_good: f64 = 1.3, Simulated "ratio of residuals up to which an approach to a limit is as good as two lines";
    approaches: [f64; 7] = [0.1, 0.15, 0.22, 0.33, 0.5, 0.75, 1.2], Simulated "its time constants, in times watched";
    most_changes: usize = 4, Cost "changes of mode that are looked for";
    // Noise of a drift.
    memories: [f64; 5] = [0.01, 0.03, 0.1, 0.3, 4.0], Reason "times watched: from below a visit to a random walk";
    fresh: [f64; 3] = [0.0, 1.0, 8.0], Reason "fresh noise, in gains between two sightings: none, as much, much more";
    least_variance: f64 = 0.008, Simulated "members²: sizes are whole numbers, so no noise leaves less at a sighting";
    event_stretches: usize = 12, Simulated "stretches whose growth shows how irregularly events come";
    fitted_points: usize = 80, Cost "points of a fit: twice as many narrow the interval a little";
    // Arrays of fixed length.
    presized_share: f64 = 0.45, Reason "share filled: collections that grow fill half of a new array at once";
    least_slots: f64 = 64.0, Reason "slots: collections begin with small arrays";
    grown: f64 = 1.5, Simulated "factor of growth in an array that was far from full";
    soon: f64 = 5.0, Simulated "times watched until an array is full";
    outgrown: f64 = 1.5, Reason "factor by which a structure outgrows a dropped one: no two are dropped at one size";
    nearly_full: f64 = 0.9, Simulated "share filled at which a structure is at its limit";
    proven: f64 = 0.95, Reason "confidence of a bound that has held";
    likely: f64 = 0.5, Reason "confidence of a bound ahead: it may as well be a list that was made large";
    // Growth that waits for the collector.
    mostly: f64 = 0.5, Reason "share of clearable change proxies, most of them";
    waiting: f64 = 0.75, Reason "confidence without an observed collection: between likely and proven";
    // Growth of the heap.
    bucket_ms: u64 = 5_000, Reason "milliseconds whose lowest size counts: young collections leave garbage behind";
    garbage_share: f64 = 1.0 / 3.0, Reason "share of the growth that no snapshot reached: it may be garbage";
    still_share_an_hour: f64 = 0.004, Reason "growth, as a share of the heap's limit: that is ten days away";
    // Time and memory of the analyzer.
    most_points: usize = 400, Cost "sightings of a series";
    dense_points: usize = 120, Cost "latest sightings, which are never joined";
    joined_stretches: f64 = 120.0, Cost "stretches in which others are joined; at most twice as many are left";
    assessed_every: f64 = 0.01, Cost "share of the time watched between two assessments, of a millisecond each";
    assessed_every_s: (f64, f64) = (0.5, 5.0), Cost "the least and the most of that, in seconds";
    // Sample biases.
    close: f32 = 1.0, Paper "§5.1: growers are watched closely, and so are constant sizes that have just risen";
    moving: f32 = 0.5, Reason "oscillators: only their saw-teeth distinguish them from growth";
    shrinking: f32 = 0.2, Reason "shrinkers: they are no leaks, but their end is worth knowing";
    settled: f32 = 0.1, Reason "flatliners: the agent's floor; ten cost as much as one grower";
}
