//! What presentation knows of the JDK's collections: the package they live in. All else of this project judges a
//! structure by its shape; a person who reads where it is wants the map named, and not its table.

/// Their package. The class loaders of programs may define no class in it, so the name alone says whose a class is.
const PACKAGE: &str = "java.util.";

/// Whether a field that this class declares is a collection's own: what hangs from it is how the collection is built.
pub fn is_internal(declared_by: &str) -> bool {
    declared_by.starts_with(PACKAGE)
}

/// Whether the JDK's core declares the field: of its own objects outside of collections (threads, references) the fields
/// are others in every release.
pub fn is_of_the_jdk(declared_by: &str) -> bool {
    declared_by.starts_with("java.")
}

/// Whether an object of this class is a part of the collection that holds it: arrays, and the nested classes of which
/// nodes and wrappers are.
pub fn is_part(class: &str) -> bool {
    class.ends_with("[]") || class.starts_with(PACKAGE) && class.contains('$')
}

/// What a collection holds, as people say: the values of a map, the elements of anything else. A map that itself becomes
/// larger gets new entries.
pub fn members(class: &str, field: Option<&str>, is_itself_growing: bool) -> &'static str {
    let is_map = ["Map", "Hashtable", "Properties"].iter().any(|ending| class.ends_with(ending));
    match field {
        _ if !is_map => "elements",
        _ if is_itself_growing => "entries",
        Some("key") => "keys",
        _ => "values",
    }
}
