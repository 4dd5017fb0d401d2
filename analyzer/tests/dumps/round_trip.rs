//! Heaps written in each format and read back.

use super::bytes::small;
use super::content::{objects, read, roots, shape, written};
use rootbound::heap::Heap;
use rootbound::heap::dsl::{HeapSketch, OLD};
use rootbound::ingest::dump::write::Format;

/// Lists, maps, arrays of arrays, static fields, inherited fields, all kinds of roots, names that need care.
fn sketched() -> Heap {
    let mut sketch = HeapSketch::new();
    for class in ["java.lang.Class", "java.lang.Object", "java.lang.Object[]", "byte[]", "int[][]"] {
        sketch.class(class);
    }
    sketch.subclass("shop.Order", "java.lang.Object");
    sketch.subclass("shop.Rush$Order", "shop.Order");
    let (order, rush) = (sketch.old("shop.Order"), sketch.old("shop.Rush$Order"));
    let array = sketch.object("java.lang.Object[]", 64, OLD);
    let bytes = sketch.object("byte[]", 1_200_000, OLD);
    let nested = sketch.object("int[][]", 32, OLD);
    let hidden = sketch.object("shop.Orders$$Lambda/0x0000000800c01000", 16, OLD);
    sketch.refer(order, "next", rush);
    sketch.refer(order, "data", bytes);
    sketch.inherited(rush, "shop.Order", "next", order);
    sketch.refer(rush, "deadline", array);
    [order, rush, nested, order].into_iter().for_each(|element| sketch.element(array, element));
    sketch.static_field("shop.Orders", "ALL<&'\">", array);
    sketch.static_field("shop.Orders", "action", hidden);
    let thread = sketch.old("java.lang.Thread");
    sketch.thread(thread, "main");
    sketch.local(nested);
    sketch.jni_global(bytes);
    sketch.build()
}

#[test]
fn hprof_keeps_classes_sizes_references_and_roots() {
    let heap = sketched();
    let again = read(&written(&heap, Format::Hprof)).unwrap();
    assert!(again.warnings.is_empty(), "{:?}", again.warnings);
    let declared = |mut objects: Vec<super::content::Object>| {
        // A class in the file always names its superclass, which a sketch does not.
        objects.iter_mut().for_each(|object| object.2.retain(|reference| reference.0 != "label5"));
        objects
    };
    assert_eq!(declared(objects(&again.heap)), objects(&heap));
    assert_eq!(roots(&again.heap), roots(&heap));
}

#[test]
fn insane_xml_keeps_classes_sizes_references_and_kinds_of_roots() {
    let heap = sketched();
    let again = read(&written(&heap, Format::InsaneXml)).unwrap();
    assert!(again.warnings.is_empty(), "{:?}", again.warnings);
    assert_eq!(objects(&again.heap), objects(&heap));
    let kinds = |heap| roots(heap).into_iter().map(|root| (root.0, root.1)).collect::<Vec<_>>();
    assert_eq!(kinds(&again.heap), kinds(&heap));
}

#[test]
fn ibm_text_keeps_classes_sizes_and_references() {
    let heap = sketched();
    let again = read(&written(&heap, Format::IbmText)).unwrap();
    assert!(again.warnings.is_empty(), "{:?}", again.warnings);
    assert_eq!(shape(&again.heap), shape(&heap));
}

#[test]
fn a_dump_survives_all_formats_one_after_another() {
    let heap = read(&small(8).done()).unwrap().heap;
    let mut again = read(&written(&heap, Format::InsaneXml)).unwrap().heap;
    assert_eq!(objects(&again), objects(&heap));
    again = read(&written(&again, Format::Hprof)).unwrap().heap;
    let bare = |heap: &Heap| shape(heap).into_iter().map(|object| (object.0, object.1)).collect::<Vec<_>>();
    assert_eq!(bare(&again), bare(&heap));
    again = read(&written(&again, Format::IbmText)).unwrap().heap;
    assert_eq!(bare(&again), bare(&heap));
}
