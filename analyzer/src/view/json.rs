//! The report for other programs: `rootbound.report/1`, one object, indented.

use crate::view::report::Report;

/// The whole report as text that ends with a newline.
///
/// # Errors
/// Those of the serializer; a report made by this crate has none.
pub fn to_json(report: &Report) -> serde_json::Result<String> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}
