//! T1 by one iteration over the heap: all objects, or a bounded number of them, get a tag that a later capture
//! recognises. Reads no reference and no value.

use super::ages::Ages;
use super::quota::Quota;
use super::tag::{FILLER_CLASS, Tag};
use crate::faults::Panic;
use crate::jvmti::env::Env;
use crate::jvmti::heap::{Next, ObjectVisitor, WalkError};
use crate::jvmti::jni::Jni;
use crate::stop::StopBound;
use rootbound_wire::ids::SnapshotId;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The result of a mark.
#[derive(Clone, Copy, Debug)]
pub struct Marked {
    /// Objects seen.
    pub objects: u64,
    /// Objects that bear a mark now.
    pub marked: u64,
    /// Number of tags that exist now.
    pub standing: u64,
    /// Length of the pause, at most.
    pub pause: Duration,
    /// Whether the time was over before every object was seen: the marks mean nothing.
    pub is_cut: bool,
}

/// The common needs of all iterations.
#[derive(Clone, Copy)]
pub struct Marking<'a> {
    /// The environment of the tags.
    pub env: &'a Env,
    /// The work thread.
    pub jni: &'a Jni,
    /// The snapshot that the marks carry. Objects that an earlier one saw keep their tag, …
    pub snapshot: SnapshotId,
    /// … unless that was an aborted capture.
    pub ages: &'a Ages,
    /// Longest time for which the iteration may pause the program.
    pub stop: StopBound,
    /// The test hook.
    pub panic: Panic,
}

impl Marking<'_> {
    fn is_seen(&self, tag: i64) -> bool {
        self.ages.first_seen(Tag::decode(tag), self.snapshot) != self.snapshot
    }

    fn mark(&self, before: i64, stands_for: u32) -> i64 {
        Tag::standing_for(self.snapshot, stands_for).encode(before)
    }

    /// The number of a class, while its mirror bears it: no snapshot ever sees an object first and names no number.
    fn number(&self, tag: i64) -> Option<usize> {
        let tag = Tag::decode(tag);
        (tag.first_seen == 0 && tag.capture == self.snapshot.0).then_some(tag.id as usize)
    }

    fn numbered(&self, number: usize) -> i64 {
        Tag { id: number as u64, first_seen: 0, capture: self.snapshot.0 }.encode(0)
    }
}

/// Fillers are dead space that a collector dresses up as objects; tagging them is undefined.
fn is_filler(signature: &str) -> bool {
    signature.starts_with("Ljdk/internal/vm/Filler")
}

struct Marker<'a> {
    of: Marking<'a>,
    is_cut: bool,
    objects: u64,
    marked: u64,
}

impl ObjectVisitor for Marker<'_> {
    fn visit(&mut self, class_tag: i64, tag: &Cell<i64>) -> Next {
        self.of.panic.go_off();
        if self.of.stop.is_over() {
            self.is_cut = true;
            return Next::Abort;
        }
        self.objects += 1;
        if class_tag >= 0 {
            let before = tag.get();
            if !self.of.is_seen(before) {
                tag.set(self.of.mark(before, 1));
            }
            self.marked += 1;
        }
        Next::Continue
    }
}

/// Marks every object.
///
/// # Errors
/// When the JVM refuses the iteration, or the visitor panicked.
pub fn mark_all(of: Marking<'_>) -> Result<Marked, WalkError> {
    let env = of.env;
    env.for_each_class(of.jni, |class| {
        if is_filler(&env.class_signature(class)) {
            let _untagged_at_worst = env.set_tag(class, FILLER_CLASS);
        }
    })?;
    let mut marker = Marker { of, is_cut: false, objects: 0, marked: 0 };
    let begun = Instant::now();
    env.iterate_heap(&mut marker)?;
    let (objects, marked, is_cut) = (marker.objects, marker.marked, marker.is_cut);
    Ok(Marked { objects, marked, standing: marked, pause: begun.elapsed(), is_cut })
}

/// A mirror that bears its class's number for the time of the iteration.
struct Mirror {
    before: i64,
    /// Number of objects for which its own mark will stand; 0: it gets none.
    stands_for: u32,
}

struct Sampler<'a> {
    of: Marking<'a>,
    is_cut: bool,
    quota: Quota,
    /// By number; the first belongs to no class.
    mirrors: Vec<Mirror>,
    objects: u64,
    marked: u64,
    standing: u64,
}

impl Sampler<'_> {
    fn choose(&mut self, class_tag: i64, before: i64) -> Option<u32> {
        if self.of.is_seen(before) {
            self.marked += 1;
            return None;
        }
        let chosen = self.quota.choose(self.of.number(class_tag).unwrap_or(0));
        self.marked += u64::from(chosen.is_some());
        chosen
    }
}

impl ObjectVisitor for Sampler<'_> {
    fn visit(&mut self, class_tag: i64, tag: &Cell<i64>) -> Next {
        self.of.panic.go_off();
        if self.of.stop.is_over() {
            self.is_cut = true;
            return Next::Abort;
        }
        self.objects += 1;
        if class_tag < 0 {
            return Next::Continue;
        }
        let before = tag.get();
        match self.of.number(before).filter(|&number| number < self.mirrors.len()) {
            Some(number) => {
                let stands_for = self.choose(class_tag, self.mirrors[number].before).unwrap_or(0);
                self.mirrors[number].stands_for = stands_for;
            }
            None => {
                if let Some(stands_for) = self.choose(class_tag, before) {
                    tag.set(self.of.mark(before, stands_for));
                }
                self.standing += u64::from(tag.get() != 0);
            }
        }
        Next::Continue
    }
}

/// Marks at most `budget` objects that no snapshot saw yet, spread over the classes as [`Quota`] says.
///
/// # Errors
/// When the JVM refuses the iteration, or the visitor panicked.
pub fn mark_some(of: Marking<'_>, budget: u32) -> Result<Marked, WalkError> {
    let mirrors = number_classes(of)?;
    let quota = Quota::new(budget, mirrors.len() as u32 - 1, u64::from(of.snapshot.0));
    let mut sampler = Sampler { of, is_cut: false, quota, mirrors, objects: 0, marked: 0, standing: 0 };
    let begun = Instant::now();
    let iterated = of.env.iterate_heap(&mut sampler);
    let pause = begun.elapsed();
    let standing = sampler.standing + take_numbers_back(of, &sampler.mirrors)?;
    iterated?;
    let Sampler { objects, marked, is_cut, .. } = sampler;
    Ok(Marked { objects, marked, standing, pause, is_cut })
}

fn number_classes(of: Marking<'_>) -> Result<Vec<Mirror>, WalkError> {
    let env = of.env;
    let mut mirrors = vec![Mirror { before: 0, stands_for: 0 }];
    env.for_each_class(of.jni, |class| {
        let before = env.tag(class);
        let is_filler = is_filler(&env.class_signature(class));
        let number = if is_filler { FILLER_CLASS } else { of.numbered(mirrors.len()) };
        if env.set_tag(class, number).is_ok() && !is_filler {
            mirrors.push(Mirror { before, stands_for: 0 });
        }
    })?;
    Ok(mirrors)
}

/// Sets the final tag of each mirror. Returns the number of mirrors with a mark.
fn take_numbers_back(of: Marking<'_>, mirrors: &[Mirror]) -> Result<u64, WalkError> {
    let (env, mut standing) = (of.env, 0);
    env.for_each_class(of.jni, |class| {
        let number = of.number(env.tag(class));
        if let Some(mirror) = number.and_then(|number| mirrors.get(number)) {
            let tag = if mirror.stands_for == 0 { mirror.before } else { of.mark(mirror.before, mirror.stands_for) };
            let _keeps_its_number = env.set_tag(class, tag);
            standing += u64::from(tag != 0);
        }
    })?;
    Ok(standing)
}
