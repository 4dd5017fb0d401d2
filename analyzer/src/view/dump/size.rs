//! The size of a structure for people: one sentence, then the histogram.

use super::analysis::head;
use super::rows::{Table, labelled, line, wrapped};
use crate::report::dump::SizeReport;
use crate::units;

/// The whole text.
#[must_use]
pub fn text(report: &SizeReport, columns: usize, rows: usize) -> String {
    let mut out = String::new();
    wrapped(&mut out, &sentence(report), columns);
    if let Some(text) = unfollowed(report) {
        wrapped(&mut out, &text, columns);
    }
    out.push('\n');
    head(&mut out, &report.dump, columns);
    labelled(&mut out, "Skipped", &skipped(report), columns);
    let mut table = Table::new(&["instances", "bytes", "size", "share", "class"]);
    for class in report.classes.iter().take(rows) {
        table.row(vec![
            class.instance_count.to_string(),
            class.bytes.to_string(),
            units::bytes(class.bytes as f64),
            units::percent(class.bytes as f64 / report.bytes.max(1) as f64),
            class.class.clone(),
        ]);
    }
    out.push('\n');
    table.write(&mut out, columns);
    let more = report.class_count.saturating_sub(rows.min(report.classes.len()));
    if more > 0 {
        line(&mut out, &format!("and {} more classes", units::count(more as u64)));
    }
    out
}

fn sentence(report: &SizeReport) -> String {
    let starts = match report.start_count {
        1 => "1 object to begin with".to_owned(),
        count => format!("{count} objects to begin with"),
    };
    let (objects, bytes) = (report.object_count, report.bytes);
    format!(
        "{} has {objects} objects with {bytes} bytes ({}), {starts}",
        report.from.join(" and "),
        units::bytes(bytes as f64)
    )
}

fn unfollowed(report: &SizeReport) -> Option<String> {
    (report.unfollowed_count > 0).then(|| {
        let objects = units::counted(report.unfollowed_count, "object");
        let bytes = units::bytes(report.unfollowed_bytes as f64);
        format!("INSANE counts {objects} more ({bytes}), for it follows weak and soft references: see --follow")
    })
}

fn skipped(report: &SizeReport) -> String {
    let classes = report.skips_class_mirrors.then(|| "classes".to_owned());
    let all: Vec<String> = classes.into_iter().chain(report.skip.iter().cloned()).collect();
    match all.is_empty() {
        true => "nothing".to_owned(),
        false => format!("{}: {}", all.join(", "), units::counted(report.skipped_count, "object")),
    }
}
