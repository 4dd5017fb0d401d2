//! Names are read as the original values, and ambiguous ones as their text.

use super::*;

/// The value whose JSON is this text.
fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(serde_json::json!(text)).map_err(|error| error.to_string())
}

fn as_read(text: &str) -> PathStep {
    PathStep::AsRead(text.to_owned())
}

fn start(kind: Kind, class: &str, thread: &str) -> PathStep {
    PathStep::Start(Start { kind, class: class.to_owned(), thread: thread.to_owned() })
}

fn step(reference: Reference, class: &str, times: usize) -> PathStep {
    PathStep::Step(Step { reference, class: class.to_owned(), times })
}

fn local(method: Option<&str>, thread: Option<&str>) -> PathStep {
    PathStep::Root(GcRoot::Local { method: method.map(str::to_owned), thread: thread.map(str::to_owned) })
}

#[test]
fn elements_of_ways_are_read_as_what_they_were() {
    let field = |name: &str| Reference::Field(name.to_owned());
    let roots = [GcRoot::Class, GcRoot::Thread, GcRoot::JniGlobal, GcRoot::Monitor, GcRoot::Other];
    let others = [
        local(None, None),
        local(Some("com.example.Shop.main"), None),
        local(None, Some("main")),
        local(Some("com.example.Shop.lambda$0"), Some("a \": \" (thread \"x\")")),
        start(Kind::Class, "com.example.Shop", ""),
        start(Kind::Object, "java.lang.Object[]", ""),
        start(Kind::Thread, "java.lang.Thread", "pool-1 \": worker ×7"),
        start(Kind::Thread, "java.lang.Thread", ""),
        step(field("orders"), "java.util.Vector", 1),
        step(field("next"), "com.example.Node", 35),
        step(field("next"), "com.example.Node", 0),
        step(Reference::Element, "shop.Main$$Lambda/0x7f4c", 2),
        step(Reference::Slot(17), "byte[]", 1),
        step(Reference::Loader, "java.lang.ClassLoader", 1),
    ];
    for written in roots.into_iter().map(PathStep::Root).chain(others) {
        assert_eq!(read::<PathStep>(&written.to_string()), Ok(written));
    }
}

#[test]
fn what_may_be_several_things_is_kept_as_its_text() {
    let texts = [
        "system class loader",
        ".a: b: c",
        ".a b: c",
        ".a: c ×x",
        ".a: c ×07",
        ".a: c ×1",
        "[017]: c",
        "..a: c",
        "thread \"main\"",
        "local variable of a b",
        "local variables",
        "class ",
    ];
    for text in texts {
        assert_eq!(read(text), Ok(as_read(text)));
    }
}

#[test]
fn a_place_is_kept_as_its_text() {
    let place: Place = read("static com.example.Shop.first.next×3").unwrap();
    assert_eq!(place, Place::at(Origin::AsRead("static com.example.Shop.first.next×3".to_owned())));
    assert_eq!(place.to_string(), "static com.example.Shop.first.next×3");
}

#[test]
fn a_fingerprint_has_sixteen_digits() {
    let written = Fingerprint(0x0bad_cafe);
    assert_eq!(read::<Fingerprint>(&written.to_string()), Ok(written));
    for wrong in ["", "badcafe", "+00000000badcafe", "000000000BADCAFE", "000000000badcafe0"] {
        assert!(read::<Fingerprint>(wrong).unwrap_err().contains("16 hexadecimal digits"), "{wrong}");
    }
}

#[test]
fn an_unknown_name_is_answered_by_those_that_there_are() {
    assert_eq!(read("class loader"), Ok(Kind::ClassLoader));
    let error = read::<Kind>("loader").unwrap_err();
    assert_eq!(error, "unknown variant `loader`, expected one of `object`, `class`, `thread`, `class loader`");
    assert!(Kind::NAMES.iter().all(|name| Kind::named(name).is_some_and(|kind| kind.name() == *name)));
}
