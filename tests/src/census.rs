//! Check whether the stream of a capture is a whole graph: every referenced object must be expanded, or be a mirror or
//! a thread. Judges by the records alone, independently of the agent's statements.

use rootbound_wire::graph::{Chunk, Record, SENTINELS, StreamError, records};

/// Contents of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Records.
    pub records: u64,
    /// References, without those to classes in the head of a batch.
    pub references: u64,
    /// Objects whose references are in the stream.
    pub expanded: u64,
    /// Objects that are referenced and not expanded, though they are neither mirrors nor threads.
    pub unexpanded: u64,
    /// Planted objects that were met.
    pub sentinels: u32,
}

impl Census {
    /// Whether it is a whole graph of as many records as the agent reports.
    pub fn is_whole(&self, written: u64) -> bool {
        self.records == written && self.expanded > 0 && self.unexpanded == 0 && self.sentinels == 2 * SENTINELS
    }
}

/// Counts a stream.
///
/// # Errors
/// A chunk that cannot be read.
pub fn census(chunks: &[Chunk]) -> Result<Census, StreamError> {
    let (mut reported, mut meant) = (Vec::new(), Vec::new());
    let mut census = Census::default();
    for record in chunks.iter().flat_map(|chunk| records(&chunk.0)) {
        census.records += 1;
        match record? {
            Record::Batch { referrer, .. } => {
                census.expanded += 1;
                reported.push(referrer);
            }
            Record::Named { object, .. } => reported.push(object),
            Record::Reference { referee, .. } => {
                census.references += 1;
                meant.push(referee);
            }
            Record::Root { object, .. } | Record::Held { object, .. } => meant.push(object),
            Record::Sentinel { .. } => census.sentinels += 1,
            _ => {}
        }
    }
    reported.sort_unstable();
    meant.sort_unstable();
    meant.dedup();
    census.unexpanded = meant.iter().filter(|object| reported.binary_search(object).is_err()).count() as u64;
    Ok(census)
}

#[cfg(test)]
mod tests {
    use super::{Census, census};
    use rootbound_wire::graph::{Address, Chunk, ChunkWriter, Place, Shape, StreamRoot};
    use rootbound_wire::ids::ObjectId;
    use rootbound_wire::message::ReferenceLabel;

    /// A root refers to an object, and that to another; only the first is expanded.
    fn stream(also: impl Fn(&mut ChunkWriter<'_>)) -> Census {
        let mut bytes = [0; 1024];
        let mut writer = ChunkWriter::new(&mut bytes);
        writer.root(StreamRoot::Other, Address(8), Shape::Bytes(24));
        writer.batch(Address(8), Some(ObjectId(1)));
        writer.reference(Place::of(ReferenceLabel::Field(0)), Address(16), Shape::Bytes(24));
        also(&mut writer);
        let length = writer.len();
        census(&[Chunk(bytes[..length].to_vec())]).unwrap()
    }

    #[test]
    fn what_is_referred_to_and_shows_nothing_is_missed() {
        let census = stream(|_| {});
        assert_eq!((census.records, census.references, census.expanded, census.unexpanded), (3, 1, 1, 1));
        assert!(!census.is_whole(3));
    }

    #[test]
    fn a_batch_or_a_name_makes_it_whole() {
        assert_eq!(stream(|writer| writer.batch(Address(16), None)).unexpanded, 0);
        assert_eq!(stream(|writer| writer.named(None, Address(16), 96, None)).unexpanded, 0);
    }

    #[test]
    fn a_stream_without_sentinels_or_with_lost_records_is_not_whole() {
        let all = |writer: &mut ChunkWriter<'_>| {
            writer.batch(Address(16), None);
            (0..16).for_each(|number| writer.sentinel(number, Address(8)));
        };
        let whole = stream(all);
        assert!(whole.is_whole(20), "{whole:?}");
        assert!(!whole.is_whole(21));
        assert!(!stream(|writer| writer.batch(Address(16), None)).is_whole(4));
        assert!(!census(&[]).unwrap().is_whole(0));
    }
}
