//! Phase 1: class loaders that retain more than their share. Each component of an enterprise program has its own. A
//! leaked loader keeps the whole component: classes, static fields, objects.

use super::{Forest, Subject, Suspect, Thresholds, accumulation};
use crate::heap::ObjectIdx;

/// Loaders that every JVM has and that exist as long as it: that of the program itself, and the platform's.
const BUILT_IN: [&str; 5] = [
    "jdk.internal.loader.ClassLoaders$AppClassLoader",
    "jdk.internal.loader.ClassLoaders$PlatformClassLoader",
    "jdk.internal.loader.ClassLoaders$BootClassLoader",
    "sun.misc.Launcher$AppClassLoader",
    "sun.misc.Launcher$ExtClassLoader",
];

/// Every suspected loader with its accumulation point, the largest first.
pub(super) fn suspects(forest: &Forest<'_>, thresholds: &Thresholds) -> Vec<Suspect> {
    let is_suspect = |&loader: &ObjectIdx| {
        let share = forest.share(forest.retained_bytes(loader));
        share > thresholds.suspect_share
    };
    let mut loaders: Vec<ObjectIdx> = all(forest).into_iter().filter(is_suspect).collect();
    loaders.sort_by_key(|&loader| (std::cmp::Reverse(forest.retained_bytes(loader)), loader));
    let suspect = |loader: ObjectIdx| {
        let retained_bytes = forest.retained_bytes(loader);
        let share = forest.share(retained_bytes);
        let accumulation = accumulation::point_below(forest, loader, thresholds);
        let subject = Subject::Loader { loader, is_built_in: is_built_in(forest, loader), accumulation };
        Suspect { subject, retained_bytes, share, severity: thresholds.severity(share) }
    };
    loaders.into_iter().map(suspect).collect()
}

/// The objects that have defined classes.
fn all(forest: &Forest<'_>) -> Vec<ObjectIdx> {
    let mut loaders: Vec<ObjectIdx> = forest.heap().classes().iter().filter_map(|(_, class)| class.loader).collect();
    loaders.sort_unstable();
    loaders.dedup();
    loaders
}

/// The loaders that every JVM has.
pub(super) fn built_in(forest: &Forest<'_>) -> impl Iterator<Item = ObjectIdx> {
    all(forest).into_iter().filter(|&loader| is_built_in(forest, loader))
}

fn is_built_in(forest: &Forest<'_>, loader: ObjectIdx) -> bool {
    let class = forest.heap().classes().get(forest.class_of(loader));
    class.loader.is_none() && BUILT_IN.contains(&class.name.as_str())
}
