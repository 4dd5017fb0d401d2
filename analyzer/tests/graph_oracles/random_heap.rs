//! Small random heaps, the same ones in every run.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rootbound::graph::{DominatorTree, Entries, Referrers};
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};

/// Seeded, so that a heap that fails can be made again.
struct Random(SplitMix64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const CLASSES: [&str; 3] = ["Node", "Node[]", "int[]"];
const HEAPS: u64 = 600;

/// Runs a check on every random heap; a failure says which.
pub fn for_each(check: impl Fn(&Heap) + std::panic::RefUnwindSafe) {
    for seed in 0..HEAPS {
        let heap = random_heap(seed);
        if let Err(panic) = std::panic::catch_unwind(|| check(&heap)) {
            eprintln!("random heap {seed}: {} objects, {:?}", heap.object_count(), heap.roots());
            for object in heap.objects() {
                eprintln!("  {} -> {:?}", object.0, heap.references().of(object));
            }
            std::panic::resume_unwind(panic);
        }
    }
}

/// The dominator tree of a heap.
pub fn dominators_of(heap: &Heap) -> DominatorTree {
    DominatorTree::new(heap, &Referrers::new(heap), &Entries::new(heap))
}

/// Up to 60 objects: from sparse (much is unreachable) to dense, with few roots or many.
fn random_heap(seed: u64) -> Heap {
    random_sketch(seed).build()
}

/// The sketch of such a heap.
pub fn random_sketch(seed: u64) -> HeapSketch {
    let mut random = Random(SplitMix64::seed_from_u64(seed));
    let mut sketch = HeapSketch::new();
    let mut objects = sketch_objects(&mut random, &mut sketch);
    let nodes = objects.len();
    objects.extend(CLASSES.map(|class| sketch.class(class)));
    for _ in 0..random.below(nodes * 3 + 1) {
        let (from, to) = (random.choose(&objects[..nodes]), random.choose(&objects));
        let field = random.choose(&["left", "right", "parent"]);
        sketch.refer(from, field, to);
        if random.below(8) == 0 {
            sketch.refer(from, field, to);
        }
    }
    for _ in 0..random.below(5) {
        sketch_root(&mut random, &mut sketch, &objects);
    }
    sketch
}

fn sketch_objects(random: &mut Random, sketch: &mut HeapSketch) -> Vec<ObjectIdx> {
    let count = 1 + random.below(56);
    (0..count)
        .map(|_| {
            let class = random.choose(&CLASSES);
            if random.below(2) == 0 { sketch.old(class) } else { sketch.fresh(class) }
        })
        .collect()
}

fn sketch_root(random: &mut Random, sketch: &mut HeapSketch, objects: &[ObjectIdx]) {
    let object = random.choose(objects);
    match random.below(5) {
        0 => sketch.local(object),
        1 => sketch.jni_global(object),
        2 => sketch.thread(object, "worker"),
        _ => drop(sketch.static_field(random.choose(&CLASSES), "field", object)),
    }
}
