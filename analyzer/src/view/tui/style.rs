//! Colours of trends. The words say the same: nothing is told by colour alone.

use crate::report::Trend;
use ratatui::style::{Color, Modifier, Style};

/// Colours by trend. The word itself stands in the cell, so that nobody depends on them.
pub(super) fn trend_style(trend: Option<Trend>) -> Style {
    match trend {
        Some(Trend::Grower) => Style::new().fg(Color::Red).add_modifier(Modifier::BOLD),
        Some(Trend::Oscillator) => Style::new().fg(Color::Yellow),
        Some(Trend::Shrinker) => Style::new().fg(Color::Cyan),
        Some(Trend::Flatliner) => Style::new().fg(Color::Green),
        None => Style::new().add_modifier(Modifier::DIM),
    }
}
