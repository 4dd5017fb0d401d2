//! The first snapshot of an object, when some captures were thrown away: an object seen first by an aborted capture
//! counts as seen first by the next snapshot, for the analyzer never received it. Pure arithmetic on tags.

use super::tag::Tag;
use rootbound_wire::ids::SnapshotId;

/// The captures that were thrown away while their tags stand.
#[derive(Clone, Debug, Default)]
pub struct Ages {
    aborted: Vec<SnapshotId>,
}

impl Ages {
    /// This capture was thrown away. The marks of the objects it saw stay; its own numbers mean nothing any more.
    pub fn abort(&mut self, snapshot: SnapshotId) {
        self.aborted.push(snapshot);
    }

    /// The snapshot that first saw the object with this tag, when `now` sees it. Runs inside heap callbacks.
    pub fn first_seen(&self, tag: Tag, now: SnapshotId) -> SnapshotId {
        let before = SnapshotId(tag.first_seen);
        if tag.first_seen == 0 || self.aborted.contains(&before) { now } else { before }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: SnapshotId = SnapshotId(1);

    /// The tag that a capture leaves on an object.
    fn captured(before: i64, id: u64, now: SnapshotId, ages: &Ages) -> i64 {
        let first_seen = ages.first_seen(Tag::decode(before), now).0;
        Tag { id, first_seen, capture: now.0 }.encode(before)
    }

    #[test]
    fn marks_survive_an_aborted_capture_and_its_first_sights_are_new_to_the_next() {
        let mut ages = Ages::default();
        let marked = Tag::standing_for(MARK, 1).encode(0);
        let (old, young) = (captured(marked, 1, SnapshotId(2), &ages), captured(0, 2, SnapshotId(2), &ages));
        ages.abort(SnapshotId(2));
        let unmet_old = marked;
        for (tag, first_seen) in [(old, 1), (young, 3), (unmet_old, 1), (0, 3)] {
            let tag = Tag::decode(tag);
            assert_eq!(tag.id_in(SnapshotId(3)), None, "it is numbered anew");
            assert_eq!(ages.first_seen(tag, SnapshotId(3)), SnapshotId(first_seen));
        }
    }

    #[test]
    fn a_later_snapshot_keeps_the_age_that_a_retried_capture_gave() {
        let mut ages = Ages::default();
        let young = captured(0, 1, SnapshotId(2), &ages);
        ages.abort(SnapshotId(2));
        let retried = captured(young, 9, SnapshotId(3), &ages);
        assert_eq!(ages.first_seen(Tag::decode(retried), SnapshotId(4)), SnapshotId(3));
        assert_eq!(ages.first_seen(Tag::decode(young), SnapshotId(4)), SnapshotId(4), "no complete capture saw it");
    }
}
