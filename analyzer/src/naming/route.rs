//! The path from a GC root to a new object, hop by hop, with the class that declares each field. The name of a
//! structure and a trace for people are made of it.

use super::class::without_hidden_suffix;
use super::{Origin, Reference};

/// One reference of the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The reference.
    pub reference: Reference,
    /// The class that declares the field; empty for elements, and where no field is known.
    pub declared_by: String,
    /// Class of the object to which it leads.
    pub class: String,
}

impl Hop {
    /// A reference by a field; `declared_by` is empty where the class is not known.
    #[must_use]
    pub fn new(reference: Reference, declared_by: &str, class: &str) -> Self {
        Self { reference, declared_by: without_hidden_suffix(declared_by), class: without_hidden_suffix(class) }
    }

    /// The word for the reference; `None` for an element of an array.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.reference.name()
    }
}

/// The path from the last static, or otherwise from the GC root, to one of the new objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Its beginning.
    pub origin: Origin,
    /// The references.
    pub hops: Vec<Hop>,
    /// Number of references that lead to the owner-proxy.
    pub owner_at: usize,
    /// Classes of the new objects' own contents, by name.
    pub carried: Vec<String>,
}

impl Route {
    /// The part that leads from the owner-proxy to the new object.
    #[must_use]
    pub fn from_owner(&self) -> Self {
        Self { origin: Origin::default(), hops: self.hops[self.owner_at..].to_vec(), owner_at: 0, carried: Vec::new() }
    }

    /// Class of the last object; `None` where the route has no hop.
    #[must_use]
    pub fn last_class(&self) -> Option<&str> {
        self.hops.last().map(|hop| hop.class.as_str())
    }
}
