//! LeakBot's sample bias (§5.1): the probability that a probe's turn is taken. Pure arithmetic.

/// Up on additions with net growth.
const UP: f32 = 1.25;
/// Down when nothing fired.
const QUIET: f32 = 0.9;
/// Further down on net removal.
const REMOVAL: f32 = 0.8;
/// Never to zero: a region may change its mode.
pub const FLOOR: f32 = 0.1;

/// Clamps a bias that the analyzer sets.
pub fn clamped(bias: f32) -> f32 {
    if bias.is_nan() { 1.0 } else { bias.clamp(FLOOR, 1.0) }
}

/// The bias after a visit with these changes.
pub fn after_visit(bias: f32, additions: f64, removals: f64) -> f32 {
    let factor = if additions > removals {
        UP
    } else if removals > additions {
        REMOVAL
    } else if additions == 0.0 {
        QUIET
    } else {
        1.0
    };
    clamped(bias * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_leakbot() {
        for (before, additions, removals, after) in [
            (0.5, 3.0, 0.0, 0.625),
            (1.0, 3.0, 1.0, 1.0),
            (1.0, 0.0, 0.0, 0.9),
            (1.0, 0.0, 5.0, 0.8),
            (0.5, 2.0, 2.0, 0.5),
            (0.1, 0.0, 5.0, FLOOR),
        ] {
            assert!((after_visit(before, additions, removals) - after).abs() < 1e-6, "{before} {additions} {removals}");
        }
    }
}
