//! The first pass over the sub-records of all segments, by several threads. It collects roots, classes and addresses,
//! and cuts the segments into parts of some megabytes, each with the range of its objects' ids.

use super::super::warning::Warning;
use super::super::window::Window;
use super::Header;
use super::class_dump::ClassDump;
use super::evidence::Evidence;
use super::walk::{self, RawRoot, Visitor, width};
use crate::heap::Addresses;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Approximate bytes of a part.
const PART_BYTES: u64 = 4 << 20;

/// A part that can be read alone.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Positions of its sub-records, in order.
    pub(super) stretches: Vec<Range<u64>>,
    /// The least and the greatest id of its objects; classes are not counted.
    pub(super) ids: (u64, u64),
}

/// The content of the sub-records.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) roots: Vec<RawRoot>,
    pub(super) classes: Vec<ClassDump>,
    pub(super) parts: Vec<Part>,
    pub(super) warnings: Vec<Warning>,
    pub(super) evidence: Evidence,
    /// Those of all objects that [`super::emit`] reports.
    pub(super) addresses: Option<Addresses>,
}

/// Scans all stretches.
pub(super) fn scan(file: &File, header: &Header, stretches: &[Range<u64>]) -> io::Result<Scan> {
    let runs = runs(stretches);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(runs.len());
    let next = AtomicUsize::new(0);
    let work = || -> io::Result<Done> {
        let (mut done, mut ids) = (Vec::new(), Ids::none_of(header));
        while let Some((at, run)) = take(&next, &runs) {
            done.push((at, scan_run(file, header, run, &mut ids)?));
        }
        Ok((done, ids))
    };
    let (mut scans, ids) = std::thread::scope(|scope| -> io::Result<Done> {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let (mut scans, mut ids) = work()?;
        for other in others {
            let (more, seen) = other.join().map_err(|_| io::Error::other("a reading thread failed"))??;
            scans.extend(more);
            ids.evidence.add(&seen.evidence);
            ids.addresses.join(&seen.addresses);
        }
        Ok((scans, ids))
    })?;
    scans.sort_unstable_by_key(|scan| scan.0);
    let mut whole = Scan { evidence: ids.evidence, addresses: Some(ids.addresses), ..Scan::default() };
    scans.into_iter().for_each(|(_, scan)| whole.append(scan));
    Ok(whole)
}

/// Result of one thread: runs by number, and what all their ids show.
type Done = (Vec<(usize, Scan)>, Ids);

/// The ids of objects that one thread has seen.
struct Ids {
    evidence: Evidence,
    addresses: Addresses,
}

impl Ids {
    fn none_of(header: &Header) -> Self {
        Self { evidence: Evidence::default(), addresses: Addresses::none_of(header.file_bytes) }
    }
}

fn take<'a>(next: &AtomicUsize, runs: &[&'a [Range<u64>]]) -> Option<(usize, &'a [Range<u64>])> {
    let at = next.fetch_add(1, Relaxed);
    runs.get(at).map(|&run| (at, run))
}

/// Consecutive stretches, together about as long as a part.
fn runs(stretches: &[Range<u64>]) -> Vec<&[Range<u64>]> {
    let mut bytes = 0;
    let goes_on = |_: &Range<u64>, next: &Range<u64>| {
        bytes += next.end - next.start;
        if bytes < PART_BYTES {
            return true;
        }
        bytes = 0;
        false
    };
    stretches.chunk_by(goes_on).collect()
}

fn scan_run(file: &File, header: &Header, run: &[Range<u64>], ids: &mut Ids) -> io::Result<Scan> {
    let mut scanning = Scanning::new(ids);
    for stretch in run {
        let mut window = Window::new(file, stretch.clone());
        scanning.from = stretch.start;
        match header.id_bytes {
            4 => walk::walk::<4>(&mut window, &mut scanning)?,
            _ => walk::walk::<8>(&mut window, &mut scanning)?,
        }
        scanning.stretch_ends(window.offset());
        if window.left() > 0 {
            let (at, left_out) = (window.offset(), window.left());
            let is_cut = stretch.end == header.file_bytes;
            let warning = if is_cut { Warning::Cut { at, left_out } } else { Warning::Damaged { at, left_out } };
            scanning.scan.warnings.push(warning);
        }
    }
    scanning.part_ends();
    Ok(scanning.scan)
}

impl Scan {
    fn append(&mut self, other: Self) {
        self.roots.extend(other.roots);
        self.classes.extend(other.classes);
        self.parts.extend(other.parts);
        self.warnings.extend(other.warnings);
    }
}

struct Scanning<'i> {
    scan: Scan,
    ids: &'i mut Ids,
    /// The current part: its whole stretches, and the beginning of the open one.
    stretches: Vec<Range<u64>>,
    stretches_bytes: u64,
    from: u64,
    low: Option<u64>,
    high: u64,
}

impl<'i> Scanning<'i> {
    fn new(ids: &'i mut Ids) -> Self {
        ids.evidence.interrupt();
        let (scan, stretches) = (Scan::default(), Vec::new());
        Self { scan, ids, stretches, stretches_bytes: 0, from: 0, low: None, high: 0 }
    }

    fn stretch_ends(&mut self, at: u64) {
        if at > self.from {
            self.stretches.push(self.from..at);
            self.stretches_bytes += at - self.from;
        }
        self.from = at;
    }

    fn part_ends(&mut self) {
        let (stretches, ids) = (std::mem::take(&mut self.stretches), (self.low.take().unwrap_or(u64::MAX), self.high));
        (self.high, self.stretches_bytes) = (0, 0);
        if !stretches.is_empty() {
            self.scan.parts.push(Part { stretches, ids });
        }
    }

    #[inline]
    fn seen(&mut self, id: u64) {
        self.low = Some(self.low.map_or(id, |low| low.min(id)));
        self.high = self.high.max(id);
        self.found(id);
    }

    /// An id of 0 is no object's.
    #[inline]
    fn found(&mut self, id: u64) {
        if id != 0 {
            self.ids.addresses.add(id);
        }
    }
}

impl Visitor for Scanning<'_> {
    const TAKES_BODIES: bool = false;

    #[inline]
    fn begins(&mut self, at: u64) {
        if self.stretches_bytes + (at - self.from) >= PART_BYTES {
            self.stretch_ends(at);
            self.part_ends();
        }
    }

    fn root(&mut self, root: RawRoot) {
        self.scan.roots.push(root);
    }

    fn class(&mut self, class: ClassDump) {
        self.found(class.id);
        self.scan.classes.push(class);
    }

    #[inline]
    fn instance(&mut self, id: u64, class: u64, _body_bytes: u32, _body: &[u8]) {
        self.seen(id);
        self.ids.evidence.instance(id, class);
    }

    #[inline]
    fn object_array(&mut self, id: u64, _class: u64, length: u32) {
        self.seen(id);
        self.ids.evidence.references(id, length);
    }

    #[inline]
    fn primitive_array(&mut self, id: u64, kind: u8, length: u32, _at: u64) {
        self.seen(id);
        self.ids.evidence.primitives(id, length, width(kind).unwrap_or(8));
    }
}
