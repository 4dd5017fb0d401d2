//! The JDK's collections: their package and their names. Ranking, regions and probes judge a structure by its shape.
//! Only its name, and its place in a text for people, has the map instead of its table.

use super::class::{is_array, simple_name};
use super::named::named;

/// Their package. The class loaders of programs may define no class in it, so the name alone identifies a class of the
/// JDK.
const PACKAGE: &str = "java.util.";
/// Ends of the names of collections. The package has many other classes: executors and their workers, timers,
/// formatters.
const KINDS: [&str; 12] = [
    "Map",
    "Set",
    "List",
    "Deque",
    "Queue",
    "Vector",
    "Stack",
    "Hashtable",
    "Dictionary",
    "Properties",
    "Collection",
    "Collections",
];

/// Whether a field that this class declares is internal to a collection: objects behind it are the collection's
/// structure.
#[must_use]
pub fn is_internal(declared_by: &str) -> bool {
    let is_collection = |part: &str| KINDS.iter().any(|kind| part.ends_with(kind));
    declared_by.starts_with(PACKAGE) && simple_name(declared_by).split('$').any(is_collection)
}

/// Whether the JDK's core declares the field: its own objects outside of collections (threads, references) have
/// different fields in every release.
#[must_use]
pub fn is_of_the_jdk(declared_by: &str) -> bool {
    declared_by.starts_with("java.")
}

/// Whether an object of this class is a part of the collection that holds it: arrays, and the nested classes of nodes
/// and wrappers.
#[must_use]
pub fn is_part(class: &str) -> bool {
    is_array(class) || class.contains('$') && is_internal(class)
}

named! {
    /// Word for the contents of a collection.
    pub enum Members {
        /// Values of a map.
        Values = "values",
        /// Keys of a map.
        Keys = "keys",
        /// New objects in a map that itself becomes larger.
        Entries = "entries",
        /// Elements of any other collection.
        Elements = "elements",
    }
}

/// Contents behind the last field within a collection that begins with a field of this class.
#[must_use]
pub fn members(class: &str, field: Option<&str>, is_itself_growing: bool) -> Members {
    let is_map = ["Map", "Hashtable", "Properties"].iter().any(|ending| class.ends_with(ending));
    match field {
        _ if !is_map => Members::Elements,
        _ if is_itself_growing => Members::Entries,
        Some("key") => Members::Keys,
        _ => Members::Values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_all_that_lives_beside_collections_is_one() {
        let own = ["java.util.HashMap$Node", "java.util.concurrent.LinkedBlockingQueue", "java.util.Arrays$ArrayList"];
        assert!(own.iter().all(|class| is_internal(class)));
        let other = ["java.util.concurrent.ThreadPoolExecutor$Worker", "java.util.Timer", "shop.OrderMap"];
        assert!(!other.iter().any(|class| is_internal(class) || is_part(class)));
    }
}
