//! Colours of severities on terminals, as on the cards of HeapLens: red and orange. The word states the same, so no
//! information is in colour alone.

/// SGR sequences (ECMA-48).
const RED: &str = "\u{1b}[1;31m";
const YELLOW: &str = "\u{1b}[33m";
const RESET: &str = "\u{1b}[0m";

/// Colours the first occurrence of the severity's word behind `begin`.
pub(super) fn severity(out: &mut String, begin: usize, severity: &str) {
    let colour = if severity == "HIGH" { RED } else { YELLOW };
    let Some(at) = out[begin..].find(severity).map(|at| begin + at) else { return };
    out.insert_str(at + severity.len(), RESET);
    out.insert_str(at, colour);
}
