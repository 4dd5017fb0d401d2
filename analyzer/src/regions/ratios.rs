//! Definitions 3 and 4 of LeakBot for one leak path, as the paper writes them. The linear pass in
//! [`super::waypoints`] must agree with this file on every path; tests hold the two against each other.
//!
//! The paper's printed owner-proxy row for the `Shirt` of Figure 3(b) ends in −0.125, which t/d alone does not give
//! (1/−2 = −0.5). Division by one plus the number of fringe crossings between the leak root and the object gives the
//! whole row. So the authors' program computed that, and so do we: owners near the first crossing win.

use crate::heap::ClassIdx;

/// Properties of an object on a leak path that the definitions need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathObject {
    /// On the new side of the fringe.
    pub is_new: bool,
    /// An array: its expected lifetime is 0.
    pub is_array: bool,
    /// Its type.
    pub class: ClassIdx,
}

/// Expected lifetimes (§4.1): arrays and objects of the change-proxy's type 0, new objects 1, old objects 10.
pub(super) const NEW_LIFETIME: f64 = 1.0;
pub(super) const OLD_LIFETIME: f64 = 10.0;

fn lifetime(object: &PathObject, change: Option<ClassIdx>) -> f64 {
    if object.is_array || change == Some(object.class) {
        0.0
    } else if object.is_new {
        NEW_LIFETIME
    } else {
        OLD_LIFETIME
    }
}

/// Definition 3: hops to the nearest object on the other side of the fringe; positive for old objects, negative for
/// new ones. `None` throughout when the path does not cross the fringe.
pub fn distances(path: &[PathObject]) -> Vec<Option<i64>> {
    (0..path.len())
        .map(|at| {
            let other = |&(_, object): &(usize, &PathObject)| object.is_new != path[at].is_new;
            let hops = path.iter().enumerate().filter(other).map(|(there, _)| there.abs_diff(at) as i64).min();
            hops.map(|hops| if path[at].is_new { -hops } else { hops })
        })
        .collect()
}

fn crossings_between(path: &[PathObject]) -> f64 {
    path.windows(2).filter(|pair| pair[0].is_new != pair[1].is_new).count() as f64
}

/// Definition 4, change-proxy: −t/d/(1+c) for each object of the path, c counted from the member (the last object).
pub fn change_ratios(path: &[PathObject]) -> Vec<f64> {
    let distances = distances(path);
    let ratio = |at: usize| {
        let c = crossings_between(&path[at..]);
        distances[at].map_or(f64::NEG_INFINITY, |d| -lifetime(&path[at], None) / d as f64 / (1.0 + c))
    };
    (0..path.len()).map(ratio).collect()
}

/// Definition 4, owner-proxy: t/d for each object of the path, divided by one plus the crossings from the leak root
/// (the first object).
pub fn owner_ratios(path: &[PathObject], change_class: ClassIdx) -> Vec<f64> {
    let distances = distances(path);
    let ratio = |at: usize| {
        let c = crossings_between(&path[..=at]);
        let t = lifetime(&path[at], Some(change_class));
        distances[at].map_or(f64::NEG_INFINITY, |d| t / d as f64 / (1.0 + c))
    };
    (0..path.len()).map(ratio).collect()
}
