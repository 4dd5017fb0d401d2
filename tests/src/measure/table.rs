//! Markdown tables, row by row as they are measured.

use std::fmt::Display;
use std::io::Write;

/// Prints the headings.
pub fn head(headings: &[&str]) {
    row(headings);
    row(&vec!["---"; headings.len()]);
}

/// Prints one row immediately: a bench takes minutes.
pub fn row<C: Display>(cells: &[C]) {
    let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
    println!("| {} |", cells.join(" | "));
    // A closed output has no reader for the rest.
    let _ = std::io::stdout().flush();
}

/// Milliseconds for people.
pub fn ms(ms: f64) -> String {
    match ms {
        ms if ms.is_nan() => "–".to_owned(),
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 10_000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1e3),
    }
}

/// Bytes for people.
pub fn bytes(bytes: u64) -> String {
    match bytes as f64 {
        bytes if bytes < 1e6 => format!("{:.0} KB", bytes / 1e3),
        bytes if bytes < 1e9 => format!("{:.0} MB", bytes / 1e6),
        bytes => format!("{:.2} GB", bytes / 1e9),
    }
}

/// Ratio of one figure to another.
pub fn ratio(figure: f64, base: f64) -> String {
    match figure / base {
        ratio if !ratio.is_finite() => "–".to_owned(),
        ratio if ratio < 0.1 => format!("1/{:.0}", 1.0 / ratio),
        ratio => format!("{ratio:.2}"),
    }
}

/// A figure that may be missing.
pub fn or_dash<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), text)
}

/// The median; NaN of none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
