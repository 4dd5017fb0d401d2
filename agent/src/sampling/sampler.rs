//! Allocation sampling as the work thread uses it: at most one window, closed in every case.

use super::owner::Owner;
use super::sampling_error::SamplingError;
use super::window::Window;
use crate::jvmti::jni::Jni;
use crate::probe::schedule::tracker::Tracker;
use rootbound_wire::message::{AllocationSites, SamplingOrder};
use std::time::Instant;

/// The window, if one is open.
#[derive(Default)]
pub struct Sampler {
    window: Option<Window>,
}

impl Sampler {
    /// Begins a window, or goes on with another order; answers when it cannot.
    pub fn order(
        &mut self,
        owner: &'static dyn Owner,
        jni: &Jni,
        tracker: &Tracker,
        order: &SamplingOrder,
    ) -> Option<AllocationSites> {
        if self.window.is_none() {
            match Window::open(owner) {
                Ok(window) => self.window = Some(window),
                Err(error) => return Some(refused(owner, error)),
            }
        }
        let window = self.window.as_mut()?;
        window.follow(jni, tracker, order);
        None
    }

    /// The time of the next thing to do.
    pub fn due(&self) -> Option<Instant> {
        self.window.as_ref().map(Window::due)
    }

    /// Does what is due; returns the sites when it was time to look for them.
    pub fn turn(&mut self, jni: &Jni, tracker: &Tracker, now: Instant) -> Option<AllocationSites> {
        let window = self.window.as_mut().filter(|window| window.due() <= now)?;
        let found = window.turn(jni, tracker, now);
        if window.is_over(now) {
            self.clear();
        }
        found
    }

    /// Number of tags that exist.
    pub fn tags(&self) -> u64 {
        self.window.as_ref().map_or(0, Window::tags) as u64
    }

    /// Ends the window immediately: nothing of it remains.
    pub fn clear(&mut self) {
        self.window = None;
    }
}

fn refused(owner: &dyn Owner, error: SamplingError) -> AllocationSites {
    let (at_ms, refusal) = (owner.at_ms(), Some(error.to_string()));
    AllocationSites { at_ms, is_over: true, refusal, ..AllocationSites::default() }
}
