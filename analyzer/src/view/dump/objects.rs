//! A list of single objects for people.

use super::analysis::head;
use super::rows::{Table, labelled, line, wrapped};
use crate::report::dump::{ObjectLine, ObjectsReport};
use crate::units;

/// The whole text.
#[must_use]
pub fn text(report: &ObjectsReport, columns: usize) -> String {
    let mut out = String::new();
    let chosen = units::counted(report.chosen_count, "object");
    let bytes = units::bytes(report.chosen_bytes as f64);
    wrapped(&mut out, &format!("{chosen} with {bytes} of their own, by {}", report.sort), columns);
    out.push('\n');
    head(&mut out, &report.dump, columns);
    let all = units::counted(report.object_count, "object");
    labelled(&mut out, "Heap", &format!("{} in {all}", units::bytes(report.total_bytes as f64)), columns);
    out.push('\n');
    table(&report.objects).write(&mut out, columns);
    let more = report.chosen_count.saturating_sub(report.objects.len() as u64);
    if more > 0 {
        line(&mut out, &format!("and {} more", units::count(more)));
    }
    out
}

fn table(objects: &[ObjectLine]) -> Table {
    let mut table = Table::new(&["own", "retained", "subtree", "descendants", "depth", "address", "class"]);
    for object in objects {
        let retained = match object.is_reachable {
            true => units::bytes(object.retained_bytes as f64),
            false => "garbage".to_owned(),
        };
        table.row(vec![
            units::bytes(object.shallow_bytes as f64),
            retained,
            units::bytes(object.subtree_bytes as f64),
            units::count(object.descendant_count),
            units::count(object.maximum_depth),
            object.id.clone().unwrap_or_default(),
            object.class.clone(),
        ]);
    }
    table
}
