//! Operations of real libraries from Debian's packages: healthy ones are never reported, and leaks are.

#![allow(clippy::expect_used)] // Helpers of tests may panic as tests do.

use super::built::{compiled, jvms, program, run, sections, system_jars};
use e2e::jni_check;
use e2e::places;
use e2e::process::Scratch;
use std::path::PathBuf;
use std::process::Command;

const HEALTHY: [&str; 27] = [
    "jackson-databind",
    "jackson-core",
    "jackson-annotations",
    "caffeine",
    "guava",
    "gson",
    "HikariCP",
    "h2",
    "freemarker",
    "groovy-all",
    "netty-common",
    "netty-buffer",
    "netty-resolver",
    "netty-transport",
    "netty-codec",
    "commons-collections4",
    "lucene-core-4.10.4",
    "lucene-analyzers-common-4.10.4",
    "jetty9-server",
    "jetty9-servlet",
    "jetty9-security",
    "jetty9-http",
    "jetty9-io",
    "jetty9-util",
    "servlet-api",
    "jsoup",
    "slf4j-nop",
];

const LEAKING: [&str; 21] = [
    "netty-common",
    "netty-buffer",
    "netty-resolver",
    "netty-transport",
    "netty-codec",
    "netty-codec-http",
    "netty-handler",
    "jetty9-server",
    "jetty9-servlet",
    "jetty9-security",
    "jetty9-http",
    "jetty9-io",
    "jetty9-util",
    "servlet-api",
    "zookeeper",
    "zookeeper-jute",
    "metrics-core",
    "commons-cli",
    "snappy-java",
    "slf4j-api",
    "slf4j-nop",
];

/// The API has a jar of its own beside each of its implementations.
fn with_logging(names: &[&str]) -> Option<Vec<PathBuf>> {
    system_jars(&[names, &["slf4j-api"]].concat())
}

#[test]
fn healthy_operations_of_real_libraries_are_not_reported() {
    let Some(libraries) = with_logging(&HEALTHY) else { return };
    let scratch = Scratch::new();
    let path = compiled(&scratch, &program("Healthy.java"), &libraries);
    // Some of these libraries need 17, and others are not known to work on later ones.
    for jvm in jvms().iter().filter(|jvm| jvm.version == 17) {
        let ended = run(&scratch, jvm, &path, &[], "Healthy");
        assert_eq!(ended.code(), Some(0), "on {}: {}\n{}", jvm.version, ended.stdout, ended.stderr);
        let healthy = ended.stdout.lines().filter(|line| line.starts_with("healthy ")).count();
        assert!(healthy >= 20, "{}", ended.stdout);
        assert_eq!(jni_check::complaints(&ended.stdout), Vec::<String>::new(), "on {}", jvm.version);
    }
}

#[test]
fn leaks_of_real_libraries_are_found() {
    let Some(libraries) = system_jars(&LEAKING) else { return };
    let scratch = Scratch::new();
    let path = compiled(&scratch, &program("Leaking.java"), &libraries);
    for jvm in jvms().iter().filter(|jvm| jvm.version <= 17) {
        let ended = run(&scratch, jvm, &path, &[], "Leaking");
        let found = sections(&ended.stdout);
        for (name, words) in [
            ("order index", ["District.orders", "Leaking$Order"]),
            ("Netty disk attributes", ["java.io.DeleteOnExitHook", "java.lang.String"]),
            ("Jetty sessions", ["SessionCache", "gains 1 "]),
            ("ZooKeeper watches", ["WatchManager", "gains 1 "]),
        ] {
            let text = found.get(name).unwrap_or_else(|| panic!("{name}: {}\n{}", ended.stdout, ended.stderr));
            assert!(words.iter().all(|word| text.contains(word)), "{name}: {text}");
        }
    }
}

/// Packages of the JDK that Flink looks into.
const OPENED: [&str; 8] = [
    "--add-opens=java.base/java.util=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.time=ALL-UNNAMED",
    "--add-opens=java.base/java.net=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--add-exports=java.base/sun.net.util=ALL-UNNAMED",
    "-Dlog4j2.level=ERROR",
];

#[test]
#[ignore = "fetches 230 MB"]
fn flinks_hooks_for_the_end_of_the_jvm_are_found() {
    let folder = places::workspace().join("tests/java/rounds/flink");
    let mut command = Command::new("sh");
    command.arg(folder.join("class-path.sh")).env("JARS_OUT", places::target().join("e2e/jars"));
    let output = command.output().expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let libraries = String::from_utf8(output.stdout).expect("a path in UTF-8");
    let scratch = Scratch::new();
    let path = compiled(&scratch, &folder.join("Flink.java"), &[PathBuf::from(libraries.trim())]);
    for jvm in jvms().iter().filter(|jvm| jvm.version <= 17) {
        let ended = run(&scratch, jvm, &path, &OPENED, "Flink");
        let found = sections(&ended.stdout);
        let text = found.get("Flink jobs").unwrap_or_else(|| panic!("{}\n{}", ended.stdout, ended.stderr));
        let words = ["ApplicationShutdownHooks.hooks", "gains 1 ", "java.lang.Thread"];
        assert!(words.iter().all(|word| text.contains(word)), "on {}: {text}\n{}", jvm.version, ended.stderr);
        assert_eq!(jni_check::complaints(&ended.stdout), Vec::<String>::new(), "on {}", jvm.version);
    }
}
