//! Trends change the sample bias (LeakBot §5.1): growers are watched closely, the settled ones seldom, none never.

use super::Trend;

/// The bias to set when a region's trend changes.
pub fn bias_for(trend: Trend) -> f32 {
    match trend {
        Trend::Grower => 1.0,
        Trend::Oscillator => 0.5,
        Trend::Shrinker | Trend::Flatliner => 0.3,
    }
}
