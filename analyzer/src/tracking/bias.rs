//! Trends change the sample bias (LeakBot §5.1): growers are watched closely, flatliners seldom; each structure is
//! watched.
//!
//! The agent moves a bias up and down by the result of each visit, never below its floor. The value set here is a new
//! start where more is known than one visit shows.

use super::{TrackedRegion, Trend};

/// Bias of a flatliner: the agent's floor. Ten flatliners cost as much as one grower.
const SETTLED: f32 = 0.1;
/// Bias of a shrinker: it is no leak, but its end is worth knowing.
const SHRINKING: f32 = 0.2;
/// Bias of an oscillator: its saw-teeth must be observed to distinguish them from growth.
const MOVING: f32 = 0.5;
/// Bias of a grower, and of a constant structure that has just gained members.
const CLOSE: f32 = 1.0;

/// The bias to set when a region's trend changes.
pub fn bias_for(trend: Trend) -> f32 {
    match trend {
        Trend::Grower => CLOSE,
        Trend::Oscillator => MOVING,
        Trend::Shrinker => SHRINKING,
        Trend::Flatliner => SETTLED,
    }
}

/// The bias to set after a visit, if any: on a new trend, and when a region of constant size has gained members. The
/// next visits show whether that is the beginning of growth, and they must come soon.
pub fn bias_after(region: &TrackedRegion, has_changed: bool) -> Option<f32> {
    let trend = region.trend()?;
    let wakes = matches!(trend, Trend::Flatliner | Trend::Shrinker) && region.tick == Some(Trend::Grower);
    if wakes {
        return region.bias.is_none_or(|bias| bias < CLOSE).then_some(CLOSE);
    }
    has_changed.then(|| bias_for(trend))
}
