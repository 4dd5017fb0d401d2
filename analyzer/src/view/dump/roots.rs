//! HeapRoots for people: the number of roots, the table of the chosen ones, and their trees if requested.

use super::analysis::head;
use super::rows::{Table, labelled, line, wrapped};
use crate::naming::Reference;
use crate::report::dump::{RootLine, RootsReport, TreeEdge, TreeLine};
use crate::units;

/// The whole text.
#[must_use]
pub fn text(report: &RootsReport, columns: usize) -> String {
    let mut out = String::new();
    wrapped(&mut out, &sentence(report), columns);
    out.push('\n');
    head(&mut out, &report.dump, columns);
    let objects = units::counted(report.object_count, "object");
    labelled(&mut out, "Heap", &format!("{} in {objects}", units::bytes(report.total_bytes as f64)), columns);
    let soft = match report.follows_soft {
        true => format!("{} soft", units::count(report.soft_count)),
        false => "soft ones not followed".to_owned(),
    };
    labelled(&mut out, "", &format!("references: {} strong, {soft}", units::count(report.strong_count)), columns);
    if report.roots.iter().any(|root| root.tree.is_some()) {
        report.roots.iter().for_each(|root| tree(&mut out, root, columns));
    } else {
        table(&mut out, report, columns);
    }
    out
}

fn sentence(report: &RootsReport) -> String {
    let largest = report.roots.iter().max_by_key(|root| root.subtree_bytes);
    if let (Some(from), Some(root)) = (&report.from, largest) {
        let owner = root.owner.as_ref().filter(|owner| Some(*owner) != root.id.as_ref());
        let owner = owner.map(|owner| format!(", owned by the root {owner}")).unwrap_or_default();
        let below = units::counted(root.descendant_count, "object");
        let bytes = units::bytes(root.subtree_bytes as f64);
        return format!("{from} is a {} with {below} below it, {bytes} with these{owner}", root.class);
    }
    let owns = largest.map(|root| {
        let share = root.subtree_bytes as f64 / report.total_bytes.max(1) as f64;
        format!("; of those shown {} owns most: {}", root.class, units::percent(share))
    });
    let artificial = match report.artificial_count {
        0 => "no artificial ones".to_owned(),
        count => units::counted(count, "artificial one"),
    };
    format!("{} and {artificial}{}", units::counted(report.pure_count, "pure root"), owns.unwrap_or_default())
}

fn table(out: &mut String, report: &RootsReport, columns: usize) {
    let mut table = Table::new(&["descendants", "subtree", "own", "depth", "kind", "root"]);
    for root in &report.roots {
        table.row(vec![
            units::count(root.descendant_count),
            units::bytes(root.subtree_bytes as f64),
            units::bytes(root.shallow_bytes as f64),
            units::count(root.maximum_depth),
            root.kind.to_owned(),
            named(root),
        ]);
    }
    out.push('\n');
    table.write(out, columns);
    let more = report.chosen_count.saturating_sub(report.roots.len() as u64);
    if more > 0 {
        line(out, &format!("and {} more", units::count(more)));
    }
}

fn named(root: &RootLine) -> String {
    let id = root.id.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
    let held = root.gc_root.as_ref().map(|held| format!(" ({held})")).unwrap_or_default();
    format!("{}{id}{held}", root.class)
}

fn tree(out: &mut String, root: &RootLine, columns: usize) {
    out.push('\n');
    let held = root.gc_root.as_deref().unwrap_or("held by no GC root");
    let kind = match (root.kind, &root.owner) {
        ("inner", Some(owner)) => format!("object below the root {owner}"),
        (kind, _) => format!("{kind} root"),
    };
    wrapped(out, &format!("{kind}, {held}, depth {}", units::count(root.maximum_depth)), columns);
    for each in root.tree.iter().flatten() {
        wrapped(out, &tree_line(each), columns);
    }
    if root.is_cut {
        line(out, "… cut here: --lines says how many are shown");
    }
}

fn tree_line(each: &TreeLine) -> String {
    let indent = "  ".repeat(each.depth as usize);
    let bytes = units::bytes(each.subtree_bytes as f64);
    if each.class.is_empty() {
        return format!("{indent}… {} more children ({bytes})", units::count(each.count));
    }
    let below = if each.count == 0 { String::new() } else { format!(", {} below", units::count(each.count)) };
    let size = match (each.edge, &each.owner) {
        (None, _) => format!("({bytes}{below})"),
        (Some(TreeEdge::Owned), Some(owner)) => format!("<{bytes}, below the root {owner}>"),
        (Some(_), _) => format!("{{{bytes}, open above}}"),
    };
    format!("{indent}{}{} {size} {}", referring(each), each.class, each.id.as_deref().unwrap_or_default())
}

/// The reference in front of an object; formats without names of fields have nothing to show.
fn referring(each: &TreeLine) -> String {
    let soft = if each.is_soft { " (soft)" } else { "" };
    match &each.reference {
        None | Some(Reference::Unnamed) if each.is_soft => "(soft) ".to_owned(),
        None | Some(Reference::Unnamed) => String::new(),
        Some(reference) => format!("{reference}{soft}: "),
    }
}
