//! Foreign bytes make an error: no panic, and no more memory than they justify.

use crate::graph_oracles::random_heap::random_sketch;
use crate::random::Random;
use rootbound::heap::{HeapBuilder, HeapError, Unproven};
use rootbound_wire::graph::{Address, Chunk, ChunkWriter};
use rootbound_wire::message::CaptureDone;

#[test]
fn a_changed_byte_makes_a_heap_or_an_error() {
    let whole = random_sketch(11).streamed(11);
    let mut random = Random::new(11);
    for _ in 0..5_000 {
        let mut streamed = whole.clone();
        let chunk = random.below(streamed.chunks.len());
        let at = random.below(streamed.chunks[chunk].0.len());
        streamed.chunks[chunk].0[at] ^= 1 << random.below(8);
        drop(streamed.build());
    }
}

#[test]
fn any_bytes_make_an_error() {
    let mut random = Random::new(1);
    for _ in 0..2_000 {
        let mut builder = HeapBuilder::new();
        let bytes = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
        builder.graph(&Chunk(bytes));
        builder.done(&CaptureDone { records: random.below(30) as u64 + 1, ..CaptureDone::default() });
        assert!(matches!(builder.finish(), Err(HeapError::Unproven(_))));
    }
}

#[test]
fn addresses_all_over_are_refused() {
    let spread = |count: u64, distance: u64| {
        let mut memory = vec![0; count as usize * 64 + 64];
        let mut chunk = ChunkWriter::new(&mut memory);
        (1..=count).for_each(|at| chunk.batch(Address(at * distance), None));
        let length = chunk.len();
        memory.truncate(length);
        let mut builder = HeapBuilder::new();
        builder.graph(&Chunk(memory));
        builder.done(&CaptureDone { records: count, ..CaptureDone::default() });
        builder.finish().map(drop)
    };
    let refused = Err(HeapError::Unproven(Unproven::Scattered));
    assert_eq!(spread(20_000, 1 << 28), refused);
    assert_eq!(spread(2, 1 << 47), refused);
    assert_eq!(spread(1_000_000, 1 << 14), refused);
    assert_ne!(spread(1_000, 1 << 20), refused);
}
