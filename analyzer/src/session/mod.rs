//! The engine between messages and report: receives what the agent tells, answers with commands, knows no input or output.

use crate::view::report::{HeapGrowth, Jvm, Pauses, Report, SCHEMA, Verdict};
use rootbound_wire::message::{FromAgent, ToAgent};
use std::time::Duration;

/// What the user asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// T1 after the agent's start.
    pub mark_after: Option<Duration>,
    /// T2 after T1.
    pub capture_after: Option<Duration>,
    /// Time between two visits.
    pub tick: Option<Duration>,
    /// How long the JVM is watched.
    pub run_for: Option<Duration>,
    /// Fill in the explanations of leak roots.
    pub explain: bool,
    /// Keep soft references as edges.
    pub keep_soft: bool,
}

/// One JVM from its Hello to its Goodbye.
pub struct Session {
    jvm: Option<Jvm>,
    over: bool,
    problems: Vec<String>,
}

impl Session {
    /// Nothing has been seen yet.
    #[must_use]
    pub fn new(_settings: Settings) -> Self {
        Self { jvm: None, over: false, problems: Vec::new() }
    }

    /// Feeds one message of the agent; answers with commands to send, in order.
    pub fn receive(&mut self, message: FromAgent) -> Vec<ToAgent> {
        match message {
            FromAgent::Hello(hello) => {
                self.jvm = Some(Jvm { pid: hello.pid, vm: hello.vm, gc: hello.gc, main: hello.main });
            }
            FromAgent::Goodbye { .. } => self.over = true,
            _ => {}
        }
        Vec::new()
    }

    /// Lets time pass.
    pub fn advance(&mut self, _agent_now_ms: u64) -> Vec<ToAgent> {
        Vec::new()
    }

    /// In replay: a command that the recorded analyzer had sent.
    pub fn recorded_command(&mut self, _command: ToAgent) {}

    /// The analysis of the last capture took this long.
    pub fn note_analysis_time(&mut self, _ms: f64) {}

    /// The JVM or its agent vanished without Goodbye.
    pub fn connection_lost(&mut self) {
        self.problem("the connection to the JVM broke".to_owned());
    }

    /// Something for the report's problems.
    pub fn problem(&mut self, text: String) {
        self.problems.push(text);
    }

    /// Goodbye was seen.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// What is known now.
    #[must_use]
    pub fn report(&self) -> Report {
        Report {
            schema: SCHEMA,
            jvm: self.jvm.clone(),
            duration_s: 0.0,
            status: "waiting".to_owned(),
            snapshots: Vec::new(),
            pauses: Pauses::default(),
            heap: HeapGrowth::default(),
            leak_roots: Vec::new(),
            regions: Vec::new(),
            verdict: Verdict::default(),
            dropped_events: 0,
            problems: self.problems.clone(),
        }
    }
}
