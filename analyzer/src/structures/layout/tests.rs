//! Descriptions joined with the classes of sketched heaps: rules 1 to 7 of the language's page, each at its place.

use super::*;
use crate::heap::dsl::HeapSketch;
use crate::structures::language::parse;

const LINKED: &str = "DS LinkedList { LinkedList$Node; } LinkedList$Node { LinkedList$Node; (*); }";

fn language(texts: &[&str]) -> Language {
    let mut language = Language::new();
    for (text, name) in texts.iter().zip(["one.ds", "two.ds", "three.ds"]) {
        language.add(parse(name, text).unwrap());
    }
    language
}

/// A heap with an object of each class, in their order; a class with ` < ` extends the one behind it.
fn heap(classes: &[&str]) -> (Heap, Vec<ObjectIdx>) {
    let mut sketch = HeapSketch::new();
    for class in classes {
        if let Some((class, superclass)) = class.split_once(" < ") {
            sketch.subclass(class, superclass);
        }
    }
    let objects = classes.iter().map(|class| sketch.old(class.split(" < ").next().unwrap())).collect();
    (sketch.build(), objects)
}

struct Joined {
    layout: Layout,
    types: Vec<TypeIdx>,
}

impl Joined {
    fn new(texts: &[&str], classes: &[&str], exact_types: bool) -> Self {
        let (heap, objects) = heap(classes);
        let layout = Layout::new(&language(texts), &heap, LayoutOptions { exact_types });
        let types = objects.into_iter().map(|object| layout.type_of(&heap, object)).collect();
        Self { layout, types }
    }

    fn branch(&self, from: usize, to: usize) -> Branch {
        self.layout.branch(self.types[from], self.types[to])
    }
}

#[test]
fn a_list_goes_on_at_its_nodes_and_ends_at_its_data() {
    let joined = Joined::new(&[LINKED], &["LinkedList", "LinkedList$Node", "Data"], false);
    assert_eq!([0, 1, 2].map(|at| joined.layout.is_head(joined.types[at])), [true, false, false]);
    assert_eq!([0, 1, 2].map(|to| joined.branch(1, to)), [Branch::Head, Branch::Follow, Branch::Leaf]);
    assert_eq!([0, 1, 2].map(|to| joined.branch(0, to)), [Branch::Outside, Branch::Follow, Branch::Outside]);
    assert_eq!([0, 1, 2].map(|to| joined.branch(2, to)), [Branch::Outside; 3]);
}

/// AntTracks, Figure 5: both forms describe the same structures.
#[test]
fn both_forms_of_figure_5_are_the_same_layout() {
    let plain = "DS java.util.LinkedList { java.util.LinkedList$Node; }
                 java.util.LinkedList$Node { java.util.LinkedList$Node; (*); }";
    let short = "namespace java.util { DS LinkedList { *; } LinkedList$Node { LinkedList$Node; (*); } }";
    let classes = ["java.util.LinkedList", "java.util.LinkedList$Node", "Data"];
    let [plain, short] = [plain, short].map(|text| Joined::new(&[text], &classes, false));
    for from in 0..3 {
        assert_eq!(plain.branch(from, 1), short.branch(from, 1));
        assert_eq!(plain.branch(1, from), short.branch(1, from));
    }
    // Only a list that refers to anything else than nodes would differ.
    assert_eq!((plain.branch(0, 2), short.branch(0, 2)), (Branch::Outside, Branch::Follow));
}

#[test]
fn arrays_of_references_lead_anywhere_and_other_arrays_nowhere() {
    let joined = Joined::new(&[LINKED], &["app.Order[]", "int[]", "app.Order", "LinkedList"], false);
    assert_eq!([1, 2, 3].map(|to| joined.branch(0, to)), [Branch::Follow, Branch::Follow, Branch::Head]);
    assert_eq!([0, 2, 3].map(|to| joined.branch(1, to)), [Branch::Outside; 3]);
    let has = |at: usize| joined.layout.has_pointed_to(joined.types[at]);
    assert_eq!([0, 1, 2, 3].map(has), [true, false, false, true]);
}

#[test]
fn a_name_stands_for_its_subclasses_and_a_wildcard_for_any_letters() {
    let text = "DS a.Tree { a.Node; (b.*Leaf); }";
    let classes = ["a.Tree", "a.Node", "a.Inner < a.Node", "b.c.RedLeaf", "b.Leafy", "x.Sub < b.c.RedLeaf"];
    let joined = Joined::new(&[text], &classes, false);
    let expected = [Branch::Follow, Branch::Follow, Branch::Leaf, Branch::Outside, Branch::Leaf];
    assert_eq!([1, 2, 3, 4, 5].map(|to| joined.branch(0, to)), expected);
}

#[test]
fn object_is_every_type_and_an_array_of_objects_only_that() {
    let joined = Joined::new(
        &["DS A { java.lang.Object; } DS B { java.lang.Object[]; }"],
        &["A", "B", "java.lang.Object[]", "app.Order[]", "int[]", "app.Order"],
        false,
    );
    assert_eq!([2, 3, 4, 5].map(|to| joined.branch(0, to)), [Branch::Follow; 4]);
    let only = [Branch::Follow, Branch::Outside, Branch::Outside, Branch::Outside];
    assert_eq!([2, 3, 4, 5].map(|to| joined.branch(1, to)), only);
}

#[test]
fn subclasses_inherit_the_nearest_description_unless_types_are_exact() {
    let text = "DS a.Map { (*); } a.Plain { } java.lang.Object { (*); }";
    let classes = ["a.Map", "b.Cache < a.Map", "c.Cache < b.Cache", "a.Plain < a.Map", "d.Sub < a.Plain", "e.Other"];
    let joined = Joined::new(&[text], &classes, false);
    let is_head = |joined: &Joined| [0, 1, 2, 3, 4, 5].map(|at| joined.layout.is_head(joined.types[at]));
    assert_eq!(is_head(&joined), [true, true, true, false, false, false]);
    assert_eq!(joined.layout.inherited().len(), 3);
    let exact = Joined::new(&[text], &classes, true);
    assert_eq!(is_head(&exact), [true, false, false, false, false, false]);
    assert!(exact.layout.inherited().is_empty());
    assert!(!joined.layout.has_pointed_to(joined.types[5]));
}

#[test]
fn the_later_of_two_descriptions_counts_and_a_missing_type_does_nothing() {
    let joined = Joined::new(&["DS a.Map { (*); } DS a.Gone { }", "a.Map { a.Map; }"], &["a.Map", "b.C"], false);
    assert!(!joined.layout.is_head(joined.types[0]));
    assert_eq!((joined.branch(0, 0), joined.branch(0, 1)), (Branch::Follow, Branch::Outside));
    let [replaced] = joined.layout.replaced() else { panic!("{:?}", joined.layout.replaced()) };
    assert_eq!((replaced.earlier.file.as_str(), replaced.later.file.as_str()), ("one.ds", "two.ds"));
    let unmatched: Vec<_> = joined.layout.unmatched().iter().map(|place| place.of.to_string()).collect();
    assert_eq!(unmatched, ["a.Gone"]);
    let counts: Vec<_> = joined.layout.files().iter().map(|file| (file.types, file.heads, file.matched)).collect();
    assert_eq!(counts, [(2, 2, 1), (1, 0, 1)]);
}

#[test]
fn classes_of_one_name_have_one_description() {
    let mut sketch = HeapSketch::new();
    let first = sketch.old("a.Map");
    sketch.load_again("a.Map");
    let second = sketch.old("a.Map");
    let heap = sketch.build();
    let layout = Layout::new(&language(&["DS a.Map { }"]), &heap, LayoutOptions::default());
    let types = [first, second].map(|object| layout.type_of(&heap, object));
    assert_ne!(types[0], types[1]);
    assert_eq!(types.map(|of| layout.is_head(of)), [true, true]);
}

#[test]
fn only_a_described_mirror_has_its_static_fields() {
    let mut sketch = HeapSketch::new();
    let (orders, other) = (sketch.old("app.Orders"), sketch.old("app.Other"));
    let shop = sketch.static_field("app.Shop", "orders", orders);
    let plain = sketch.static_field("app.Plain", "other", other);
    sketch.class("java.lang.Class");
    let heap = sketch.build();
    let text = "DS java.lang.Class<app.Shop> { app.Orders; } app.Holder { (java.lang.Class); }";
    let layout = Layout::new(&language(&[text]), &heap, LayoutOptions::default());
    let pointers = |from: ObjectIdx| {
        heap.references().labelled(from).filter(|&(_, label)| layout.is_pointer(&heap, from, label)).count()
    };
    assert_eq!((pointers(shop), pointers(plain)), (1, 0));
    let [shop, plain, orders] = [shop, plain, orders].map(|object| layout.type_of(&heap, object));
    assert_eq!([shop, plain].map(|of| layout.is_head(of)), [true, false]);
    assert_eq!(layout.branch(shop, orders), Branch::Follow);
    assert_ne!(shop, plain);
    assert_eq!(layout.class_of(shop), layout.class_of(plain));
}

#[test]
fn references_to_the_class_and_the_fields_of_reference_objects_are_no_pointers() {
    let mut sketch = HeapSketch::new();
    let entries = "app.WeakEntry";
    sketch.subclass(entries, "java.lang.ref.Reference");
    let entry = sketch.old(entries);
    let (queue, value) = (sketch.old("app.Queue"), sketch.old("app.Value"));
    let table = sketch.old("app.Value[]");
    sketch.inherited(entry, "java.lang.ref.Reference", "queue", queue);
    sketch.refer(entry, "value", value);
    sketch.element(table, value);
    let heap = sketch.build();
    let layout = Layout::new(&language(&["app.WeakEntry { (*); }"]), &heap, LayoutOptions::default());
    let pointed = |from: ObjectIdx| -> Vec<ObjectIdx> {
        let labelled = heap.references().labelled(from);
        labelled.filter(|&(_, label)| layout.is_pointer(&heap, from, label)).map(|(to, _)| to).collect()
    };
    assert_eq!((pointed(entry), pointed(table)), (vec![value], vec![value]));
    assert!(!layout.is_pointer(&heap, entry, Label::CLASS));
}

#[test]
fn every_shipped_file_is_without_errors_and_describes_no_type_twice() {
    let mut language = Language::new();
    for shipped in crate::structures::shipped::SHIPPED {
        language.add(shipped.descriptions().unwrap_or_else(|complaints| panic!("{complaints:?}")));
    }
    let (heap, _) = heap(&["a.B"]);
    let layout = Layout::new(&language, &heap, LayoutOptions::default());
    assert!(layout.replaced().is_empty(), "{:?}", layout.replaced());
    assert!(layout.files().iter().all(|file| file.is_shipped && file.heads > 0));
}
