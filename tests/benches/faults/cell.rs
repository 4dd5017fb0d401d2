//! One cell: a program on trial, captured until the number of captures or the time is reached, while its scene
//! disturbs.

use crate::chance::Chance;
use crate::scenes::Disturbance;
use crate::tally::Tally;
use e2e::faults::trial::{RunningJvm, Trial};
use e2e::faults::{children, limits};
use e2e::process::Running;
use rustix::process::Signal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A capture comes as soon as the last one has been analysed.
const AT_ONCE: [&str; 2] = ["--recapture-every", "50ms"];
/// Time that a capture may take, with everything that disturbs it.
const EACH: Duration = Duration::from_millis(2_500);
/// Time that a cell takes in addition.
const BESIDES: Duration = Duration::from_secs(20);
/// Time for which a child may run on when its capture is not read.
const SOON: Duration = Duration::from_secs(12);
/// Time to wait for the next child.
const NEXT_CHILD: Duration = Duration::from_secs(5);
const MB: u64 = 1 << 20;

/// The watching of one cell.
struct Watching<'a> {
    trial: &'a Trial,
    jvm: RunningJvm,
    analyzer: Running,
    analyzers: usize,
    tally: &'a mut Tally,
    chance: Chance,
}

/// Captures the program about `count` times. `when_ready` is called once it has built its heap.
pub fn captured(trial: &Trial, count: usize, disturbance: Disturbance, when_ready: impl FnOnce()) -> Tally {
    let mut tally = Tally::default();
    // A wait that does not end panics; the other cells are watched all the same.
    let watched = catch_unwind(AssertUnwindSafe(|| watch(trial, count, disturbance, when_ready, &mut tally)));
    if let Err(panic) = watched {
        let said = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        tally.hangs.push(said.lines().next().unwrap_or("a wait did not end").to_owned());
    }
    tally.stops_ms.extend(trial.logged_stops_ms());
    tally
}

fn watch(trial: &Trial, count: usize, disturbance: Disturbance, when_ready: impl FnOnce(), tally: &mut Tally) {
    let jvm = trial.start();
    when_ready();
    let analyzer = trial.analyzer("analyzer-0", &AT_ONCE);
    let mut watching = Watching { trial, jvm, analyzer, analyzers: 0, tally, chance: Chance::new(count as u64) };
    let end = Instant::now() + BESIDES + EACH * u32::try_from(count).unwrap_or(u32::MAX);
    let most = Instant::now() + Duration::from_secs(200);
    // The program's own clock ends it, if nothing else does.
    while trial.captures_begun() < count && Instant::now() < end.min(most) {
        watching.disturb(disturbance);
    }
    watching.end(disturbance);
}

impl Watching<'_> {
    fn disturb(&mut self, disturbance: Disturbance) {
        match disturbance {
            Disturbance::None => std::thread::sleep(Duration::from_millis(200)),
            Disturbance::ProgramStopped => self.stop_program(),
            Disturbance::AnalyzerStopped => self.stop_analyzer(),
            Disturbance::AnalyzerKilled => self.kill_analyzer(),
            Disturbance::ChildKilled => self.kill_child(),
            Disturbance::AddressSpace => self.take_address_space(),
        }
    }

    fn stop_program(&mut self) {
        let _ = self.jvm.next_child(&[], NEXT_CHILD);
        // The fork itself is over by then: a pause that includes this delay would count as the agent's.
        std::thread::sleep(Duration::from_millis(200) + self.chance.milliseconds(200));
        self.jvm.process().signal(Signal::STOP);
        std::thread::sleep(self.chance.milliseconds(600));
        self.jvm.process().signal(Signal::CONT);
    }

    fn stop_analyzer(&mut self) {
        std::thread::sleep(self.chance.milliseconds(500));
        self.analyzer.signal(Signal::STOP);
        std::thread::sleep(self.chance.milliseconds(1_500));
        self.analyzer.signal(Signal::CONT);
    }

    fn kill_analyzer(&mut self) {
        let child = self.jvm.next_child(&[], NEXT_CHILD);
        std::thread::sleep(self.chance.milliseconds(300));
        self.analyzer.kill();
        let stays = child.is_some_and(|child| !children::ends(child, SOON));
        self.tally.stayed += usize::from(stays);
        self.next_analyzer();
    }

    fn kill_child(&mut self) {
        if let Some(child) = self.jvm.next_child(&[], NEXT_CHILD) {
            std::thread::sleep(self.chance.milliseconds(200));
            children::signal(child, Signal::KILL);
        }
        // The first one may distrust children by now.
        self.analyzer.kill();
        self.next_analyzer();
    }

    fn next_analyzer(&mut self) {
        self.analyzers += 1;
        self.analyzer = self.trial.analyzer(&format!("analyzer-{}", self.analyzers), &AT_ONCE);
    }

    fn take_address_space(&mut self) {
        const LEFT_MB: [u64; 6] = [2000, 500, 200, 100, 75, 50];
        let left = LEFT_MB[self.chance.below(LEFT_MB.len() as u64) as usize];
        limits::leave_address_space(self.jvm.pid(), left * MB);
        std::thread::sleep(Duration::from_millis(500));
    }

    fn end(self, disturbance: Disturbance) {
        if disturbance == Disturbance::AddressSpace {
            limits::leave_address_space(self.jvm.pid(), 4000 * MB);
        }
        // An analyzer that has just started would wait for a program that has gone.
        self.trial.wait_for_captures(self.trial.captures_begun() + 1, NEXT_CHILD);
        let ended = self.jvm.end();
        self.tally.harm.extend(self.trial.harm(&ended));
        if !self.tally.harm.is_empty() {
            eprintln!("{}\n{}", ended.stdout, ended.stderr);
        }
        let report = self.trial.report_of(&format!("analyzer-{}", self.analyzers), self.analyzer);
        self.tally.add(&report);
    }
}
