//! Heads of data structures that the analyzer wants to find again: weak handles by number, without a tag. They keep
//! nothing alive. While they are resolved, for the moment of a capture, they do.

use crate::jvmti::jni::{Jni, Local, Weak};
use rootbound_wire::message::MOST_HEADS;
use std::collections::BTreeMap;

/// The handles of one connection, at most [`MOST_HEADS`].
#[derive(Default)]
pub struct HeldHeads {
    held: BTreeMap<u32, Weak>,
}

/// Handles that were resolved.
#[derive(Default)]
pub struct Resolved<'j> {
    /// Numbers of the heads that live, ascending.
    pub live: Vec<u32>,
    /// Numbers of those that have been collected, ascending.
    pub dead: Vec<u32>,
    /// Those that live, in the order of their numbers; empty when they have been let go.
    pub objects: Vec<Local<'j>>,
}

impl HeldHeads {
    /// Lets all go but those to keep.
    pub fn retain(&mut self, keep: &[u32]) {
        let keep: std::collections::BTreeSet<u32> = keep.iter().copied().collect();
        self.held.retain(|number, _| keep.contains(number));
    }

    /// Holds one more object. Returns whether it is held: not if the number is taken, or nothing more can be.
    pub fn hold(&mut self, jni: &Jni, number: u32, object: &Local<'_>) -> bool {
        if self.held.len() >= MOST_HEADS || self.held.contains_key(&number) {
            return false;
        }
        let weak = jni.weaken(object);
        let is_held = weak.is_some();
        self.held.extend(weak.map(|weak| (number, weak)));
        is_held
    }

    /// Number of handles.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Resolves all.
    pub fn resolve<'j>(&self, jni: &'j Jni) -> Resolved<'j> {
        let mut resolved = Resolved::default();
        for (&number, weak) in &self.held {
            match jni.upgrade(weak) {
                Some(object) => {
                    resolved.live.push(number);
                    resolved.objects.push(object);
                }
                None => resolved.dead.push(number),
            }
        }
        resolved
    }

    /// Drops the handles of heads that have been collected.
    pub fn forget(&mut self, dead: &[u32]) {
        dead.iter().for_each(|number| drop(self.held.remove(number)));
    }
}
