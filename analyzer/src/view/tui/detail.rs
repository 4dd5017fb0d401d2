//! The opened row: the place of the structure, its growth, and the changes that its visits detected.

use crate::report::trace::TraceLine;
use crate::report::{Region, Updates};
use crate::units;
use crate::view::names::{cut, pad_left, pad_right};
use crate::view::sites;
use crate::view::tui::style::trend_style;
use crate::view::{paths, trace, verdict};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Sparkline};

/// Columns that growth and histogram take at the right.
const SIDE_COLUMNS: u16 = 34;

/// Terminals narrower than this show the path alone.
const COLUMNS_FOR_SIDE: u16 = 90;

/// Longest bar of the histogram.
const BAR_COLUMNS: u64 = 14;

/// Draws the panel of `region`.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, region: &Region) {
    let title = cut(&format!(" {} ", verdict::gain(region)), usize::from(area.width).saturating_sub(4));
    let block = Block::bordered().title(title).border_style(trend_style(region.trend));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let side = if inner.width >= COLUMNS_FOR_SIDE { SIDE_COLUMNS } else { 0 };
    let [left, right] = inner.layout(&Layout::horizontal([Constraint::Fill(1), Constraint::Length(side)]));
    frame.render_widget(Paragraph::new(trace_lines(region, usize::from(left.width))), left);
    if side > 0 {
        draw_side(frame, right, region);
    }
}

fn trace_lines(region: &Region, columns: usize) -> Vec<Line<'static>> {
    let growth = paths::growth(region);
    let state = region.untracked.as_ref().map_or(growth, ToString::to_string);
    let mut lines =
        vec![Line::styled(cut(&state, columns), Style::new().add_modifier(Modifier::BOLD)), Line::default()];
    lines.extend(trace::shown(&region.route).iter().map(|line| trace_line(line, columns)));
    if !region.members.is_empty() {
        lines.push(Line::raw(cut(&format!("with {}", region.members.join(", ")), columns)));
    }
    lines.extend(sites::lines(region).into_iter().map(|site| Line::raw(cut(&site, columns))));
    lines
}

/// A line of the trace; the reference that grows is underlined, and bold for terminals that cannot.
fn trace_line(line: &TraceLine, columns: usize) -> Line<'static> {
    let text = &line.text;
    let Some((from, to)) = line.marked else { return Line::raw(cut(text, columns)) };
    let letters: Vec<char> = cut(text, columns).chars().collect();
    let part = |from: usize, to: usize| -> String { letters.iter().skip(from).take(to.saturating_sub(from)).collect() };
    let style = Style::new().add_modifier(Modifier::UNDERLINED | Modifier::BOLD);
    Line::from(vec![Span::raw(part(0, from)), Span::styled(part(from, to), style), Span::raw(part(to, letters.len()))])
}

fn draw_side(frame: &mut Frame<'_>, area: Rect, region: &Region) {
    let [caption, curve, histogram] =
        area.layout(&Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(5)]));
    frame.render_widget(Line::raw(history_caption(region)), caption);
    frame.render_widget(Sparkline::default().data(curve_points(region)).style(trend_style(region.trend)), curve);
    frame.render_widget(Paragraph::new(histogram_lines(&region.updates)), histogram);
}

fn history_caption(region: &Region) -> String {
    match (region.history.first(), region.history.last()) {
        (Some((from_s, first)), Some((to_s, last))) => {
            let size = |value: f64| units::count(value.max(0.0).round() as u64);
            format!("{} → {} in {}", size(*first), size(*last), units::duration_s(to_s - from_s))
        }
        _ => "no visit yet".to_owned(),
    }
}

/// Heights above the smallest observed size, so that the change of a large structure is visible.
fn curve_points(region: &Region) -> Vec<u64> {
    let least = region.history.iter().map(|(_, size)| *size).fold(f64::INFINITY, f64::min);
    region.history.iter().map(|(_, size)| (size - least).max(0.0).round() as u64 + 1).collect()
}

fn histogram_lines(updates: &Updates) -> Vec<Line<'static>> {
    let bars = [
        ("grew", updates.additions),
        ("shrank", updates.removals),
        ("replaced", updates.relinks),
        ("unchanged", updates.quiet),
    ];
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let bar = |count: u64| "█".repeat((count * BAR_COLUMNS).div_ceil(most) as usize);
    let line = |(name, count): (&str, u64)| {
        let label = Span::raw(format!("{}{} ", pad_right(name, 10), pad_left(&units::count(count), 6)));
        Line::from(vec![label, Span::raw(bar(count))])
    };
    std::iter::once(Line::default()).chain(bars.into_iter().map(line)).collect()
}
