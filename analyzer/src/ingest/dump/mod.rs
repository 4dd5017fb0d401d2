//! Heap dumps of any JVM. The format of a file is recognized by its bytes, never by its name, and each format has a
//! reader of its own. The results of this folder are heaps.
//!
//! No file is trusted: lengths are checked against the existing bytes, ids against the objects. A dump that is cut off
//! or damaged is read as far as possible, with a [`Warning`].
//!
//! Reading order: [`unpacked`] (gzip), [`memory`] (whether it suffices), [`window`] (a file through a buffer), then one
//! folder for each format.

mod collecting;
mod fields;
mod hprof;
mod ibm_text;
mod insane;
mod memory;
mod names;
mod phd;
mod recorded;
mod unpacked;
mod warning;
mod window;
pub mod write;

pub use hprof::{Hprof, HprofError};
pub use ibm_text::IbmText;
pub use insane::Insane;
pub use memory::TooLittleMemory;
pub use phd::{Phd, PhdError};
pub use recorded::{RecordedCapture, RecordedHeapError, captures_of_recording, heap_of_recording};
pub use warning::Warning;

use crate::heap::{self, Addresses, DumpError, DumpRules, DumpSink, DumpSource, Heap, Outline};
use rootbound_wire::frame::MAGIC as RECORDING;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// An open dump.
#[derive(Debug)]
pub struct Dump {
    reader: Reader,
    /// The parts of the file that could not be read.
    warnings: Vec<Warning>,
}

#[derive(Debug)]
enum Reader {
    Hprof(Box<Hprof>),
    Phd(Box<Phd>),
    IbmText(Box<IbmText>),
    Insane(Box<Insane>),
}

/// Reasons why a file cannot be opened as a dump.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has no bytes.
    #[error("the file is empty; expected was {EXPECTED}")]
    Empty,
    /// The beginning fits no format.
    #[error("no known heap dump begins like this; expected was {EXPECTED}")]
    Unknown,
    /// It is one of our recordings, which are no dumps; [`read_heap`] also reads them.
    #[error("this is a recording, and no dump")]
    Recording,
    /// It begins like HPROF, but cannot be read as such.
    #[error(transparent)]
    Hprof(#[from] HprofError),
    /// It begins like PHD, but cannot be read as such.
    #[error(transparent)]
    Phd(#[from] PhdError),
}

/// Formats that can be read, for people.
const EXPECTED: &str = "HPROF (JAVA PROFILE 1.0.x), PHD (portable heap dump), a text heap dump of IBM's JVMs, the XML of \
                        INSANE, a recording of rootbound, or any of them packed by gzip";

/// Reasons why a file gives no heap.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is no dump.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The memory that is left does not suffice.
    #[error(transparent)]
    Memory(#[from] TooLittleMemory),
    /// The dump is no heap.
    #[error(transparent)]
    Dump(#[from] DumpError<io::Error>),
    /// The recording gives no heap.
    #[error(transparent)]
    Recording(#[from] RecordedHeapError),
}

/// A heap that was read from a file.
#[derive(Debug)]
pub struct ReadHeap {
    /// The heap.
    pub heap: Heap,
    /// The parts of the file that could not be read.
    pub warnings: Vec<Warning>,
    /// Name of the format, for people.
    pub format: &'static str,
    /// The time of the dump, in milliseconds since 1970; `None` if the format does not record it.
    pub taken_ms: Option<u64>,
    /// Number of references to objects that the dump does not have; they are left out. In dumps of HotSpot they lead to
    /// mirrors of classes that are archived and not loaded.
    pub dangling_count: u64,
    /// Number of objects whose id was seen before; they are left out.
    pub repeated_count: u64,
}

/// Reads a heap dump of any known format, or the last whole capture of a recording.
///
/// # Errors
/// [`ReadError`]
pub fn read_heap(path: &Path, rules: DumpRules) -> Result<ReadHeap, ReadError> {
    let (file, unpacking) = unpacked::open(path).map_err(OpenError::Io)?;
    let read =
        if sniff(&file)?.starts_with(&RECORDING) { of_recording(&file, rules, None) } else { of_dump(file, rules) };
    let mut read = read?;
    read.warnings.extend(unpacking);
    Ok(read)
}

/// The captures of a file that is a recording; `None` where it is none.
///
/// # Errors
/// [`ReadError`]
pub fn captures(path: &Path) -> Result<Option<Vec<RecordedCapture>>, ReadError> {
    let (file, _) = unpacked::open(path).map_err(OpenError::Io)?;
    if !sniff(&file)?.starts_with(&RECORDING) {
        return Ok(None);
    }
    io::Seek::rewind(&mut &file).map_err(OpenError::Io)?;
    let captures = captures_of_recording(io::BufReader::new(file)).map_err(RecordedHeapError::from)?;
    Ok(Some(captures))
}

/// Reads one capture of a recording.
///
/// # Errors
/// [`ReadError`]
pub fn read_capture(path: &Path, rules: DumpRules, capture: RecordedCapture) -> Result<ReadHeap, ReadError> {
    let (file, _) = unpacked::open(path).map_err(OpenError::Io)?;
    of_recording(&file, rules, Some(capture))
}

fn of_recording(file: &File, rules: DumpRules, wanted: Option<RecordedCapture>) -> Result<ReadHeap, ReadError> {
    io::Seek::rewind(&mut &*file).map_err(OpenError::Io)?;
    let (heap, warnings) = heap_of_recording(io::BufReader::new(file), rules, wanted)?;
    Ok(ReadHeap { heap, warnings, format: "recording", taken_ms: None, dangling_count: 0, repeated_count: 0 })
}

fn of_dump(file: File, rules: DumpRules) -> Result<ReadHeap, ReadError> {
    let dump = Dump::of_file(file)?;
    dump.object_count().map_or(Ok(()), memory::check)?;
    let dumped = heap::of_dump(&dump, rules)?;
    Ok(ReadHeap {
        heap: dumped.heap,
        warnings: dump.warnings().to_vec(),
        format: dump.format(),
        taken_ms: dump.taken_ms(),
        dangling_count: dumped.dangling_count,
        repeated_count: dumped.repeated_count,
    })
}

/// Reads enough of a file to recognize its format.
fn sniff(file: &File) -> Result<Vec<u8>, OpenError> {
    let mut head = vec![0; 256];
    let count = file.read_at(&mut head, 0)?;
    head.truncate(count);
    if count == 0 { Err(OpenError::Empty) } else { Ok(head) }
}

impl Dump {
    /// Opens a dump and reads all of it once.
    ///
    /// # Errors
    /// [`OpenError`]
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let (file, unpacking) = unpacked::open(path)?;
        let mut dump = Self::of_file(file)?;
        dump.warnings.extend(unpacking);
        Ok(dump)
    }

    fn of_file(file: File) -> Result<Self, OpenError> {
        let head = sniff(&file)?;
        let reader = match head.as_slice() {
            head if head.starts_with(hprof::MAGIC) => Reader::Hprof(Box::new(Hprof::open(file)?)),
            head if head.starts_with(phd::MAGIC) => Reader::Phd(Box::new(Phd::open(file)?)),
            head if head.starts_with(&RECORDING) => return Err(OpenError::Recording),
            head if insane::begins(head) => Reader::Insane(Box::new(Insane::open(&file)?)),
            head if ibm_text::begins(head) => Reader::IbmText(Box::new(IbmText::open(file)?)),
            _ => return Err(OpenError::Unknown),
        };
        let warnings = match &reader {
            Reader::Hprof(dump) => dump.warnings(),
            Reader::Phd(dump) => dump.warnings(),
            Reader::IbmText(dump) => dump.warnings(),
            Reader::Insane(dump) => dump.warnings(),
        };
        Ok(Self { warnings: warnings.to_vec(), reader })
    }

    /// The parts of the file that could not be read.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Number of objects, where opening the dump has counted them.
    fn object_count(&self) -> Option<u64> {
        match &self.reader {
            Reader::Hprof(dump) => Some(dump.object_count()),
            Reader::Phd(_) | Reader::IbmText(_) | Reader::Insane(_) => None,
        }
    }

    /// The time of the dump, in milliseconds since 1970.
    pub fn taken_ms(&self) -> Option<u64> {
        match &self.reader {
            Reader::Hprof(dump) => Some(dump.taken_ms()).filter(|&taken| taken > 0),
            Reader::Phd(_) | Reader::IbmText(_) | Reader::Insane(_) => None,
        }
    }

    /// Name of the format, for people.
    pub fn format(&self) -> &'static str {
        match &self.reader {
            Reader::Hprof(_) => "HPROF",
            Reader::Phd(_) => "PHD",
            Reader::IbmText(_) => "IBM text",
            Reader::Insane(_) => "INSANE XML",
        }
    }
}

impl DumpSource for Dump {
    type Error = io::Error;

    fn outline(&self) -> &Outline {
        match &self.reader {
            Reader::Hprof(dump) => dump.outline(),
            Reader::Phd(dump) => dump.outline(),
            Reader::IbmText(dump) => dump.outline(),
            Reader::Insane(dump) => dump.outline(),
        }
    }

    fn byte_len(&self) -> u64 {
        match &self.reader {
            Reader::Hprof(dump) => dump.byte_len(),
            Reader::Phd(dump) => dump.byte_len(),
            Reader::IbmText(dump) => dump.byte_len(),
            Reader::Insane(dump) => dump.byte_len(),
        }
    }

    fn take_addresses(&self) -> Option<Addresses> {
        match &self.reader {
            Reader::Hprof(dump) => dump.take_addresses(),
            Reader::Phd(_) | Reader::IbmText(_) | Reader::Insane(_) => None,
        }
    }

    fn part_count(&self) -> usize {
        match &self.reader {
            Reader::Hprof(dump) => dump.part_count(),
            Reader::Phd(dump) => dump.part_count(),
            Reader::IbmText(dump) => dump.part_count(),
            Reader::Insane(dump) => dump.part_count(),
        }
    }

    fn read_part(&self, part: usize, sink: &mut impl DumpSink) -> io::Result<()> {
        match &self.reader {
            Reader::Hprof(dump) => dump.read_part(part, sink),
            Reader::Phd(dump) => dump.read_part(part, sink),
            Reader::IbmText(dump) => dump.read_part(part, sink),
            Reader::Insane(dump) => dump.read_part(part, sink),
        }
    }
}
