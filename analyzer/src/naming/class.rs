//! Names of classes.

/// `java.util.HashMap$Node[]` → `HashMap$Node[]`.
#[must_use]
pub fn simple_name(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, simple)| simple)
}

/// Whether it is the name of a class of arrays.
#[must_use]
pub fn is_array(name: &str) -> bool {
    name.ends_with("[]")
}
