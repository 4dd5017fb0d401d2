//! The contents of a tag: the object's id, its first snapshot, and the capture that numbered it. Pure arithmetic.
//!
//! Layout from the low end: id 36 bits, first snapshot 14 bits, capture 13 bits; the sign marks a filler class's
//! mirror.

use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::Mark;

const ID_BITS: u32 = 36;
const FIRST_BITS: u32 = 14;
const CAPTURE_BITS: u32 = 13;

/// Highest snapshot number that fits a tag.
pub const LAST_SNAPSHOT: u32 = (1 << CAPTURE_BITS) - 1;

/// Stands in the place of a mark's id, to show that the mark has a planned number.
const PLANNED: u64 = 1 << (ID_BITS - 1);

/// A tag that means only "instances of this class are heap filler".
pub const FILLER_CLASS: i64 = i64::MIN;

/// A decoded tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Id inside `capture`; of a mark alone the number of objects that it stands for.
    pub id: u64,
    /// First snapshot that saw the object; 0 for an untagged one.
    pub first_seen: u32,
    /// Capture that assigned the id; 0 when only marked.
    pub capture: u32,
}

impl Tag {
    /// A mark of `snapshot` on an object that stands for this number of objects of its class.
    pub fn standing_for(snapshot: SnapshotId, objects: u32) -> Self {
        Self { id: u64::from(objects), first_seen: snapshot.0, capture: 0 }
    }

    /// A mark of `snapshot` by its number in the plan.
    pub fn planned(snapshot: SnapshotId, number: u32) -> Self {
        Self { id: PLANNED | u64::from(number), first_seen: snapshot.0, capture: 0 }
    }

    /// The mark, unless it is none or has become an id of a capture.
    pub fn mark(self) -> Option<Mark> {
        let number = self.id as u32;
        match (self.first_seen, self.capture) {
            (0, _) | (_, 1..) => None,
            _ if self.id & PLANNED != 0 => Some(Mark::Planned(number)),
            _ => Some(Mark::StandsFor(number.max(1))),
        }
    }

    /// Reads a tag; 0 reads as all zero.
    pub fn decode(tag: i64) -> Self {
        let field = |from: u32, bits: u32| (tag as u64 >> from) & ((1 << bits) - 1);
        Self {
            id: field(0, ID_BITS),
            first_seen: field(ID_BITS, FIRST_BITS) as u32,
            capture: field(ID_BITS + FIRST_BITS, CAPTURE_BITS) as u32,
        }
    }

    /// Writes a tag; the filler sign of `before` is kept.
    pub fn encode(self, before: i64) -> i64 {
        let high = (u64::from(self.capture) << FIRST_BITS) | u64::from(self.first_seen);
        ((high << ID_BITS) | self.id) as i64 | (before & FILLER_CLASS)
    }

    /// The object's id, when `capture` assigned it.
    pub fn id_in(self, capture: SnapshotId) -> Option<ObjectId> {
        (self.capture == capture.0 && self.id != 0).then_some(ObjectId(self.id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_reads_back_at_its_limits() {
        for (id, first_seen, capture) in [(1, 1, 1), ((1 << ID_BITS) - 1, LAST_SNAPSHOT, LAST_SNAPSHOT), (7, 3, 0)] {
            let tag = Tag { id, first_seen, capture };
            assert_eq!(Tag::decode(tag.encode(0)), tag);
            assert_eq!(Tag::decode(tag.encode(FILLER_CLASS)), tag);
            assert!(tag.encode(0) > 0);
        }
    }

    #[test]
    fn an_id_holds_in_its_own_capture_only() {
        let tag = Tag { id: 5, first_seen: 1, capture: 2 };
        assert_eq!(tag.id_in(SnapshotId(2)), Some(ObjectId(5)));
        assert_eq!(tag.id_in(SnapshotId(3)), None);
        let mark = Tag::standing_for(SnapshotId(1), 1);
        assert_eq!(mark.id_in(SnapshotId(1)), None);
        assert_eq!((mark.mark(), tag.mark()), (Some(Mark::StandsFor(1)), None));
        let planned = Tag::decode(Tag::planned(SnapshotId(3), 70_000).encode(0));
        assert_eq!((planned.first_seen, planned.mark()), (3, Some(Mark::Planned(70_000))));
    }
}
