//! Heap dumps of other people's JVMs: which format a file has is seen from its bytes, never from its name, and each format
//! has a reader of its own. What leaves this folder are heaps.
//!
//! Nothing in a file is trusted: lengths are checked against the bytes that are there, ids against the objects. A dump that
//! is cut off or damaged is read as far as it goes, with a [`Warning`].

mod fields;
mod hprof;
mod names;
mod warning;
mod window;

pub use hprof::{Hprof, HprofError};
pub use warning::Warning;

use crate::heap::{self, DumpError, DumpRules, DumpSink, DumpSource, Heap, Outline};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// An open dump.
#[derive(Debug)]
pub enum Dump {
    /// HPROF, binary.
    Hprof(Box<Hprof>),
}

/// Why a file cannot be opened as a dump.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has no bytes.
    #[error("the file is empty; expected was a heap dump: {EXPECTED}")]
    Empty,
    /// No format begins like this.
    #[error("no known heap dump begins like this; expected was {EXPECTED}")]
    Unknown,
    /// It begins like HPROF.
    #[error(transparent)]
    Hprof(#[from] HprofError),
}

/// Formats that can be read, for people.
const EXPECTED: &str = "HPROF (JAVA PROFILE 1.0.1 or 1.0.2)";

/// Why a file gives no heap.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is no dump.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The dump is no heap.
    #[error(transparent)]
    Dump(#[from] DumpError<io::Error>),
}

/// A heap that was read from a file.
#[derive(Debug)]
pub struct ReadHeap {
    /// The heap.
    pub heap: Heap,
    /// What of the file could not be read.
    pub warnings: Vec<Warning>,
    /// Name of the format, for people.
    pub format: &'static str,
    /// References to objects that the dump does not have; they are left out.
    pub dangling_count: u64,
    /// Objects whose id stood before; they are left out.
    pub repeated_count: u64,
}

/// Reads a heap dump of any known format.
///
/// # Errors
/// [`ReadError`]
pub fn read_heap(path: &Path, rules: DumpRules) -> Result<ReadHeap, ReadError> {
    let dump = Dump::open(path)?;
    let dumped = heap::of_dump(&dump, rules)?;
    Ok(ReadHeap {
        heap: dumped.heap,
        warnings: dump.warnings().to_vec(),
        format: dump.format(),
        dangling_count: dumped.dangling_count,
        repeated_count: dumped.repeated_count,
    })
}

/// Enough of a file to tell its format.
const SNIFFED_BYTES: usize = 64;

impl Dump {
    /// Opens a dump and looks at all of it once.
    ///
    /// # Errors
    /// [`OpenError`]
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let file = File::open(path)?;
        let mut head = [0; SNIFFED_BYTES];
        let count = file.read_at(&mut head, 0)?;
        match &head[..count] {
            [] => Err(OpenError::Empty),
            head if head.starts_with(hprof::MAGIC) => Ok(Self::Hprof(Box::new(Hprof::open(file)?))),
            _ => Err(OpenError::Unknown),
        }
    }

    /// What of the file could not be read.
    pub fn warnings(&self) -> &[Warning] {
        match self {
            Self::Hprof(dump) => dump.warnings(),
        }
    }

    /// Name of the format, for people.
    pub fn format(&self) -> &'static str {
        match self {
            Self::Hprof(_) => "HPROF",
        }
    }
}

impl DumpSource for Dump {
    type Error = io::Error;

    fn outline(&self) -> &Outline {
        match self {
            Self::Hprof(dump) => dump.outline(),
        }
    }

    fn byte_len(&self) -> u64 {
        match self {
            Self::Hprof(dump) => dump.byte_len(),
        }
    }

    fn part_count(&self) -> usize {
        match self {
            Self::Hprof(dump) => dump.part_count(),
        }
    }

    fn read_part(&self, part: usize, sink: &mut impl DumpSink) -> io::Result<()> {
        match self {
            Self::Hprof(dump) => dump.read_part(part, sink),
        }
    }
}
