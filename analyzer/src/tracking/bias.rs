//! Trends change the sample bias (LeakBot §5.1): growers are watched closely, flatliners seldom; each structure is
//! watched.
//!
//! The agent moves a bias up and down by the result of each visit, never below its floor. The value set here is a new
//! start where more is known than one visit shows.

use super::thresholds::THRESHOLDS;
use super::{TrackedRegion, Trend};

/// The bias to set after a visit, if any: on a new trend, and when a region of constant size has gained members. The
/// next visits show whether that is the beginning of growth, and they must come soon.
pub fn bias_after(region: &TrackedRegion, has_changed: bool) -> Option<f32> {
    let trend = region.trend()?;
    let wakes = matches!(trend, Trend::Flatliner | Trend::Shrinker) && region.tick == Some(Trend::Grower);
    if wakes {
        return region.bias.is_none_or(|bias| bias < THRESHOLDS.close).then_some(THRESHOLDS.close);
    }
    has_changed.then_some(match trend {
        Trend::Grower => THRESHOLDS.close,
        Trend::Oscillator => THRESHOLDS.moving,
        Trend::Shrinker => THRESHOLDS.shrinking,
        Trend::Flatliner => THRESHOLDS.settled,
    })
}
