//! Released programs under load, two minutes each: `tests/programs/`, written and judged by people who did not write
//! the tool. Long, and they fetch packages: `cargo test --release -p e2e --test all -- --ignored --test-threads=1
//! programs::`.
#![allow(clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::java::Program;
use e2e::process::Scratch;
use e2e::report::{Region, Report};
use e2e::{places, slots, watching};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const WATCHED_SECONDS: u64 = 120;
/// Tolerance of a rate: most programs pause by sleeping, and their rates vary with the machine.
const TOLERANCE: f64 = 0.3;

/// What a diagnosis must say of one program, its `truth.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Truth {
    /// Arguments of its JVM.
    jvm_args: Vec<String>,
    /// Change-proxies of which no structure may be called a grower.
    must_not_grow: Vec<String>,
    /// Structures that grow; none in a healthy program.
    #[serde(default)]
    grows: Vec<Growing>,
}

/// A structure that grows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Growing {
    /// A field on the way to it.
    place: String,
    /// Accepted classes of the change-proxy.
    members: Vec<String>,
    /// Members gained a minute.
    rate_per_min: f64,
}

impl Growing {
    fn is_about(&self, region: &Region) -> bool {
        let ways = region.path.iter().chain(&region.trace);
        let is_there = ways.chain(&region.owner_proxy.path).any(|way| way.contains(&self.place));
        is_there && region.change_proxy.class.as_ref().is_some_and(|class| self.members.contains(class))
    }

    fn fault(&self, growers: &[&Region]) -> Option<String> {
        let Some(found) = growers.iter().find(|region| self.is_about(region)) else {
            return Some(format!("{} is no grower", self.place));
        };
        let rate = found.rate_per_min.unwrap_or(0.0);
        let is_near = (rate - self.rate_per_min).abs() <= TOLERANCE * self.rate_per_min;
        (!is_near).then(|| format!("{} gains {} a minute, the report says {rate}", self.place, self.rate_per_min))
    }
}

impl Truth {
    fn faults(&self, report: &Report) -> Vec<String> {
        let growers: Vec<&Region> = report.regions.iter().filter(|region| region.grows()).collect();
        let mut faults: Vec<String> = self.grows.iter().filter_map(|each| each.fault(&growers)).collect();
        let blamed = |region: &&&Region| {
            let is_known = self.grows.iter().any(|each| each.is_about(region));
            !is_known && region.change_proxy.class.as_ref().is_some_and(|class| self.must_not_grow.contains(class))
        };
        faults.extend(growers.iter().filter(blamed).map(|region| format!("blamed: {:?}", region.path)));
        let leaking = report.verdict.as_ref().and_then(|verdict| verdict.leaking);
        if leaking != Some(!self.grows.is_empty()) {
            faults.push(format!("the verdict says leaking = {leaking:?}"));
        }
        faults
    }
}

fn is_judged_right(name: &str) {
    let folder = places::workspace().join("tests/programs").join(name);
    let text = fs::read_to_string(folder.join("truth.toml")).expect("the program has its truth");
    let truth: Truth = toml::from_str(&text).expect("the truth can be read");
    let scratch = Scratch::new();
    let class_path = class_path(&folder);
    let classes = compiled(&folder, &class_path, &scratch.folder().join("classes"));
    let program = Program {
        launcher: places::java(),
        classes: PathBuf::from(format!("{}:{class_path}", classes.display())),
        main: "Case".to_owned(),
    };
    let mut jvm_args = truth.jvm_args.clone();
    jvm_args.push(format!("-Dcase.seconds={}", WATCHED_SECONDS + 60));
    jvm_args.push(format!("-Dcase.tmp={}", scratch.folder().display()));
    let _alone = slots::alone();
    let run = watching::run_for(&scratch, WATCHED_SECONDS, &[], &program, &jvm_args);
    let faults = truth.faults(&run.report);
    assert!(faults.is_empty(), "{name}:\n{}\n{}\n{}", faults.join("\n"), run.ended.stdout, run.ended.stderr);
}

/// Fetches what the program needs.
fn class_path(folder: &Path) -> String {
    let mut command = Command::new("sh");
    command.arg(folder.join("class-path.sh")).env("JARS_OUT", places::target().join("e2e/jars"));
    let output = command.output().expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a path in UTF-8").trim().to_owned()
}

fn compiled(folder: &Path, class_path: &str, classes: &Path) -> PathBuf {
    let mut command = Command::new(places::javac());
    command.args(["--release", "11", "-nowarn", "-cp", class_path, "-d"]).arg(classes).arg(folder.join("Case.java"));
    let output = command.output().expect("scripts/setup installs a JDK");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    classes.to_owned()
}

macro_rules! programs {
    ($($sentence:ident: $folder:literal,)*) => {
        $(#[test]
        #[ignore = "two minutes of a released program, with packages that are fetched"]
        fn $sentence() {
            is_judged_right($folder);
        })*

        /// Folders that have a test.
        const TESTED: &[&str] = &[$($folder),*];
    };
}

programs! {
    spark_is_healthy_with_twenty_million_objects: "spark-cached-rows",
    spark_keeps_what_was_cached_and_never_dropped: "spark-cache-kept",
    h2_keeps_connections_that_nobody_closes: "h2-connections",
    a_late_map_leaks_beside_a_database_of_seventeen_million_objects: "h2-late-map",
    the_closure_compiler_is_healthy: "closure-compiler",
    groovy_keeps_a_class_for_each_text: "groovy-scripts",
    quartz_keeps_listeners_of_jobs_that_are_done: "quartz-listeners",
    hibernate_keeps_statistics_of_each_query: "hibernate-statistics",
    saxon_and_xerces_keep_names: "saxon-names",
    h2o_keeps_frames_that_nobody_removes: "h2o-frames",
}

#[test]
fn every_program_has_a_test_and_a_readable_truth() {
    for entry in places::workspace().join("tests/programs").read_dir().expect("programs") {
        let path = entry.expect("an entry").path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_dir()) else { continue };
        assert!(TESTED.contains(&name), "{name} has no test");
        let text = fs::read_to_string(path.join("truth.toml")).expect("the program has its truth");
        toml::from_str::<Truth>(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
