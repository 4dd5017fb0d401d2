//! Reports for other programs, `rootbound.report/1` or `rootbound.dump/1`: one object, indented.

use serde::Serialize;

/// The whole report as text that ends with a newline.
///
/// # Errors
/// Those of the serializer; a report made by this crate has none.
pub fn to_json(report: &impl Serialize) -> serde_json::Result<String> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}
