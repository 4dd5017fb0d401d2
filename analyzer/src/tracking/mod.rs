//! Evolution of regions (LeakBot §5): updates that probes detect, the trend that follows from them, and the effect of
//! both on ranks and sample biases.

mod array_limit;
mod arrivals;
mod bias;
mod bounds;
mod captured;
mod conservation;
mod counted;
mod drift;
mod envelope;
mod evidence;
mod extent;
mod heap_growth;
mod kept;
mod level;
mod mode;
mod noise;
mod series;
mod settled;
mod student;
mod thresholds;
mod tracked;
mod trend;
mod untracked;
mod vetoes;

pub use array_limit::{ArrayLimit, Bounded};
pub use arrivals::chance_bytes;
pub use bias::bias_after;
pub use captured::{Gain, Gained, Share};
pub use conservation::PerMember;
pub use counted::{falls_steadily, is_rising, only_falls, rises_steadily};
pub use drift::Drift;
pub use extent::Extent;
pub use heap_growth::HeapGrowth;
pub use kept::kept_new_bytes;
pub use series::{Point, Series};
pub(crate) use series::{span_s, thin};
pub use thresholds::FILLED_BY;
pub use tracked::{Bound, Fate, TrackedRegion, Updates};
pub use trend::{Assessment, Flux, Trend, assess};
pub use untracked::Untracked;
pub use vetoes::{VETOES, Veto};
