//! Markdown tables, row by row as they are measured.

use std::fmt::Display;
use std::io::Write;

/// Prints the headings.
pub fn head(headings: &[&str]) {
    row(headings);
    row(&vec!["---"; headings.len()]);
}

/// Prints one row at once: a bench takes minutes.
pub fn row<C: Display>(cells: &[C]) {
    let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
    println!("| {} |", cells.join(" | "));
    // Whoever has closed the output reads no more of it.
    let _ = std::io::stdout().flush();
}

/// Milliseconds as people read them.
pub fn ms(ms: f64) -> String {
    match ms {
        ms if ms.is_nan() => "–".to_owned(),
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 10_000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1e3),
    }
}

/// Bytes as people read them.
pub fn bytes(bytes: u64) -> String {
    match bytes as f64 {
        bytes if bytes < 1e6 => format!("{:.0} KB", bytes / 1e3),
        bytes if bytes < 1e9 => format!("{:.0} MB", bytes / 1e6),
        bytes => format!("{:.2} GB", bytes / 1e9),
    }
}

/// One figure against another.
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

/// The middle one; NaN of none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
