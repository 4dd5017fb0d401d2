//! The first pass over a stream, while it arrives: counts of all records, the addresses of objects, and all data rare
//! enough to be kept as they are.

use super::unproven::Unproven;
use crate::heap::spread::Spread;
use rootbound_wire::graph::{self, Address, Record, Shape, StreamMark, StreamRoot};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::MOST_HEADS;

/// Most snapshots that marks may carry; a real stream has a few.
const MAX_SNAPSHOTS: usize = 200;

/// Data of the chunks so far, in their order.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) records: u64,
    /// References, including those to classes that the batches imply.
    pub(super) references: u64,
    pub(super) batches: u64,
    /// Addresses of objects that were expanded or named.
    pub(super) spread: Spread,
    /// Sizes reported where no reference leads to the object.
    pub(super) sizes: Vec<(Address, Shape)>,
    pub(super) named: Vec<(Option<ObjectId>, Address)>,
    /// Snapshots that marks carry, ascending.
    pub(super) snapshots: Vec<u32>,
    pub(super) roots: Vec<(Address, StreamRoot)>,
    pub(super) sentinels: Vec<(u32, Address)>,
    /// Heads that the agent holds.
    pub(super) heads: Vec<(u32, Address)>,
}

impl Survey {
    /// Surveys the next chunk. After an error the result is void.
    pub(super) fn look_through(&mut self, chunk: &[u8]) -> Result<(), Unproven> {
        self.spread.justify(chunk.len());
        let mut is_in_object = false;
        for record in graph::records(chunk) {
            self.records += 1;
            match record? {
                Record::Batch { referrer, class } => {
                    is_in_object = true;
                    self.batches += 1;
                    self.references += u64::from(class.is_some());
                    self.spread.add(referrer)?;
                }
                Record::Resume { .. } => is_in_object = true,
                Record::Reference { .. } if is_in_object => self.references += 1,
                Record::Reference { .. } => return Err(Unproven::Loose),
                Record::Root { kind, object, shape } => {
                    self.roots.push((object, kind));
                    self.sizes.push((object, shape));
                }
                Record::Held { object, shape } => self.sizes.push((object, shape)),
                Record::Named { id, object, bytes, mark } => {
                    self.spread.add(object)?;
                    self.sizes.push((object, Shape::Bytes(bytes)));
                    self.named.push((id, object));
                    mark.into_iter().for_each(|mark| self.note_snapshot(mark));
                }
                Record::Marked { mark, .. } => self.note_snapshot(mark),
                Record::Sentinel { number, object } => self.sentinels.push((number, object)),
                Record::Head { number, object } if self.heads.len() < MOST_HEADS => self.heads.push((number, object)),
                Record::Head { .. } => return Err(Unproven::Heads),
            }
        }
        Ok(())
    }

    fn note_snapshot(&mut self, mark: StreamMark) {
        if !self.snapshots.contains(&mark.first_seen) && self.snapshots.len() < MAX_SNAPSHOTS {
            self.snapshots.push(mark.first_seen);
            self.snapshots.sort_unstable();
        }
    }
}
