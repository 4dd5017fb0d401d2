//! A classification tree for people: one line for a node, indented; of two states with the growth of each node.

use super::growth::{percent, signed_bytes};
use crate::report::growth::Size;
use crate::report::tree::TreeNode;
use crate::units::{self, UNKNOWN};
use crate::view::dump::rows::{Table, heading};

/// Writes the tree under a heading; nothing where there is none.
pub fn write(out: &mut String, nodes: &[TreeNode], columns: usize) {
    let Some(first) = nodes.first() else { return };
    let is_difference = first.count_before.is_some();
    let headings: &[&str] = match is_difference {
        true => &["before", "after", "Δobjects", "Δretained", "HGP", "node"],
        false => &["objects", "structure", "deep structure", "retained", "node"],
    };
    let mut table = Table::new(headings);
    nodes.iter().for_each(|node| rows(&mut table, node, 0, is_difference));
    heading(out, if is_difference { "Difference of the trees of both states" } else { "Tree" });
    table.write(out, columns);
}

fn rows(table: &mut Table, node: &TreeNode, depth: usize, is_difference: bool) {
    let name = format!("{}{}", "  ".repeat(depth), node.key);
    table.row(if is_difference { difference(node, name) } else { single(node, name) });
    node.parts.iter().for_each(|part| rows(table, part, depth + 1, is_difference));
    if node.omitted > 0 {
        let blank = vec![String::new(); if is_difference { 5 } else { 4 }];
        let more = format!("{}and {} more", "  ".repeat(depth + 1), units::count(node.omitted));
        table.row([blank, vec![more]].concat());
    }
}

fn single(node: &TreeNode, name: String) -> Vec<String> {
    let bytes = |size: Option<Size>| size.map_or(UNKNOWN.to_owned(), |size| units::bytes(size.bytes as f64));
    let sizes = &node.sizes;
    vec![units::count(node.count), bytes(sizes.structure), bytes(sizes.deep_structure), bytes(sizes.retained), name]
}

fn difference(node: &TreeNode, name: String) -> Vec<String> {
    let before = node.count_before.unwrap_or_default();
    let sign = if node.count < before { "-" } else { "+" };
    let grown = node.growth.and_then(|growth| growth.retained);
    let portion = node.hgp.and_then(|hgp| hgp.retained);
    vec![
        units::count(before),
        units::count(node.count),
        format!("{sign}{}", units::count(node.count.abs_diff(before))),
        grown.map_or(UNKNOWN.to_owned(), |grown| signed_bytes(grown.bytes)),
        portion.map_or(UNKNOWN.to_owned(), |portion| percent(portion.bytes)),
        name,
    ]
}
