//! Trends change the sample bias (LeakBot §5.1): growers are watched closely, the settled ones seldom, none never.
//!
//! The agent moves a bias up and down by what each visit sees, never below its floor; what is set here is where it starts
//! from when more is known than one visit tells.

use super::{TrackedRegion, Trend};

/// Of what stands still: the agent's floor. Ten flatliners cost what one grower does.
const SETTLED: f32 = 0.1;
/// Of what is being emptied: it is no leak, and its end is worth knowing.
const SHRINKING: f32 = 0.2;
/// Of what comes and goes: its saw-teeth must be seen to be told from growth.
const MOVING: f32 = 0.5;
/// Of what grows, and of what stood still and gained members just now.
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

/// The bias to set after a visit, if any: on a new trend, and when a region that stood still has gained members. Whether
/// that is the beginning of growth, the next visits tell, and they must come soon.
pub fn bias_after(region: &TrackedRegion, has_changed: bool) -> Option<f32> {
    let trend = region.trend()?;
    let wakes = matches!(trend, Trend::Flatliner | Trend::Shrinker) && region.tick == Some(Trend::Grower);
    if wakes {
        return region.bias.is_none_or(|bias| bias < CLOSE).then_some(CLOSE);
    }
    has_changed.then(|| bias_for(trend))
}
