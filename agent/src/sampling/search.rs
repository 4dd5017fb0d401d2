//! Finds the samples inside a structure: a traversal along the route of its probe that looks for their tags. Reads
//! references and tags only, up to a bound.

use super::samples::FIRST_TAG;
use crate::jvmti::env::Env;
use crate::jvmti::jni::Jni;
use crate::probe::full::marked;
use crate::probe::reading::live::LiveReader;
use crate::probe::route::traversal::{self, Full};
use crate::probe::schedule::install::Installed;
use rootbound_wire::message::MOST_TANGLED_READS;
use std::collections::HashSet;

/// References in addition to those of the traversal.
const FEW: usize = 64;

/// The result of a traversal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Met {
    /// Tags of samples.
    pub tags: HashSet<i64>,
    /// Whether all of the structure was read.
    pub is_whole: bool,
    /// Objects read.
    pub reads: u32,
}

/// Searches the structure of a probe; `None` when it is gone, or a class of its route. The samples' tags are in `env`;
/// objects reachable by several paths are marked in `entered` meanwhile.
pub fn look_through(jni: &Jni, (env, entered): (&Env, Option<&Env>), probe: &Installed, budget: u32) -> Option<Met> {
    let owner = jni.upgrade(&probe.owner)?;
    let reader = LiveReader::new(jni, None, &probe.places, &[])?.entering_by(entered);
    let mut tags = HashSet::new();
    let look = |member: &_| {
        let tag = env.tag(member);
        if tag >= FIRST_TAG {
            tags.insert(tag);
        }
    };
    let all = if probe.is_tangled() {
        let budget = budget.min(MOST_TANGLED_READS);
        jni.frame(budget as usize + FEW, || marked::traverse(&reader, &probe.route, owner, budget, look))??
    } else {
        traversal::traverse(&reader, &probe.route, owner, budget, look)
    };
    let (is_whole, reads) = match all {
        Full::Counted { reads, .. } => (true, reads),
        Full::OverBudget { reads } => (false, reads),
    };
    Some(Met { tags, is_whole, reads })
}
