//! Referrers of objects, for people.

use super::analysis::head;
use super::rows::{Table, heading, labelled, line, wrapped};
use crate::naming::{Kind, Reference};
use crate::report::dump::{HolderLine, HoldersReport, ObjectFacts, ReferenceLine};
use crate::units;

/// The whole text.
#[must_use]
pub fn text(report: &HoldersReport, columns: usize) -> String {
    let mut out = String::new();
    wrapped(&mut out, &sentence(report), columns);
    out.push('\n');
    head(&mut out, &report.dump, columns);
    for root in &report.gc_roots {
        let times = if root.count > 1 { format!(" ×{}", units::count(root.count)) } else { String::new() };
        labelled(&mut out, "GC root", &format!("{}{times}", root.root), columns);
    }
    if let Some(object) = &report.object {
        facts(&mut out, object, columns);
    }
    match &report.object {
        Some(object) => {
            references(&mut out, "References to it", &object.incoming, object.incoming_count, columns);
            references(&mut out, "Its references", &object.outgoing, object.outgoing_count, columns);
        }
        None => holders(&mut out, report, columns),
    }
    owners(&mut out, report, columns);
    out
}

fn sentence(report: &HoldersReport) -> String {
    let objects = match report.object_count {
        1 => report.of.clone(),
        count => format!("{} ({})", report.of, units::counted(count, "object")),
    };
    let refer = match report.holder_count {
        0 => return format!("no object refers to {objects}"),
        1 => "one object refers".to_owned(),
        count => format!("{} objects refer", units::count(count)),
    };
    let references = units::counted(report.reference_count, "reference");
    let unheld = report.object_count - report.held_count;
    let unheld = if unheld == 0 { String::new() } else { format!("; to {} of them none does", units::count(unheld)) };
    format!("{refer} to {objects} by {references}{unheld}")
}

fn facts(out: &mut String, facts: &ObjectFacts, columns: usize) {
    let object = &facts.object;
    let bytes = |bytes: u64| units::bytes(bytes as f64);
    let retained = match object.is_reachable {
        true => format!("retains {}", bytes(object.retained_bytes)),
        false => "no GC root reaches it".to_owned(),
    };
    let (own, subtree) = (bytes(object.shallow_bytes), bytes(object.subtree_bytes));
    let below = units::count(object.descendant_count);
    let depth = units::count(object.maximum_depth);
    let text = format!("{}, {own}, {retained}; subtree {subtree}, {below} below it, depth {depth}", object.class);
    labelled(out, "Object", &text, columns);
}

fn holders(out: &mut String, report: &HoldersReport, columns: usize) {
    if report.holders.is_empty() {
        return;
    }
    let mut table = Table::new(&["references", "holders", "holder"]);
    for kind in &report.holders {
        table.row(vec![units::count(kind.reference_count), units::count(kind.holder_count), named(kind)]);
    }
    heading(out, "Holders");
    table.write(out, columns);
    more(out, report.kind_count, report.holders.len());
}

/// `java.util.HashMap$Node.value`, `static com.example.Shop.orders`, `java.lang.Object[][*]`.
fn named(kind: &HolderLine) -> String {
    match &kind.reference {
        Some(Reference::Unnamed) | None => kind.class.clone(),
        Some(reference @ Reference::Field(_)) if kind.is_class => format!("static {}{reference}", kind.class),
        Some(reference) if kind.is_class => format!("class {}{reference}", kind.class),
        Some(reference) => format!("{}{reference}", kind.class),
    }
}

fn references(out: &mut String, title: &str, lines: &[ReferenceLine], count: u64, columns: usize) {
    if lines.is_empty() {
        return;
    }
    let mut table = Table::new(&["own", "address", "object"]);
    for each in lines {
        let (own, id) = (units::bytes(each.shallow_bytes as f64), each.id.clone().unwrap_or_default());
        table.row(vec![own, id, referred(each)]);
    }
    heading(out, title);
    table.write(out, columns);
    more(out, count, lines.len());
}

/// `.value: com.example.Order`; soft references say so.
fn referred(each: &ReferenceLine) -> String {
    let soft = if each.is_soft { " (soft)" } else { "" };
    let class = if each.kind == Kind::Class { format!("class {}", each.class) } else { each.class.clone() };
    match each.reference.as_ref().filter(|reference| **reference != Reference::Unnamed) {
        Some(reference) => format!("{reference}{soft}: {class}"),
        None => format!("{class}{soft}"),
    }
}

fn owners(out: &mut String, report: &HoldersReport, columns: usize) {
    let mut table = Table::new(&["objects", "kind", "root"]);
    for owner in &report.owners {
        let id = owner.id.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
        table.row(vec![units::count(owner.object_count), owner.kind.to_owned(), format!("{}{id}", owner.class)]);
    }
    heading(out, "Owned by these roots (see `rootbound roots`)");
    table.write(out, columns);
    more(out, report.owner_count, report.owners.len());
}

fn more(out: &mut String, count: u64, shown: usize) {
    let more = count.saturating_sub(shown as u64);
    if more > 0 {
        line(out, &format!("and {} more", units::count(more)));
    }
}
