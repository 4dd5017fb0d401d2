//! The paper's examples, keywords, and errors with their positions.

use super::*;
use proptest::prelude::*;

/// AntTracks, Figure 5, left.
const PLAIN: &str = "
DS java.util.LinkedList {
  java.util.LinkedList$Node;
}
java.util.LinkedList$Node {
  java.util.LinkedList$Node;
  (*);
}";

/// AntTracks, Listing 1, with its misprint.
const LISTING_1: &str = "namspace java.util {
  HashMap$Node { HashMap$Node; (*); }
  DS HashMap { HashMap$Node[]; }
}
namespace at.jku.anttracks.util {
  DS ApplicationStatistics { java.util.HashMap; }   // HashMap<Thread, MeasurementGroup> and others
  ApplicationStatistics$MeasurementGroup { *; }      // various internal objects, including List<Measurement>
  ApplicationStatistics$Measurement { }
}";

fn read(text: &str) -> Vec<Description> {
    parse("shop.ds", text).unwrap().descriptions
}

/// `head? type { pointed-to types }` of each description.
fn outline(text: &str) -> Vec<String> {
    let name = |each: &PointedTo| {
        let names = each.names().collect::<Vec<_>>().join("|");
        if each.is_leaf { format!("({names})") } else { names }
    };
    let one = |each: &Description| {
        let names: Vec<_> = each.pointed_to.iter().map(name).collect();
        format!("{}{} {{{}}}", if each.is_head { "DS " } else { "" }, each.of, names.join(" "))
    };
    read(text).iter().map(one).collect()
}

fn complaints(text: &str) -> Vec<String> {
    parse("shop.ds", text).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn figure_5_is_read() {
    assert_eq!(
        outline(PLAIN),
        [
            "DS java.util.LinkedList {java.util.LinkedList$Node}",
            "java.util.LinkedList$Node {java.util.LinkedList$Node (*)}"
        ]
    );
}

#[test]
fn names_in_a_namespace_are_tried_with_and_without_it() {
    let text = "namespace java { ns util { DS LinkedList { Linked*$Node; *; (*Node[]); } } } DS x.Y { a.B[][]; }";
    assert_eq!(
        outline(text),
        ["DS java.util.LinkedList {Linked*$Node|java.util.Linked*$Node * (*Node[])}", "DS x.Y {a.B[][]}"]
    );
}

#[test]
fn the_misprint_of_listing_1_is_the_only_error() {
    let expected = "shop.ds:1:1: \"namspace\" is no keyword; did you mean \"namespace\"?";
    assert_eq!(complaints(LISTING_1), [expected]);
    let mended = LISTING_1.replace("namspace", "namespace");
    let heads: Vec<_> = read(&mended).iter().filter(|each| each.is_head).map(|each| each.of.to_string()).collect();
    assert_eq!(heads, ["java.util.HashMap", "at.jku.anttracks.util.ApplicationStatistics"]);
}

#[test]
fn every_keyword_makes_a_head_and_only_before_a_name() {
    for keyword in ["DS", "ds", "DataStructure", "Datastructure", "datastructure", "Head", "head", "datastructure head"]
    {
        assert_eq!(outline(&format!("{keyword} a.B {{}}")), ["DS a.B {}"]);
    }
    assert_eq!(outline("head { (*); } DS head { head; }"), ["head {(*)}", "DS head {head}"]);
    assert_eq!(
        outline("datastructure head {} ns.Names {} namespace {}"),
        ["DS head {}", "ns.Names {}", "namespace {}"]
    );
}

#[test]
fn the_mirror_of_a_class_has_its_own_description() {
    let mirror = Described::Mirror("com.example.Shop".to_owned());
    for text in [
        "DS java.lang.Class<com.example.Shop> {}",
        "namespace com.example { DS java.lang.Class<Shop> {} }",
        "namespace java.lang { DS Class<com.example.Shop> {} }",
    ] {
        assert_eq!(read(text)[0].of, mirror, "{text}");
    }
}

#[test]
fn comments_and_any_letters_are_read() {
    let text = "\u{feff}// first\nDS größe.Straße$1 /* of\n * two lines */ { // last\n}";
    assert_eq!(outline(text), ["DS größe.Straße$1 {}"]);
    assert_eq!(read(text)[0].at, Position { line: 2, column: 4 });
}

#[test]
fn all_errors_are_found_each_at_its_place() {
    let text = "DS a.Map<String> { b.C d.E; (f.G; 1x; }
DS a.* { }
class a.B { x; }
a.C[] { ; (*) }
DS { } }
namespace n { DS a.D { x; ? y; DS e { z; } }";
    assert_eq!(
        complaints(text),
        [
            "shop.ds:1:9: type arguments are erased at run time; only java.lang.Class<…> has one, before \"{\"",
            "shop.ds:1:24: \";\" is missing behind \"b.C\"",
            "shop.ds:1:33: \")\" expected, not \";\"",
            "shop.ds:1:35: \"1x\" is no name: it begins with a digit",
            "shop.ds:2:4: \"a.*\" has a wildcard; only pointed-to types may have one",
            "shop.ds:3:1: \"class\" is no keyword",
            "shop.ds:4:4: an array has no description: its elements are pointed-to types of any kind",
            "shop.ds:4:9: a pointed-to type expected, not \";\"",
            "shop.ds:4:15: \";\" is missing behind \"*\"",
            "shop.ds:5:8: this \"}\" closes nothing",
            "shop.ds:6:13: this \"{\" is never closed",
            "shop.ds:6:27: a pointed-to type expected, not \"?\"",
            "shop.ds:6:35: \";\" is missing behind \"DS\"",
            "shop.ds:6:37: \";\" is missing behind \"e\"",
            "shop.ds:6:37: a description within a description: is a \"}\" missing before it?",
        ]
    );
}

#[test]
fn files_that_break_off_are_refused() {
    for (text, last) in [
        ("DS a.B { x;", "shop.ds:1:8: this \"{\" is never closed"),
        ("DS a.B", "shop.ds:1:7: \"{\" expected, not the end of the file"),
        ("DS a.", "shop.ds:1:6: a name expected, not the end of the file"),
        ("/* a", "shop.ds:1:1: this comment has no end"),
        ("a {} /", "shop.ds:1:6: a description or a namespace expected, not \"/\""),
    ] {
        assert_eq!(complaints(text), [last], "{text}");
    }
}

#[test]
fn deep_nesting_is_only_text() {
    let depth = 100_000;
    let text = format!("{}DS b {{}}{}", "ns a {".repeat(depth), "}".repeat(depth));
    assert_eq!(read(&text)[0].of.class().len(), 2 * depth + 1);
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in ".{0,200}") {
        drop(parse("any", &text));
    }

    #[test]
    fn no_mixture_of_words_and_signs_makes_the_parser_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "DS", "ns", "namespace", "datastructure", "head", "a", "b$C", "*", "1", ".", ";", "(", ")", "{", "}",
                "<", ">", "[", "]", "//", "/*", "*/", "\n", " ", "java.lang.Class<", "é", "?",
            ]),
            0..60,
        )
    ) {
        let text = words.concat();
        if let Err(complaints) = parse("any", &text) {
            prop_assert!(!complaints.is_empty());
            prop_assert!(complaints.windows(2).all(|pair| pair[0].at <= pair[1].at));
        }
        drop(parse("any", &words.join(" ")));
    }
}
