//! All JVMs of a run: those that are accepted or refused, those that are watched or have ended, and those that are
//! removed.

use crate::args::{LiveArgs, Shared};
use crate::commands::follower::{Follower, JvmEnding, StopRequest};
use crate::commands::member::Member;
use crate::commands::naming::Naming;
use crate::commands::recordings::Recordings;
use crate::commands::rotation::{Files, Rotation};
use crate::commands::sparse::Sparse;
use crate::commands::turns::{Turn, Turns};
use crate::commands::watched_jvm::WatchedJvm;
use rootbound::ingest::handshake::{Candidate, HandshakeError};
use rootbound::ingest::live::IntakeMemory;
use rootbound::report::Report;
use rootbound::session::{GrowthSettings, Session, Settings};
use rootbound::view::several::{Seen, Tally};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum of ended JVMs on the screen and in memory: those that matter most.
const MAX_ENDED: usize = 32;

/// Maximum of problems that are kept while there is no JVM.
const MAX_NOTES: usize = 50;

/// Settings for the watching of JVMs.
pub(crate) struct Plan {
    pub(crate) settings: Settings,
    /// Duration for each JVM from its connection.
    pub(crate) run_for: Option<Duration>,
    /// Maximum of JVMs that are watched at the same time.
    pub(crate) max_jvms: usize,
    /// Whether one program started all of them. Start scripts often run `java -version` first. So a JVM that ended
    /// before it was captured is removed when another one connects, and reports are named at the end, the most
    /// important first.
    pub(crate) of_one_program: bool,
}

impl Plan {
    /// The plan for these options of the command line.
    pub(crate) fn of(live: &LiveArgs, shared: &Shared, growth: Option<GrowthSettings>, of_one_program: bool) -> Self {
        Self {
            settings: Settings { growth, ..live.settings(shared) },
            run_for: live.run_for,
            max_jvms: live.max_jvms as usize,
            of_one_program,
        }
    }
}

/// The JVMs.
pub(crate) struct Fleet {
    plan: Plan,
    /// Names of the JSON reports.
    reports: Option<Naming>,
    recordings: Option<Recordings>,
    /// The files of ended JVMs, where not all are kept.
    rotation: Option<Rotation>,
    memory: IntakeMemory,
    turns: Arc<Turns>,
    members: Vec<Member>,
    /// The number of the next JVM; each number is used once.
    next_number: u32,
    ended: usize,
    refused: usize,
    /// Reason why no JVM is accepted any more.
    closed: Option<&'static str>,
    /// Problems that occurred while there was no JVM whose report could have them.
    notes: Vec<String>,
    /// Peers that are turned away again and again do not fill the log.
    warnings: Sparse,
}

impl Fleet {
    /// Creates a fleet without JVMs.
    pub(crate) fn new(plan: Plan, reports: Option<Naming>, recordings: Option<Recordings>) -> Self {
        Self {
            plan,
            reports,
            recordings,
            rotation: None,
            memory: IntakeMemory::default(),
            turns: Arc::default(),
            members: Vec::new(),
            next_number: 1,
            ended: 0,
            refused: 0,
            closed: None,
            notes: Vec::new(),
            warnings: Sparse::default(),
        }
    }

    /// Keeps the files of the last `limit` JVMs that have ended.
    #[must_use]
    pub(crate) fn keeping(mut self, limit: Option<u32>) -> Self {
        let recordings = self.recordings.as_mut().map(Recordings::naming);
        self.rotation = limit.map(|limit| Rotation::keeping(limit as usize, self.reports.as_mut(), recordings));
        self
    }

    /// Takes in the files of JVMs whose reports have been delivered, and removes older ones.
    pub(crate) fn rotate(&mut self, delivered: Vec<Files>) {
        let Some(rotation) = &mut self.rotation else { return };
        for removed in delivered.into_iter().flat_map(|files| rotation.keep(files)) {
            if let Some((naming, name)) = self.reports.as_mut().zip(removed.report) {
                naming.free(&name);
            }
            if let Some((recordings, name)) = self.recordings.as_mut().zip(removed.recording) {
                recordings.naming().free(&name);
            }
        }
    }

    /// All JVMs that have not been removed, in the order of their connection.
    pub(crate) fn members(&self) -> &[Member] {
        &self.members
    }

    /// JVMs that are watched now.
    pub(crate) fn live(&self) -> usize {
        self.members.iter().filter(|member| member.is_live()).count()
    }

    /// Whether no JVM has connected so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Whether a JVM whose connection has just broken may be on its way back.
    pub(crate) fn expects_return(&self) -> bool {
        self.members.iter().any(Member::may_return)
    }

    /// Keeps a problem for the report of a run without a JVM.
    pub(crate) fn note(&mut self, text: String) {
        self.warnings.warn(&text);
        if self.notes.len() < MAX_NOTES && !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// Records a peer that failed before it identified itself: no JVM's report has this problem.
    pub(crate) fn rejected(&mut self, error: &HandshakeError) {
        let text = error.to_string();
        if self.is_empty() { self.note(text) } else { self.warnings.warn(&text) }
    }

    /// Refuses all JVMs from now on.
    pub(crate) fn close(&mut self, reason: &'static str) {
        self.closed = Some(reason);
    }

    /// Takes in the published reports of the followers.
    pub(crate) fn refresh(&mut self) {
        for member in &mut self.members {
            if member.is_live() {
                member.published = member.follower.published();
                self.ended += usize::from(!member.is_live());
            }
        }
        self.evict_least();
    }

    /// Accepts an agent, or refuses it with the reason.
    pub(crate) fn admit(&mut self, candidate: Candidate) {
        let pid = candidate.hello().pid;
        self.refresh();
        if let Some(reason) = self.refusal_reason() {
            self.warnings.warn(&format!("process {pid} was sent away: {reason}"));
            self.refused += 1;
            candidate.refuse(&reason);
        } else if let Err(error) = self.welcome(candidate) {
            self.rejected(&error);
        }
    }

    fn refusal_reason(&self) -> Option<String> {
        let limit = self.plan.max_jvms;
        let is_full = self.live() >= limit;
        let full = || format!("rootbound watches {limit} JVMs already, as many as --max-jvms allows");
        self.closed.map(str::to_owned).or_else(|| is_full.then(full))
    }

    fn welcome(&mut self, candidate: Candidate) -> Result<(), HandshakeError> {
        let link = candidate.welcome(&self.memory)?;
        let hello = link.hello();
        let pid = hello.pid;
        let returns = |member: &Member| member.may_return() && member.is_about(hello);
        let any = self.plan.of_one_program;
        self.forget(|member| any || returns(member));
        let begun = self.recordings.as_mut().map(|recordings| recordings.begin(pid)).transpose();
        let (begun, problem) = begun.map_or_else(|problem| (None, Some(problem)), |begun| (begun, None));
        let (writer, recording) = begun.map(|begun| (begun.writer, begun.path)).unzip();
        let number = self.next_number;
        let mut jvm = WatchedJvm::new(link, self.plan.settings.clone(), writer, Turn::of(number, &self.turns));
        problem.into_iter().for_each(|problem| jvm.problem(problem.to_string()));
        let follower = Follower::start(jvm, self.plan.run_for)?;
        let published = follower.published();
        let json = self.reports.as_mut().filter(|_| !any).map(|reports| reports.next(pid));
        let (met, is_delivered) = (Instant::now(), false);
        self.members.push(Member { number, pid, met, published, json, is_delivered, follower, recording });
        self.next_number += 1;
        Ok(())
    }

    /// Removes JVMs that ended before they were captured: they are of no interest if there is another.
    fn forget(&mut self, is_superseded: impl Fn(&Member) -> bool) {
        for forgotten in self.members.extract_if(.., |member| member.says_nothing() && is_superseded(member)) {
            tracing::info!("process {} ended before it was captured", forgotten.pid);
            self.ended -= 1;
            if let Some((reports, name)) = self.reports.as_mut().zip(forgotten.json) {
                reports.free(&name);
            }
            if let Some((recordings, path)) = self.recordings.as_mut().zip(forgotten.recording) {
                recordings.discard(&path);
            }
        }
    }

    /// Keeps the number of ended JVMs within bounds.
    fn evict_least(&mut self) {
        while self.members.len() - self.live() > MAX_ENDED {
            let ended = self.members.iter().enumerate().filter(|(_, member)| !member.is_live());
            let Some((least, _)) = ended.min_by_key(|(_, member)| (!member.is_delivered, member.weight())) else {
                return;
            };
            let forgotten = self.members.remove(least);
            if !forgotten.is_delivered {
                tracing::warn!("the report of process {} is dropped: too many JVMs have ended", forgotten.pid);
            }
        }
    }

    /// Sends the stop request to all followers.
    pub(crate) fn dismiss(&self, stop_request: &StopRequest) {
        self.members.iter().for_each(|member| member.follower.dismiss(stop_request.clone()));
    }

    /// Sets the last status of JVMs that do not answer any more, and of those that have just ended with their program.
    pub(crate) fn conclude(&mut self, stop_request: &StopRequest, just: Duration) {
        let Some(status) = &stop_request.status else { return };
        for member in &mut self.members {
            let ending = member.published.ending;
            let has_just_gone = matches!(ending, Some((JvmEnding::Gone | JvmEnding::Lost, at)) if at.elapsed() <= just);
            if member.is_live() || (has_just_gone && !stop_request.detach) {
                Arc::make_mut(&mut member.published.report).status.clone_from(status);
            }
        }
    }

    /// JVMs that have ended for good and whose report has not been delivered yet.
    pub(crate) fn undelivered(&mut self) -> impl Iterator<Item = &mut Member> {
        self.members.iter_mut().filter(|member| !member.is_live() && !member.is_delivered && !member.may_return())
    }

    /// Puts the JVM that matters most first, and names reports and recordings in this order. For the end, when no JVM
    /// is watched any more.
    pub(crate) fn rank(&mut self) {
        if self.members.iter().any(|member| member.weight().0) {
            self.forget(|_| true);
        }
        self.members.sort_by_key(|member| std::cmp::Reverse(member.weight()));
        for member in &mut self.members {
            member.json = self.reports.as_mut().map(|reports| reports.next(member.pid));
        }
        let best = self.members.first().and_then(|best| best.recording.clone());
        if let Some((recordings, best)) = self.recordings.as_mut().zip(best) {
            let bears_name = |member: &&Member| member.recording.as_deref() == Some(recordings.asked());
            let bearer = self.members.iter().find(bears_name).map(|member| member.pid);
            recordings.promote(&best, bearer);
        }
    }

    /// The JVMs as the screen shows them.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        let seen = |member: &Member| Seen {
            number: member.number,
            is_over: !member.is_live(),
            report: Arc::clone(&member.published.report),
        };
        self.members.iter().map(seen).collect()
    }

    /// Numbers of JVMs, present and past.
    pub(crate) fn tally(&self) -> Tally {
        Tally { watched: self.live(), ended: self.ended, refused: self.refused }
    }

    /// The report of a run without a JVM.
    pub(crate) fn empty_report(&self) -> Report {
        let mut session = Session::new(self.plan.settings.clone());
        self.notes.iter().for_each(|note| session.problem(note.clone()));
        session.report()
    }
}

#[cfg(test)]
#[path = "fleet_tests.rs"]
mod tests;
