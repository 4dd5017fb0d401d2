//! Colours of trends. The words say the same: nothing is told by colour alone.

use ratatui::style::{Color, Modifier, Style};

/// Colours by trend. The word itself stands in the cell, so that nobody depends on them.
pub(super) fn trend_style(trend: Option<&str>) -> Style {
    match trend {
        Some("grower") => Style::new().fg(Color::Red).add_modifier(Modifier::BOLD),
        Some("oscillator") => Style::new().fg(Color::Yellow),
        Some("shrinker") => Style::new().fg(Color::Cyan),
        Some("flatliner") => Style::new().fg(Color::Green),
        _ => Style::new().add_modifier(Modifier::DIM),
    }
}
