//! The layout: headline, trend table, the opened row, footer. Small terminals lose the least important part first.

use crate::report::{Fingerprint, Region, Report};
use crate::view::columns::{Column, GAP_COLUMNS, grid};
use crate::view::headline;
use crate::view::names::{cut, pad_left, pad_right};
use crate::view::plain::plain;
use crate::view::tui::detail;
use crate::view::tui::state::State;
use crate::view::tui::style::trend_style;
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

/// Draws one report on `area`.
pub fn draw(frame: &mut Frame<'_>, area: Rect, report: &Report, state: &State) {
    let headline = headline_lines(report, area);
    let open = state.is_open() && !report.regions.is_empty();
    let [top, table, bottom, footer] = area.layout(&Layout::vertical([
        Constraint::Length(u16::try_from(headline.len()).unwrap_or(1)),
        Constraint::Fill(1),
        if open { Constraint::Fill(2) } else { Constraint::Length(0) },
        Constraint::Length(1),
    ]));
    frame.render_widget(Paragraph::new(headline), top);
    let fingerprints: Vec<Fingerprint> = report.regions.iter().map(|region| region.fingerprint).collect();
    let selected = state.row(&fingerprints);
    trend_table(frame, table, &report.regions, selected);
    if open && let Some(region) = selected.and_then(|row| report.regions.get(row)) {
        detail::draw(frame, bottom, region);
    }
    frame.render_widget(footer_line(report, open, footer.width), footer);
}

/// The verdict always; the rest where there is room.
fn headline_lines(report: &Report, area: Rect) -> Vec<Line<'_>> {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let style = bold.fg(verdict_color(report));
    let verdict = plain(headline::verdict(report)).into_owned();
    let verdict = textwrap::wrap(&verdict, usize::from(area.width).max(1));
    let most = if area.height >= ROWS_FOR_HEADLINE { verdict.len() } else { 1 };
    let mut lines: Vec<Line<'_>> =
        verdict.into_iter().take(most).map(|line| Line::styled(line.into_owned(), style)).collect();
    let room = usize::from(area.width).saturating_sub(LABEL_COLUMNS);
    let rest = headline::lines(report).into_iter().filter(|line| line.label != "Pauses");
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

fn trend_table(frame: &mut Frame<'_>, area: Rect, regions: &[Region], selected: Option<usize>) {
    if regions.is_empty() {
        return;
    }
    let room = usize::from(area.width).saturating_sub(crate::view::names::width(SELECTION));
    let grid = grid(regions, room);
    let align = |text: &str, at: usize| match grid.columns[at] {
        column if column.is_number() => pad_left(text, grid.widths[at]),
        _ => text.to_owned(),
    };
    let headings = grid.headings.iter().enumerate().map(|(at, text)| Cell::new(align(text, at)));
    let rows = grid.rows.iter().zip(regions).map(|(cells, region)| {
        let cells = cells.iter().enumerate().map(|(at, text)| {
            let style = if grid.columns[at] == Column::Trend { trend_style(region.trend) } else { Style::new() };
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

fn footer_line(report: &Report, open: bool, columns: u16) -> Line<'static> {
    let keys = if open { "Esc closes" } else { "Enter opens" };
    let mut text = format!("q report and leave · ↑↓ select · {keys} · pauses: {}", headline::pauses(&report.pauses));
    if report.dropped_events > 0 {
        text.push_str(&format!(" · {} messages dropped", report.dropped_events));
    }
    if let Some(problem) = report.problems.last() {
        text.push_str(&format!(" · {problem}"));
    }
    Line::styled(cut(&text, usize::from(columns)), Style::new().add_modifier(Modifier::DIM))
}
