//! Which samples lie inside a structure: a traversal along the route of its probe that looks for their tags. Reads
//! references and tags only, at most so many.

use super::samples::FIRST_TAG;
use crate::jvmti::env::Env;
use crate::jvmti::jni::Jni;
use crate::probe::full::{self, Full};
use crate::probe::install::Installed;
use crate::probe::live::LiveReader;
use std::collections::HashSet;

/// What a traversal met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Met {
    /// Tags of samples.
    pub tags: HashSet<i64>,
    /// Whether all of the structure was read.
    pub is_whole: bool,
    /// Objects read.
    pub reads: u32,
}

/// Looks through the structure of a probe; `None` when it is gone, or a class of its route.
pub fn look_through(jni: &Jni, env: &Env, probe: &Installed, budget: u32) -> Option<Met> {
    let owner = jni.upgrade(&probe.owner)?;
    let reader = LiveReader::new(jni, None, &probe.places, &[])?;
    let mut tags = HashSet::new();
    let look = |member: &_| {
        let tag = env.tag(member);
        if tag >= FIRST_TAG {
            tags.insert(tag);
        }
    };
    let (is_whole, reads) = match full::traverse(&reader, &probe.route, owner, budget, look) {
        Full::Counted { reads, .. } => (true, reads),
        Full::OverBudget { reads } => (false, reads),
    };
    Some(Met { tags, is_whole, reads })
}
