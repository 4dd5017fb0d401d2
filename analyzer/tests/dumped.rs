//! Heaps from dumps: what a source tells is what the heap has, however it is cut into parts and whatever it gets wrong.

#![allow(clippy::unwrap_used)] // Helpers of tests may panic as tests do.

use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{
    Class, ClassIdx, DumpError, DumpRules, DumpSink, DumpSource, Dumped, DumpedClass, DumpedObject, DumpedRoot, Heap,
    Label, ObjectIdx, Outline, RootKind, of_dump,
};
use std::convert::Infallible;

/// A dump in memory: objects with their references, in parts of this size.
struct Written {
    outline: Outline,
    objects: Vec<(DumpedObject, Vec<(Label, u64)>)>,
    objects_a_part: usize,
}

impl DumpSource for Written {
    type Error = Infallible;

    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn byte_len(&self) -> u64 {
        self.objects.len() as u64 * 32
    }

    fn part_count(&self) -> usize {
        self.objects.len().div_ceil(self.objects_a_part)
    }

    fn read_part(&self, part: usize, sink: &mut impl DumpSink) -> Result<(), Infallible> {
        let begin = part * self.objects_a_part;
        for (object, references) in self.objects[begin..].iter().take(self.objects_a_part) {
            sink.object(*object);
            references.iter().for_each(|&(label, referee)| sink.reference(label, referee));
        }
        Ok(())
    }
}

/// What a heap would be in a dump, its objects at the addresses that `address` says.
fn dump(heap: &Heap, address: impl Fn(ObjectIdx) -> u64) -> Written {
    let class = |(at, class): (ClassIdx, &Class)| {
        let loader = class.loader.map(&address);
        DumpedClass { class: class.clone(), mirror: heap.classes().get(at).mirror.map(&address), loader }
    };
    let root = |root: &rootbound::heap::Root| DumpedRoot {
        id: address(root.object),
        kind: root.kind,
        thread: None,
        method: None,
        depth: 0,
    };
    let object = |object: ObjectIdx| {
        let reported = DumpedObject {
            id: address(object),
            class: heap.class_of(object),
            shallow_bytes: heap.shallow_bytes(object),
        };
        let references = heap.references().labelled(object).filter(|reference| reference.1 != Label::CLASS);
        (reported, references.map(|(referee, label)| (label, address(referee))).collect())
    };
    Written {
        outline: Outline {
            classes: heap.classes().iter().map(class).collect(),
            roots: heap.roots().iter().map(root).collect(),
            threads: Vec::new(),
        },
        objects: heap.objects().map(object).collect(),
        objects_a_part: 7,
    }
}

fn read(source: &Written) -> Dumped {
    of_dump(source, DumpRules::default()).unwrap()
}

/// A list of a hundred nodes with arrays, below a static field; one object is referred to by nobody.
fn sketched() -> Heap {
    let mut sketch = HeapSketch::new();
    let nodes: Vec<ObjectIdx> = (0..100).map(|_| sketch.old("shop.Node")).collect();
    for pair in nodes.windows(2) {
        let array = sketch.old("shop.Node[]");
        sketch.refer(pair[0], "next", pair[1]);
        sketch.refer(pair[0], "others", array);
        sketch.element(array, pair[1]);
        sketch.element(array, nodes[0]);
    }
    sketch.old("shop.Stray");
    sketch.static_field("shop.Shop", "first", nodes[0]);
    sketch.build()
}

/// What can be compared of heaps whose objects stand in the same order.
fn reported(heap: &Heap) -> Vec<String> {
    let object = |object: ObjectIdx| {
        let class = &heap.classes().get(heap.class_of(object)).name;
        let references: Vec<_> = heap.references().labelled(object).collect();
        format!("{class} {} {references:?}", heap.shallow_bytes(object))
    };
    let roots = heap.roots().iter().map(|root| format!("{:?} {:?}", root.object, root.kind));
    heap.objects().map(object).chain(roots).collect()
}

#[test]
fn a_heap_is_read_as_it_was_reported_whatever_the_parts() {
    let heap = sketched();
    let mut source = dump(&heap, |object| 0x7000_0000 + 16 * u64::from(object.0));
    for objects_a_part in [1, 7, 1000] {
        source.objects_a_part = objects_a_part;
        let read = read(&source);
        assert_eq!((read.dangling_count, read.repeated_count), (0, 0));
        assert_eq!(reported(&read.heap), reported(&heap));
        for object in heap.objects() {
            let id = 0x7000_0000 + 16 * u64::from(object.0);
            assert_eq!(read.heap.dump_id(object), Some(id));
            assert_eq!(read.heap.of_dump_id(id), Some(object));
        }
    }
}

#[test]
fn objects_stand_in_the_order_of_their_addresses_wherever_these_are() {
    let heap = sketched();
    let last = heap.object_count() as u64;
    // Backward, in three places of the address space that are far apart.
    let address = |object: ObjectIdx| ((u64::from(object.0) % 3) << 40) + 8 * (last - u64::from(object.0) / 3);
    let read = read(&dump(&heap, address)).heap;
    for object in heap.objects() {
        let found = read.of_dump_id(address(object)).unwrap();
        assert_eq!(read.dump_id(found), Some(address(object)));
        let expected: Vec<_> = heap.references().of(object).iter().map(|&referee| address(referee)).collect();
        let came: Vec<_> = read.references().of(found).iter().map(|&referee| read.dump_id(referee).unwrap()).collect();
        assert_eq!(came, expected);
    }
}

#[test]
fn ids_that_are_no_addresses_do_as_well() {
    let heap = sketched();
    let read = read(&dump(&heap, |object| 1 + u64::from(object.0))).heap;
    assert_eq!(reported(&read), reported(&heap));
    assert_eq!(read.dump_id(ObjectIdx(41)), Some(42));
}

#[test]
fn what_refers_to_nothing_is_left_out_and_counted() {
    let heap = sketched();
    let mut source = dump(&heap, |object| 8 + 8 * u64::from(object.0));
    source.objects[3].1.push((Label::OTHER, 0xDEAD_BEE8));
    let read = read(&source);
    assert_eq!(read.dangling_count, 1);
    assert_eq!(reported(&read.heap), reported(&heap));
}

#[test]
fn of_objects_with_one_id_the_first_counts() {
    let heap = sketched();
    let mut source = dump(&heap, |object| 8 + 8 * u64::from(object.0));
    let mut again = source.objects[5].clone();
    again.0.shallow_bytes = 4096;
    again.1.push((Label::OTHER, 8));
    source.objects.push(again);
    let read = read(&source);
    assert_eq!(read.repeated_count, 1);
    assert_eq!(reported(&read.heap), reported(&heap));
}

#[test]
fn addresses_that_no_heap_has_are_refused() {
    let heap = sketched();
    for address in [
        |object: ObjectIdx| (u64::from(object.0) + 1) << 41,
        |object: ObjectIdx| u64::MAX - 7 - 8 * u64::from(object.0),
    ] {
        let refused = of_dump(&dump(&heap, address), DumpRules::default());
        assert!(matches!(refused, Err(DumpError::Scattered)));
    }
}

#[test]
fn classes_and_roots_that_fit_nothing_do_no_harm() {
    let heap = sketched();
    let mut source = dump(&heap, |object| 8 + 8 * u64::from(object.0));
    source.objects[3].0.class = ClassIdx(9999);
    source.outline.classes[2].class.superclass = Some(ClassIdx(9999));
    let nowhere = DumpedRoot { id: 3, kind: RootKind::Other, thread: Some(7), method: None, depth: 0 };
    source.outline.roots.push(nowhere);
    let read = read(&source);
    assert_eq!(read.heap.class_of(ObjectIdx(3)), ClassIdx(0));
    assert_eq!(read.heap.roots().len(), heap.roots().len());
}
