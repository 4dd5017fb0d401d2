//! HPROF, the binary format of HotSpot's heap dumps (and, with records of its own, of Android's): versions 1.0.1 and
//! 1.0.2, ids of four and eight bytes, whole or in segments.
//!
//! Opening reads every record once ([`records`], [`scan`]); no data are kept for single objects. After that, each part
//! can be read any number of times ([`tell`]).

mod class_dump;
mod class_table;
mod classes;
mod emit;
mod evidence;
mod layout;
mod records;
mod scan;
mod seek;
mod sizes;
mod stacks;
mod texts;
mod thread_names;
mod walk;

use super::fields::Fields;
use super::warning::Warning;
use super::window::Window;
use crate::heap::{Addresses, DumpSink, DumpSource, Outline};
use classes::{Building, Classes, Given};
use records::Records;
use scan::{Part, Scan};
use std::fs::File;
use std::io;
use std::sync::{Mutex, PoisonError};
use texts::Texts;

/// The first bytes of every such file.
pub(super) const MAGIC: &[u8] = b"JAVA PROFILE 1.0.";
/// Limit in bytes for the name of the version.
const LONGEST_HEADER: usize = 64;

/// An open HPROF dump.
#[derive(Debug)]
pub struct Hprof {
    file: File,
    header: Header,
    outline: Outline,
    classes: Classes,
    parts: Vec<Part>,
    warnings: Vec<Warning>,
    addresses: Mutex<Option<Addresses>>,
    object_count: u64,
}

/// Data before the records.
#[derive(Clone, Copy, Debug)]
struct Header {
    id_bytes: usize,
    /// Length of the header in bytes.
    bytes: u64,
    file_bytes: u64,
    /// Time of the dump, in milliseconds since 1970.
    taken_ms: u64,
}

/// Reasons why a file that begins like HPROF is none.
#[derive(Debug, thiserror::Error)]
pub enum HprofError {
    /// It is HPROF's text form.
    #[error(
        "this is the text form of HPROF (format=a), which is not read; take a binary dump (format=b, or `jcmd PID \
         GC.heap_dump FILE`)"
    )]
    Text,
    /// The header is cut off, or fits no version.
    #[error("the header of the HPROF file is damaged: it must end in an id size of 4 or 8 and a time")]
    Header,
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Hprof {
    /// Reads the whole file once.
    ///
    /// # Errors
    /// [`HprofError`]; damage behind the header becomes a warning.
    pub(super) fn open(file: File) -> Result<Self, HprofError> {
        let file_bytes = file.metadata()?.len();
        let head = Window::new(&file, 0..file_bytes.min(LONGEST_HEADER as u64)).peek(LONGEST_HEADER)?.to_vec();
        if is_text(&head) {
            return Err(HprofError::Text);
        }
        let header = Header::read(&head, file_bytes).ok_or(HprofError::Header)?;
        let mut records = records::read(&file, &header)?;
        let mut scan = scan::scan(&file, &header, &records.stretches)?;
        let strings = std::mem::take(&mut records.strings);
        let texts = Texts::read(&file, strings, wanted_strings(&records, &scan))?;
        scan.evidence.cap_at_mirrors(scan.classes.iter().map(|class| class.id).collect());
        let (dumps, loads, evidence) = (&scan.classes, &records.loads, &scan.evidence);
        let given = Given { dumps, loads, texts: &texts, evidence, header: &header };
        let (mut classes, exhausted) = Building::new(given).finish();
        scan.classes = Vec::new();
        let mut outline = Outline { threads: stacks::threads(&records, &scan.roots, &texts), ..Outline::new() };
        outline.roots = stacks::roots(&records, &scan.roots, &texts, &outline.threads);
        thread_names::name(&mut outline.threads, &file, &header, &scan.parts, &classes)?;
        outline.classes = std::mem::take(&mut classes.outlined);
        let warnings = records.warnings.into_iter().chain(scan.warnings).chain(exhausted).collect();
        let object_count = scan.addresses.as_ref().map_or(0, Addresses::count);
        let addresses = Mutex::new(scan.addresses);
        Ok(Self { file, header, outline, classes, parts: scan.parts, warnings, addresses, object_count })
    }

    /// The time of the dump, in milliseconds since 1970.
    pub(super) fn taken_ms(&self) -> u64 {
        self.header.taken_ms
    }

    /// Number of objects, those with an id that stood before included.
    pub(super) fn object_count(&self) -> u64 {
        self.object_count
    }

    /// The parts of the file that could not be read.
    pub(super) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

/// Whether a date follows the name of the version, as in `JAVA PROFILE 1.0.1, created Tue Nov 24`: binary dumps have a
/// 0 there.
fn is_text(head: &[u8]) -> bool {
    let behind = head.get(MAGIC.len() + 1..).unwrap_or_default();
    behind.starts_with(b", created")
}

fn wanted_strings(records: &Records, scan: &Scan) -> Vec<u64> {
    let fields = |class: &class_dump::ClassDump| {
        let statics = class.statics.iter().map(|field| field.name);
        class.fields.iter().map(|field| field.0).chain(statics).collect::<Vec<_>>()
    };
    let of_classes = records.loads.iter().map(|load| load.name).chain(scan.classes.iter().flat_map(fields));
    of_classes.chain(stacks::wanted_strings(records)).collect()
}

impl Header {
    fn read(head: &[u8], file_bytes: u64) -> Option<Self> {
        let end = head.iter().position(|&byte| byte == 0)?;
        let mut fields = Fields::new(&head[end + 1..]);
        let id_bytes = fields.u4().filter(|id_bytes| matches!(id_bytes, 4 | 8))? as usize;
        let taken_ms = fields.u8()?;
        Some(Self { id_bytes, bytes: end as u64 + 13, file_bytes, taken_ms })
    }
}

impl DumpSource for Hprof {
    type Error = io::Error;

    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn byte_len(&self) -> u64 {
        self.header.file_bytes
    }

    fn take_addresses(&self) -> Option<Addresses> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn part_count(&self) -> usize {
        self.parts.len()
    }

    fn read_part(&self, part: usize, sink: &mut impl DumpSink) -> io::Result<()> {
        let Some(part) = self.parts.get(part) else { return Ok(()) };
        emit::emit(&self.file, self.header.id_bytes, part, &self.classes, sink)
    }
}
