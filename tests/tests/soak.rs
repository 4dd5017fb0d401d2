//! A watch over days, scaled down: hundreds of agents that speak the wire come and go, some of them badly. Memory,
//! descriptors, threads, files and log stay within bounds. And the systemd unit for such a watch is sound.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::places;
use e2e::process::{Running, Scratch, wait_for};
use e2e::watching::{GRACE, rootbound};
use rootbound_wire::frame;
use rootbound_wire::message::{FromAgent, GcFinished, GoodbyeReason, Hello};
use rustix::process::Signal;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Ended JVMs in memory reach their bound long before the first measurement.
const FIRST: u32 = 100;
const ALL: u32 = 400;
const KEPT: usize = 5;
/// What the allocator may keep.
const MOST_GROWTH_KB: u64 = 24 * 1024;

/// Held by the analyzer at one moment.
#[derive(Debug)]
struct Held {
    descriptors: usize,
    threads: usize,
    anonymous_kb: u64,
}

fn held(watch: &Running) -> Held {
    let process = format!("/proc/{}", watch.pid().as_raw_nonzero());
    let count = |folder: &str| fs::read_dir(format!("{process}/{folder}")).unwrap().count();
    let status = fs::read_to_string(format!("{process}/status")).unwrap();
    let anonymous = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    Held {
        descriptors: count("fd"),
        threads: count("task"),
        anonymous_kb: anonymous.trim().trim_end_matches(" kB").parse().unwrap(),
    }
}

fn say(stream: &mut UnixStream, message: &FromAgent) {
    // The analyzer may have hung up.
    drop(frame::write(message, stream));
}

/// A JVM that comes, collects once, and goes: with a Goodbye, without one, or with garbage.
fn visit(socket: &Path, pid: u32) {
    let mut stream = UnixStream::connect(socket).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    if pid.is_multiple_of(7) {
        drop(stream.write_all(b"GET / HTTP/1.1\r\n\r\n"));
        return;
    }
    say(
        &mut stream,
        &FromAgent::Hello(Hello {
            pid,
            vm: "OpenJDK 64-Bit Server VM 17.0.15".to_owned(),
            gc: "G1".to_owned(),
            main: format!("com.example.Job{pid}"),
            agent_version: "0.1.0".to_owned(),
            loaded_unix_ms: 0,
            incapable: None,
        }),
    );
    let mut welcome = [0; 1];
    stream.read_exact(&mut welcome).unwrap();
    let (at_ms, used_bytes) = (50, 1 << 20);
    let (committed_bytes, max_bytes) = (1 << 24, 1 << 26);
    say(
        &mut stream,
        &FromAgent::GcFinished(GcFinished { at_ms, collections: 1, used_bytes, committed_bytes, max_bytes }),
    );
    if !pid.is_multiple_of(10) {
        say(&mut stream, &FromAgent::Goodbye { at_ms: 99, reason: GoodbyeReason::VmDeath });
        drop(stream.read_to_end(&mut Vec::new()));
    }
}

fn files(scratch: &Scratch, ending: &str) -> usize {
    let names = fs::read_dir(scratch.folder()).unwrap().flatten().map(|entry| entry.file_name());
    names.filter(|name| name.to_string_lossy().starts_with("r-") && name.to_string_lossy().ends_with(ending)).count()
}

#[test]
fn hundreds_of_jvms_that_come_and_go_leave_nothing_behind_in_a_watch_over_days() {
    let scratch = Scratch::new();
    let socket = scratch.file("analyzer.sock");
    let name = |ending: &str| scratch.file(&format!("r-{{pid}}.{ending}")).display().to_string();
    let mut command = rootbound(["watch", "--plain"]);
    command.env("XDG_RUNTIME_DIR", scratch.folder()).arg("--listen").arg(format!("unix:{}", socket.display()));
    // A file and the environment configure it, as a service.
    command.env("ROOTBOUND_KEEP_LISTENING", "true").env("ROOTBOUND_KEEP_REPORTS", KEPT.to_string());
    fs::write(scratch.file("watch.toml"), format!("[watch]\nrecord = \"{}\"\n", name("rootbound"))).unwrap();
    command.arg("--config").arg(scratch.file("watch.toml")).args(["--json", &name("json")]);
    let watch = scratch.spawn("watch", command);
    assert!(wait_for(Duration::from_secs(20), || socket.exists().then_some(())).is_some(), "{}", watch.stderr());
    (1..=FIRST).for_each(|pid| visit(&socket, pid));
    std::thread::sleep(Duration::from_secs(4));
    let early = held(&watch);
    (FIRST + 1..=ALL).for_each(|pid| visit(&socket, pid));
    let rests = || {
        let now = held(&watch);
        (now.descriptors <= early.descriptors && now.threads <= early.threads).then_some(now)
    };
    let late = wait_for(Duration::from_secs(30), rests);
    let late = late.unwrap_or_else(|| panic!("after {FIRST}: {early:?}, after {ALL}: {:?}", held(&watch)));
    println!("after {FIRST}: {early:?}, after {ALL}: {late:?}, log: {} bytes", watch.stderr().len());
    assert!(late.anonymous_kb <= early.anonymous_kb + MOST_GROWTH_KB, "{early:?}, {late:?}");
    let are_few = || (files(&scratch, "json") == KEPT && files(&scratch, "rootbound") <= KEPT + 1).then_some(());
    let reports = wait_for(Duration::from_secs(20), are_few);
    assert!(reports.is_some(), "{} reports, {} recordings", files(&scratch, "json"), files(&scratch, "rootbound"));
    // A JVM that was watched and broke off has a line of its own.
    let log = watch.stderr();
    let is_of_stranger = |line: &&str| line.contains("WARN") && !line.contains("the connection to the JVM broke");
    let warnings: Vec<&str> = log.lines().filter(is_of_stranger).collect();
    assert!(warnings.len() < 10, "warnings on {} bad peers: {warnings:?}", ALL / 7);
    assert!(watch.stderr().lines().count() < 4 * ALL as usize, "{}", watch.stderr());
    watch.signal(Signal::INT);
    let ended = watch.wait(GRACE);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert!(!socket.exists());
}

const UNIT: &str = "packaging/systemd/rootbound@.service";

#[test]
fn the_unit_for_systemd_sets_options_that_exist() {
    let unit = fs::read_to_string(places::workspace().join(UNIT)).unwrap();
    let variables = unit.lines().filter_map(|line| line.strip_prefix("Environment=ROOTBOUND_")?.split_once('='));
    let variables: Vec<(&str, &str)> = variables.filter(|(name, _)| *name != "CONFIG").collect();
    let scratch = Scratch::new();
    let mut command = rootbound(["config", "watch", "--show", "--config", "none"]);
    command.envs(variables.iter().map(|(name, value)| (format!("ROOTBOUND_{name}"), value)));
    let ended = scratch.spawn("config", command).wait(Duration::from_secs(20));
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert!(variables.len() > 3, "{variables:?}");
    for (name, _) in variables {
        assert!(ended.stdout.contains(&format!("ROOTBOUND_{name}\n")), "{name}: {}", ended.stdout);
    }
}

#[test]
fn the_unit_for_systemd_is_accepted_by_systemd() {
    let scratch = Scratch::new();
    let unit = fs::read_to_string(places::workspace().join(UNIT)).unwrap();
    let program = places::rootbound().display().to_string();
    let file = scratch.file("rootbound@root.service");
    fs::write(&file, unit.replace("/usr/bin/rootbound", &program)).unwrap();
    let verified = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&file).output();
    let Ok(verified) = verified else {
        println!("skipped: there is no systemd-analyze here");
        return;
    };
    let said = String::from_utf8_lossy(&verified.stderr);
    // Units of the system itself may be at fault.
    let ours: Vec<&str> = said.lines().filter(|line| line.contains("rootbound@root.service")).collect();
    assert!(ours.is_empty(), "{said}");
}
