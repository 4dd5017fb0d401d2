//! Colours of trends. Words state the same: no information is in colour alone.

use crate::report::Trend;
use ratatui::style::{Color, Modifier, Style};

/// Colours by trend. The cell also has the word, so that the colour is not needed.
pub(super) fn trend_style(trend: Option<Trend>) -> Style {
    match trend {
        Some(Trend::Grower) => Style::new().fg(Color::Red).add_modifier(Modifier::BOLD),
        Some(Trend::Oscillator) => Style::new().fg(Color::Yellow),
        Some(Trend::Shrinker) => Style::new().fg(Color::Cyan),
        Some(Trend::Flatliner) => Style::new().fg(Color::Green),
        None => Style::new().add_modifier(Modifier::DIM),
    }
}
