//! A classification tree of the wanted structures, or of the structures that contain objects of one's choice.

use super::StructuresWanted;
use crate::dump_reports::words::Words;
use crate::graph::{Dominance, Intervals, RootPaths};
use crate::growing::nodes;
use crate::heap::ObjectIdx;
use crate::matching::{NamedPlaces, PlaceFinder};
use crate::naming::Pattern;
use crate::report::tree::TreeNode;
use crate::structures::census::Detected;
use crate::structures::classify::{Chain, Classifier, Side, Trees};
use crate::structures::growth::Delta;

/// The tree, and a remark where it lacks parts.
pub(super) fn tree(
    of: &Detected<'_, Intervals<'_>>,
    words: &Words<'_>,
    wanted: &StructuresWanted,
    paths: &RootPaths,
) -> (Vec<TreeNode>, Option<String>) {
    let heap = of.dominance.heap();
    let mut names = NamedPlaces::new();
    let side = Side::new(of, PlaceFinder::new(heap, paths, &mut names));
    let (chain, objects) = match &wanted.containing {
        Some(pattern) => (wanted.by.clone().unwrap_or_else(bottom_up), objects(of, words, pattern)),
        None => (wanted.by.clone().unwrap_or_else(|| Chain(vec![Classifier::Type])), heads(of, words, wanted)),
    };
    let tree = Trees::new(None, side, wanted.limit).tree(&chain, &[Vec::new(), objects]);
    let note = tree.is_cut.then(|| "the tree lacks parts: it reached its limit of nodes or of references".to_owned());
    (nodes(&tree, None, of, Delta::default()), note)
}

/// `type, containing(type, place)` (AntTracks §3.3.2).
fn bottom_up() -> Chain {
    let inner = Chain(vec![Classifier::Type, Classifier::Place]);
    Chain(vec![Classifier::Type, Classifier::Containing { direct: false, owned: false, inner }])
}

fn objects(of: &Detected<'_, Intervals<'_>>, words: &Words<'_>, pattern: &Pattern) -> Vec<ObjectIdx> {
    let heap = of.dominance.heap();
    let fits: Vec<bool> = heap.classes().iter().map(|(_, class)| pattern.fits(&class.name)).collect();
    let is_wanted = |&object: &ObjectIdx| fits[heap.class_of(object).at()] && of.dominance.is_reachable(object);
    words.heap.objects().filter(is_wanted).collect()
}

fn heads(of: &Detected<'_, Intervals<'_>>, words: &Words<'_>, wanted: &StructuresWanted) -> Vec<ObjectIdx> {
    let fits = |object| wanted.of.as_ref().is_none_or(|of| of.fits(&words.class_name(object)));
    let heads = of.structures.heads.iter();
    let heads = heads.filter(|&(head, object)| (wanted.all || of.structures.is_top_level(head)) && fits(object));
    heads.map(|(_, object)| object).collect()
}
