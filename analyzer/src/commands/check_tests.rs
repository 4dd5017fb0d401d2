//! Exit statuses, and the files of a check.

use super::*;
use crate::args::Shared;
use crate::commands::diagnostics::Loudness;
use rootbound::gate::Condition;
use rootbound::session::{Session, Settings};
use std::fs;

fn args(conditions: &[Condition]) -> GateArgs {
    GateArgs { fail_on: conditions.to_vec(), annotations: Annotations::None, ..GateArgs::default() }
}

fn output() -> Output {
    let shared = Shared::default();
    Output::prepare(&shared, Loudness { quiet: true, ..Loudness::default() }).unwrap()
}

#[test]
fn a_run_that_judged_nothing_is_not_green() {
    let [success, failure] = [ExitCode::SUCCESS, ExitCode::FAILURE];
    let unjudged = Session::new(Settings::default()).report();
    let status = |conditions: &[Condition], otherwise| {
        let mut check = Check::prepare(&args(conditions)).unwrap();
        check.add(&unjudged, None);
        check.conclude(&output(), otherwise).unwrap()
    };
    assert_eq!(status(&[Condition::Grower], success), ExitCode::from(UNJUDGED));
    assert_eq!(status(&[Condition::Grower], failure), failure, "the program's own failure says more");
    assert_eq!(status(&[], success), success);
    let without_jvm = |conditions: &[Condition]| Check::prepare(&args(conditions)).unwrap().status_without_jvm();
    assert_eq!((without_jvm(&[Condition::Grower]), without_jvm(&[])), (ExitCode::from(UNJUDGED), failure));
}

#[test]
fn files_are_checked_before_the_start_and_written_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| Some(folder.path().join(name));
    for bad in [
        GateArgs { sarif: path("missing/a.sarif"), ..args(&[]) },
        GateArgs { junit: path(""), ..args(&[]) },
        GateArgs { junit: Some("-".into()), ..args(&[]) },
        GateArgs { known: path("missing.toml"), ..args(&[]) },
        GateArgs { source_root: vec![folder.path().join("missing")], ..args(&[]) },
    ] {
        assert!(Check::prepare(&bad).is_err(), "{bad:?}");
    }
    let good = GateArgs { sarif: path("a.sarif"), junit: path("a.xml"), ..args(&[Condition::Grower]) };
    let mut check = Check::prepare(&good).unwrap();
    check.add(&Session::new(Settings::default()).report(), None);
    check.conclude(&output(), ExitCode::SUCCESS).unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("a.sarif").contains("\"2.1.0\"") && read("a.xml").contains("nothing was judged"));
}

#[test]
fn a_bad_file_of_known_leaks_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let known = folder.path().join("known-leaks.toml");
    fs::write(&known, "[[known]]\nfingerprint = \"1d82c94f9eff2a82\"\nreasom = \"x\"\n").unwrap();
    let error = Check::prepare(&GateArgs { known: Some(known), ..args(&[]) }).err().unwrap();
    let text = format!("{error:#}");
    assert!(text.contains("known-leaks.toml") && text.contains("line 3, column 1"), "{text}");
}
