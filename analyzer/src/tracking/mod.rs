//! Evolution of regions (LeakBot §5): updates that probes detect, the trend that follows from them, and the effect of
//! both on ranks and sample biases.

mod array_limit;
mod bias;
mod bounds;
mod conservation;
mod drift;
mod envelope;
mod extent;
mod heap_growth;
mod level;
mod mode;
mod noise;
mod series;
mod tracked;
mod trend;
mod untracked;

pub use array_limit::{ArrayLimit, Bounded};
pub use bias::{bias_after, bias_for};
pub use conservation::PerMember;
pub use drift::Drift;
pub use extent::Extent;
pub use heap_growth::HeapGrowth;
pub use series::{Point, Series};
pub(crate) use series::{span_s, thin};
pub use tracked::{Bound, Fate, TrackedRegion, Updates};
pub use trend::{Assessment, Flux, Trend, assess};
pub use untracked::Untracked;
