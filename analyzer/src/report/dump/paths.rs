//! Report of `rootbound paths`.

use super::{DumpFile, Way};
use serde::Serialize;

/// Ways from GC roots to objects.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PathsReport {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `paths`.
    pub report: &'static str,
    /// The dump.
    pub dump: DumpFile,
    /// Ends of the ways, as typed.
    pub to: String,
    /// Objects that no way passes, as typed.
    pub avoid: Vec<String>,
    /// Objects at which a way may end.
    pub object_count: u64,
    /// Those that a GC root reaches; the collector takes the others.
    pub reached_count: u64,
    /// Shallow sizes in bytes of those that a GC root reaches.
    pub reached_bytes: u64,
    /// Ways that were found, with those that `--paths` left out.
    pub way_count: u64,
    /// The first ways.
    pub ways: Vec<WayLine>,
}

/// One way, or several of one shape.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WayLine {
    /// Objects with ways of this shape.
    pub object_count: u64,
    /// Their shallow sizes in bytes.
    pub bytes: u64,
    /// The way to the first of these objects.
    pub root_path: Way,
}
