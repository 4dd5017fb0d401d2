//! The tags of marks and captures: one environment that exists from the first of them until the owners are held by
//! weak references, and is removed with all its tags. For marks see [`super::marks`], for captures
//! [`super::captures`].

use super::Session;
use super::heads::Heads;
use super::learned::Learned;
use super::order_error::OrderError;
use crate::capture::assigned_ids::AssignedIds;
use crate::identity::{ages::Ages, tag::LAST_SNAPSHOT};
use crate::jvmti::env::Env;
use rootbound_wire::ids::SnapshotId;

/// The tags of the snapshots that exist.
#[derive(Default)]
pub struct Snapshots {
    pub(super) tags: Option<Env>,
    pub(super) standing: u64,
    pub(super) ages: Ages,
    /// The names of the latest capture by address.
    pub(super) assigned: AssignedIds,
    /// The highest number in a tag.
    pub(super) newest: u32,
    /// Snapshots that a tag may call the first that saw its object.
    pub(super) generations: Vec<u32>,
    /// Captures begun since the agent was loaded; only the test hooks ask.
    pub(super) begun: u32,
    /// Heads that later captures find again. They need no tag, and outlast those that stand.
    pub(super) heads: Heads,
    /// Facts that captures have taught.
    pub(super) learned: Learned,
    /// Time for which marks and captures paused the program since [`Snapshots::take_stopped_ms`].
    pub(super) stopped_ms: f64,
    /// Processor time of captures since [`Snapshots::take_worked_ms`].
    pub(super) worked_ms: f64,
}

impl Snapshots {
    /// Number of tags that exist now.
    pub fn standing(&self) -> u64 {
        self.standing
    }

    /// Whether forks leave out what is free.
    pub fn leaves_out(&self) -> bool {
        self.learned.whole_forks.is_none()
    }

    /// Clears every tag; what was learned of the JVM stays.
    pub fn clear(&mut self) {
        *self = Self {
            begun: self.begun,
            stopped_ms: self.stopped_ms,
            worked_ms: self.worked_ms,
            learned: std::mem::take(&mut self.learned),
            heads: std::mem::take(&mut self.heads),
            ..Self::default()
        };
    }

    /// Clears every tag and lets all heads go.
    pub fn clear_all(&mut self) {
        self.clear();
        self.heads.clear();
    }

    /// Milliseconds for which the program was paused since the last call.
    pub fn take_stopped_ms(&mut self) -> f64 {
        std::mem::take(&mut self.stopped_ms)
    }

    /// Milliseconds of processor time that captures took since the last call.
    pub fn take_worked_ms(&mut self) -> f64 {
        std::mem::take(&mut self.worked_ms)
    }

    pub(super) fn open(&mut self, session: &Session, snapshot: SnapshotId) -> Result<(), OrderError> {
        if snapshot.0 == 0 || snapshot.0 > LAST_SNAPSHOT {
            return Err(OrderError::Number(snapshot.0));
        }
        // A number that tags bear already would confuse two snapshots; numbers that rise never come here.
        if snapshot.0 <= self.newest {
            self.clear();
        }
        self.newest = snapshot.0;
        self.generations.push(snapshot.0);
        if self.tags.is_none() {
            self.tags = Some(Env::tagging(session.vm)?);
        }
        Ok(())
    }
}
