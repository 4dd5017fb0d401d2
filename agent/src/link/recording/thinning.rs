//! Thinning of a recording that has reached its bound: captures go so that the span of time stays, and older
//! collections and counters become sparser. The thinned copy replaces the file as a whole, so that a process that is
//! killed leaves one of both.

use super::contents::{Contents, Kept, message};
use rootbound_wire::class_table::{DECLARATIONS, numbers, retained};
use rootbound_wire::codec::CodecError;
use rootbound_wire::frame::{self, Frame, FrameError, FrameReader};
use rootbound_wire::message::{CaptureDone, CaptureFault, FromAgent};
use rootbound_wire::packing::Packer;
use std::collections::BTreeSet;
use std::io::{self, Read, Write};

/// Receipts of captures that are gone; the number of those that are kept is bounded.
const MOST_RECEIPTS: usize = 1_000;
/// Bytes gathered before a write.
const BATCH_BYTES: usize = 256 << 10;

/// The captures to leave out, by ordinal, so that those that are left take at most `room` bytes, or are `least` in
/// number. Failed ones go first. Then, again and again, that one whose neighbours are closest in time for its bytes:
/// the captures stay spread over the whole span, and of two the smaller one stays. So do the first and the latest.
pub fn superfluous(kept: &[Kept], room: u64, least: usize) -> BTreeSet<usize> {
    let (failed, mut left): (Vec<&Kept>, Vec<&Kept>) = kept.iter().partition(|kept| kept.failed);
    let mut gone: BTreeSet<usize> = failed.iter().map(|kept| kept.ordinal).collect();
    while left.len() > least && left.iter().map(|kept| kept.bytes).sum::<u64>() > room {
        let distance = |at: usize| left[at + 1].at_ms.saturating_sub(left[at - 1].at_ms) as f64;
        let for_bytes = |at: &usize| distance(*at) / left[*at].bytes.max(1) as f64;
        // Of equals the oldest, which comes first.
        let inner = 1..left.len().saturating_sub(1);
        let Some(at) = inner.min_by(|one, other| for_bytes(one).total_cmp(&for_bytes(other))) else { break };
        gone.insert(left.remove(at).ordinal);
    }
    gone
}

/// The numbers of the declarations that captures use, except those that go.
///
/// # Errors
/// Those of reading.
pub fn used(from: impl Read, gone: &BTreeSet<usize>) -> io::Result<BTreeSet<u32>> {
    let (mut frames, mut used) = (FrameReader::new(from), BTreeSet::new());
    let (mut begun, mut is_gone) = (0, false);
    while let Some(frame) = frames.next_frame().map_err(of_frame)? {
        match message(frame.kind, &frame.payload) {
            Some(FromAgent::CaptureStarted { .. }) => {
                is_gone = gone.contains(&begun);
                begun += 1;
            }
            _ if !is_gone => used.append(&mut numbers(&frame).map_err(of_codec)?),
            _ => {}
        }
    }
    Ok(used)
}

/// Copies a recording without the records of some captures; their receipts stay. With `sparser`, every other report of
/// collections, counters and heartbeats before `older_than_ms` is left out, too.
pub struct Thinner<'a> {
    /// The ordinals of the captures to leave out.
    pub gone: &'a BTreeSet<usize>,
    /// The numbers of the declarations that the others use ([`used`]).
    pub declared: &'a BTreeSet<u32>,
    /// Time before which reports become sparser; `None`: all stay.
    pub sparser_before_ms: Option<u64>,
}

/// A place in the file that is being copied.
#[derive(Default)]
struct Place {
    begun: usize,
    /// The capture whose records follow.
    within: Option<usize>,
    /// The beginning of a capture of which nothing has been copied yet.
    begin: Option<Frame>,
    receipts: usize,
    /// Reports seen, by kind.
    reports: [usize; 3],
}

impl Thinner<'_> {
    /// Copies, and returns the contents of the copy.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn copy(&self, from: impl Read, packer: &mut Packer, to: &mut impl Write) -> io::Result<Contents> {
        let (mut frames, mut place) = (FrameReader::new(from), Place::default());
        let (mut batch, mut contents) = (Vec::new(), Contents::default());
        while let Some(frame) = frames.next_frame().map_err(of_frame)? {
            let start = batch.len();
            match frame.kind {
                DECLARATIONS => retained(&frame, self.declared, packer, &mut batch).map_err(of_codec)?,
                _ => self.put(frame, &mut place, &mut batch)?,
            }
            contents.take(&batch[start..]);
            if batch.len() >= BATCH_BYTES {
                to.write_all(&batch)?;
                batch.clear();
            }
        }
        // The capture under way may have lost all its records so far.
        let start = batch.len();
        place.begin.take().iter().for_each(|begin| frame::append_read(begin, &mut batch));
        contents.take(&batch[start..]);
        to.write_all(&batch)?;
        to.flush()?;
        Ok(contents)
    }

    fn put(&self, frame: Frame, place: &mut Place, out: &mut Vec<u8>) -> io::Result<()> {
        let message = message(frame.kind, &frame.payload);
        let is_gone = place.within.is_some_and(|ordinal| self.gone.contains(&ordinal));
        match &message {
            Some(FromAgent::CaptureStarted { .. }) => {
                place.within = Some(place.begun);
                place.begun += 1;
                place.begin = Some(frame);
                return Ok(());
            }
            Some(FromAgent::CaptureDone(done)) => {
                place.within = None;
                let begin = place.begin.take();
                if is_gone || done.fault == Some(CaptureFault::Thinned) {
                    place.receipts += 1;
                    if place.receipts > MOST_RECEIPTS {
                        return Ok(());
                    }
                    begin.iter().for_each(|begin| frame::append_read(begin, out));
                    return frame::append(&thinned(done), out).map_err(of_frame);
                }
                begin.iter().for_each(|begin| frame::append_read(begin, out));
            }
            Some(report) if self.is_superfluous(report, place) => return Ok(()),
            _ if is_gone => return Ok(()),
            _ => place.begin.take().iter().for_each(|begin| frame::append_read(begin, out)),
        }
        frame::append_read(&frame, out);
        Ok(())
    }

    fn is_superfluous(&self, report: &FromAgent, place: &mut Place) -> bool {
        let (kind, at_ms) = match report {
            FromAgent::GcFinished(collected) => (0, collected.at_ms),
            FromAgent::Heartbeat(beat) => (1, beat.at_ms),
            FromAgent::Platform(platform) => (2, platform.at_ms),
            _ => return false,
        };
        place.reports[kind] += 1;
        self.sparser_before_ms.is_some_and(|before_ms| at_ms < before_ms) && place.reports[kind].is_multiple_of(2)
    }
}

/// The end of a capture whose records are left out. The receipt of its pause stays.
fn thinned(done: &CaptureDone) -> FromAgent {
    let failure = done.failure.clone().or_else(|| Some("left out of the bounded recording".to_owned()));
    FromAgent::CaptureDone(CaptureDone { failure, fault: done.fault.or(Some(CaptureFault::Thinned)), ..done.clone() })
}

fn of_codec(error: CodecError) -> io::Error {
    of_frame(error.into())
}

fn of_frame(error: FrameError) -> io::Error {
    match error {
        FrameError::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(times_s: &[u64]) -> Vec<Kept> {
        let each = |(ordinal, &at_s): (usize, &u64)| Kept { ordinal, at_ms: 1000 * at_s, bytes: 10, failed: false };
        times_s.iter().enumerate().map(each).collect()
    }

    fn left(kept: &[Kept], room: u64) -> Vec<u64> {
        at_least(kept, room, 2)
    }

    fn at_least(kept: &[Kept], room: u64, least: usize) -> Vec<u64> {
        let gone = superfluous(kept, room, least);
        kept.iter().filter(|kept| !gone.contains(&kept.ordinal)).map(|kept| kept.at_ms / 1000).collect()
    }

    #[test]
    fn the_span_of_time_stays_and_the_captures_stay_spread_over_it() {
        assert_eq!(left(&kept(&[10, 25, 40, 55, 70, 85, 100, 200, 400]), 50), [10, 70, 100, 200, 400]);
        let even: Vec<u64> = (0..100).map(|at| 10 * at).collect();
        let few = left(&kept(&even), 80);
        assert_eq!((few.len(), few[0], few[7]), (8, 0, 990));
        assert!(few.windows(2).all(|pair| pair[1] - pair[0] <= 330), "{few:?}");
    }

    #[test]
    fn of_two_captures_the_smaller_one_stays() {
        let mut captures = kept(&[10, 20, 30, 40, 50, 60, 70]);
        captures.iter_mut().filter(|kept| [20, 40, 60].contains(&(kept.at_ms / 1000))).for_each(|kept| kept.bytes = 20);
        assert_eq!(left(&captures, 40), [10, 30, 50, 70]);
    }

    #[test]
    fn captures_stay_without_which_no_trend_is_judged() {
        let even: Vec<u64> = (1..=9).map(|at| 10 * at).collect();
        assert_eq!(at_least(&kept(&even), 20, 5).len(), 5);
        assert_eq!(at_least(&kept(&even[..3]), 0, 5), [10, 20, 30]);
    }

    #[test]
    fn the_first_and_the_latest_stay_and_failed_ones_go() {
        let mut captures = kept(&[10, 20, 30]);
        assert_eq!(left(&captures, 0), [10, 30]);
        assert_eq!(left(&captures, 1_000), [10, 20, 30]);
        captures[2].failed = true;
        assert_eq!(left(&captures, 1_000), [10, 20]);
    }
}
