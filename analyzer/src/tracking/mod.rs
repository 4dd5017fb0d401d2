//! How regions really evolve (LeakBot §5): updates that probes detect, the trend that follows from them, and what
//! both say back to ranks and sample biases.

mod bias;
mod heap_growth;
mod series;
mod statistics;
mod tracked;
mod trend;

pub use bias::bias_for;
pub use heap_growth::HeapGrowth;
pub use series::{Point, Series};
pub use statistics::{Slope, mann_kendall, theil_sen};
pub use tracked::{Fate, TrackedRegion, Updates};
pub use trend::{Assessment, Flux, Trend, assess};
