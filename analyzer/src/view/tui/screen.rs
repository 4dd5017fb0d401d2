//! The layout: headline, trend table, the opened row, the log, footer. Small terminals lose the least important part
//! first.

use crate::report::{Fingerprint, Region, Report};
use crate::view::columns::{Fit, GAP_COLUMNS, grid, parts_left_out, rows};
use crate::view::look::Look;
use crate::view::names::{cut, pad_left, pad_right, wrap};
use crate::view::tui::detail;
use crate::view::tui::state::State;
use crate::view::tui::structures;
use crate::view::tui::style::trend_style;
use crate::view::tui::visits;
use crate::view::tui::window;
use crate::view::{headline, receipts, verdict};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Cell, Paragraph, Row, Table, TableState};

/// Rows below which only the table is drawn.
const ROWS_FOR_HEADLINE: u16 = 14;

/// Width of the labels in the headline.
const LABEL_COLUMNS: usize = 10;

/// Marks the selected row also where there are no colours.
const SELECTION: &str = "› ";

/// Settings of a screen that do not depend on the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Options for its appearance.
    pub look: Look,
    /// Effect of leaving in addition to the report: `stop the program` under `run`.
    pub leaving: &'static str,
}

impl Default for Setup {
    fn default() -> Self {
        Self { look: Look::default(), leaving: "leave" }
    }
}

/// Draws one report on `area`.
pub fn draw(frame: &mut Frame<'_>, area: Rect, report: &Report, state: &State, setup: Setup) {
    let headline = headline_lines(report, area, setup.look);
    let open = state.is_open() && !report.regions.is_empty();
    let parts = parts_left_out(report, setup.look.columns);
    let [top, table, below, bottom, log, footer] = area.layout(&Layout::vertical([
        Constraint::Length(u16::try_from(headline.len()).unwrap_or(1)),
        Constraint::Fill(1),
        Constraint::Length(u16::from(parts.is_some())),
        if open { Constraint::Fill(2) } else { Constraint::Length(0) },
        if state.shows_log() { Constraint::Fill(1) } else { Constraint::Length(0) },
        Constraint::Length(1),
    ]));
    frame.render_widget(Paragraph::new(headline), top);
    let regions = rows(report, setup.look.columns);
    let selected = state.row(&fingerprints(report, setup.look));
    match (state.choosing(), state.structures_from()) {
        (Some(choosing), _) => window::draw(frame, table, report, choosing),
        (None, Some(first)) => structures::draw(frame, table, report, first),
        (None, None) => trend_table(frame, table, &regions, selected, setup.look),
    }
    if let Some(parts) = parts {
        frame.render_widget(dim(&parts, below.width), below);
    }
    if open && let Some(region) = selected.and_then(|row| regions.get(row)) {
        detail::draw(frame, bottom, region);
    }
    if state.shows_log() {
        visits::draw(frame, log, report);
    }
    frame.render_widget(footer_line(report, state, footer.width, setup.leaving), footer);
}

/// The regions by name, in the order of the rows.
#[must_use]
pub fn fingerprints(report: &Report, look: Look) -> Vec<Fingerprint> {
    rows(report, look.columns).iter().map(|region| region.fingerprint).collect()
}

/// The verdict always; the rest where there is room.
fn headline_lines(report: &Report, area: Rect, look: Look) -> Vec<Line<'_>> {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let style = bold.fg(verdict_color(report));
    let verdict = wrap(&verdict::text(report), usize::from(area.width));
    let most = if area.height >= ROWS_FOR_HEADLINE { verdict.len() } else { 1 };
    let mut lines: Vec<Line<'_>> = verdict.into_iter().take(most).map(|line| Line::styled(line, style)).collect();
    if area.height >= ROWS_FOR_HEADLINE {
        lines.extend(verdict::way(report).map(|way| Line::raw(cut(&way, usize::from(area.width)))));
    }
    let room = usize::from(area.width).saturating_sub(LABEL_COLUMNS);
    let receipts = if look.receipts { receipts::lines(report) } else { Vec::new() };
    let rest = headline::lines(report).into_iter().chain(receipts).filter(|line| line.label != "Pauses");
    let wanted = |line: &headline::Line| area.height >= ROWS_FOR_HEADLINE || line.label == "Status";
    lines.extend(rest.filter(wanted).map(|line| {
        Line::from(vec![
            Span::styled(pad_right(line.label, LABEL_COLUMNS), Style::new().add_modifier(Modifier::DIM)),
            Span::raw(cut(&line.text, room)),
        ])
    }));
    if area.height >= ROWS_FOR_HEADLINE {
        lines.push(Line::default());
    }
    lines
}

fn verdict_color(report: &Report) -> Color {
    match report.verdict.leaking {
        Some(true) => Color::Red,
        Some(false) => Color::Green,
        None => Color::Reset,
    }
}

fn trend_table(frame: &mut Frame<'_>, area: Rect, regions: &[&Region], selected: Option<usize>, look: Look) {
    if regions.is_empty() {
        return;
    }
    let room = usize::from(area.width).saturating_sub(crate::view::names::width(SELECTION));
    let grid = grid(regions, room, look.columns, Fit::Cut);
    let align = |text: &str, at: usize| match grid.columns[at] {
        column if column.is_number() => pad_left(text, grid.widths[at]),
        _ => text.to_owned(),
    };
    let headings = grid.headings.iter().enumerate().map(|(at, text)| Cell::new(align(text, at)));
    let rows = grid.rows.iter().zip(regions).map(|(cells, region)| {
        let cells = cells.iter().enumerate().map(|(at, text)| {
            let style = if grid.columns[at].is_trend() { trend_style(region.trend) } else { Style::new() };
            Cell::new(align(text, at)).style(style)
        });
        Row::new(cells.collect::<Vec<_>>())
    });
    let widths = grid.widths.iter().map(|&width| Constraint::Length(u16::try_from(width).unwrap_or(u16::MAX)));
    let table = Table::new(rows.collect::<Vec<_>>(), widths.collect::<Vec<_>>())
        .header(Row::new(headings.collect::<Vec<_>>()).style(Style::new().add_modifier(Modifier::UNDERLINED)))
        .column_spacing(GAP_COLUMNS as u16)
        .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED))
        .highlight_symbol(SELECTION);
    frame.render_stateful_widget(table, area, &mut TableState::new().with_selected(selected));
}

fn footer_line(report: &Report, state: &State, columns: u16, leaving: &str) -> Line<'static> {
    if let Some(notice) = state.notice() {
        return Line::styled(cut(notice, usize::from(columns)), Style::new().add_modifier(Modifier::BOLD));
    }
    let keys = if state.is_open() && !report.regions.is_empty() { "Esc: close" } else { "Enter: details" };
    let pauses = receipts::pauses(&report.pauses);
    let mut text =
        format!("q: report and {leaving} · {keys} · m: mark · c: capture · l: log · s: structures · pauses: {pauses}");
    if let Some(problem) = report.problems.last() {
        text.push_str(&format!(" · {problem}"));
    }
    dim(&text, columns)
}

fn dim(text: &str, columns: u16) -> Line<'static> {
    Line::styled(cut(text, usize::from(columns)), Style::new().add_modifier(Modifier::DIM))
}
