//! References that belong together: a field with the elements behind it, a chain of equal nodes, all within a
//! collection.
//!
//! Names of regions are made of these. A change of the cuts renames the regions that users know.

use super::class::is_array;
use super::collections::{self, Members};
use super::{Hop, Origin, Route};

/// Beginning of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Referrer<'a> {
    /// The origin of the route, unless that is an object.
    Origin(&'a Origin),
    /// An object of this class.
    Class(&'a str),
}

/// References that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stretch<'a> {
    /// A field, if it begins with one, and elements of the arrays to which it leads.
    Field {
        /// Referrer that has the field.
        of: Referrer<'a>,
        /// The field; `None` where the referrer is itself an array.
        field: Option<&'a str>,
        /// Number of elements that follow: one for each dimension.
        elements: usize,
        /// Whether the program declares it, and not the JDK.
        is_of_program: bool,
    },
    /// References between objects of one class.
    Chain {
        /// The class.
        of: &'a str,
        /// The fields, each once, in alphabetical order.
        fields: Vec<&'a str>,
        /// Number of references.
        count: usize,
    },
    /// All within a collection of this class.
    Collection {
        /// Its class.
        class: &'a str,
        /// Word for its contents.
        members: Members,
    },
}

/// A stretch with the number of its first hop.
pub type Numbered<'a> = (usize, Stretch<'a>);

/// Cuts a route.
#[must_use]
pub fn stretches(route: &Route) -> Vec<Numbered<'_>> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < route.hops.len() {
        let (stretch, length) = if is_internal(&route.hops[at]) {
            collection(route, at)
        } else {
            chain(route, at).unwrap_or_else(|| field(route, at))
        };
        all.push((at, stretch));
        at += length;
    }
    all
}

/// Class of the new objects, where they are only nodes of the collection in which the route ends.
#[must_use]
pub fn node_at_end<'a>(route: &'a Route, stretches: &[Numbered<'_>]) -> Option<&'a str> {
    let is_in_collection = matches!(stretches.last(), Some((_, Stretch::Collection { .. })));
    route.last_class().filter(|class| is_in_collection && collections::is_part(class))
}

fn is_internal(hop: &Hop) -> bool {
    hop.field().is_some() && collections::is_internal(&hop.declared_by)
}

/// Referrer of hop `at`.
fn referrer(route: &Route, at: usize) -> Referrer<'_> {
    match (at.checked_sub(1), &route.origin) {
        (Some(before), _) => Referrer::Class(&route.hops[before].class),
        (None, Origin::Object(class)) => Referrer::Class(class),
        (None, origin) => Referrer::Origin(origin),
    }
}

/// A collection that begins at hop `first` and goes on through its parts. An object that a node or an array holds and
/// that is no part is a member, even if it is a collection itself. An object that the collection holds directly is its
/// implementation.
fn collection(route: &Route, first: usize) -> (Stretch<'_>, usize) {
    let mut length = 1;
    while let Some(hop) = route.hops.get(first + length) {
        let referrer = &route.hops[first + length - 1].class;
        let is_built_upon = length == 1 || collections::is_part(referrer);
        let goes_on = if hop.field().is_none() { is_array(referrer) } else { is_internal(hop) };
        if !goes_on || !is_built_upon {
            break;
        }
        length += 1;
    }
    let hops = &route.hops[first..first + length];
    let is_last = first + length == route.hops.len() && collections::is_part(&hops[length - 1].class);
    let class = route.hops[..first].last().map_or(&hops[0].declared_by, |hop| &hop.class);
    let members = collections::members(&hops[0].declared_by, hops[length - 1].field(), is_last);
    (Stretch::Collection { class, members }, length)
}

/// References in a row, each from an object to one of the same class.
fn chain(route: &Route, first: usize) -> Option<(Stretch<'_>, usize)> {
    let Referrer::Class(of) = referrer(route, first) else { return None };
    let hops = route.hops[first..].iter().take_while(|hop| hop.class == of && !is_internal(hop));
    let mut fields: Vec<&str> = hops.map_while(Hop::field).collect();
    let count = fields.len();
    fields.sort_unstable();
    fields.dedup();
    (count > 0).then_some((Stretch::Chain { of, fields, count }, count))
}

/// One field with the elements behind it.
fn field(route: &Route, first: usize) -> (Stretch<'_>, usize) {
    let hop = &route.hops[first];
    let behind = route.hops[first + 1..].iter().take_while(|hop| hop.field().is_none()).count();
    let elements = behind + usize::from(hop.field().is_none());
    let is_of_program = !collections::is_of_the_jdk(&hop.declared_by);
    (Stretch::Field { of: referrer(route, first), field: hop.field(), elements, is_of_program }, 1 + behind)
}
