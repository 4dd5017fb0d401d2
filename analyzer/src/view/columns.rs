//! The trend table as rows of cells: by default the columns that most users ask for, on demand those of LeakBot's
//! Figure 5 plus the rate. Narrow terminals get fewer columns. In a live table the middle of names is cut; elsewhere
//! nothing is cut.

use crate::naming::Turn;
use crate::naming::class::simple_name;
use crate::report::{Frame, Kind, Region, Report, Trend, Untracked};
use crate::units::{self, UNKNOWN};
use crate::view::holder::{self, Holder};
use crate::view::names::{cut, cut_front, fit_class, width};
use crate::view::plain::plain;
use crate::view::verdict;
use std::collections::HashSet;

/// Blanks between two columns.
pub const GAP_COLUMNS: usize = 2;

/// Columns that names keep at least, where they may be broken.
const LEAST_NAME_COLUMNS: usize = 24;

/// Mark before a structure that grows.
const GROWS: &str = "▲ ";

/// Blanks before any other structure.
const STANDS: &str = "  ";

/// Set of columns that the user wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColumnSet {
    /// Columns that most users ask for.
    #[default]
    Plain,
    /// Those of the LeakBot paper.
    Leakbot,
}

/// Treatment of names for which there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// They are cut: for a live table, whose rows are one line high.
    Cut,
    /// They are whole; the printer of the table breaks them over lines.
    Whole,
}

/// A column of the trend table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Holder of the growing objects.
    Structure,
    /// Its size.
    Elements,
    /// Its growth in elements.
    Gains,
    /// Its growth in bytes.
    PerHour,
    /// Time until the heap is full.
    FullIn,
    /// The trend in plain words.
    State,
    /// The line of code that adds members.
    AddedAt,
    /// Region rank.
    Rank,
    /// Leak root.
    Root,
    /// Owner-proxy.
    Owner,
    /// Change-proxy.
    Change,
    /// Proxy-size.
    Leakages,
    /// Trend so far.
    Trend,
    /// Trend of the last visit.
    Tick,
    /// Change-proxies a minute.
    Rate,
    /// Bytes an hour.
    Bytes,
}

impl Column {
    /// Its heading.
    #[must_use]
    pub fn heading(self, wide: bool) -> &'static str {
        match self {
            Self::Structure => "  structure",
            Self::Elements => "elements",
            Self::Gains => "gains",
            Self::PerHour => "per hour",
            Self::FullIn => "full in",
            Self::State => "state",
            Self::AddedAt => "added at",
            Self::Rank if wide => "rank of leak",
            Self::Rank => "rank",
            Self::Root => "root",
            Self::Owner => "owner-proxy",
            Self::Change => "change-proxy",
            Self::Leakages if wide => "# leakages",
            Self::Leakages => "#",
            Self::Trend => "trend",
            Self::Tick => "tick",
            Self::Rate => "rate",
            Self::Bytes => "bytes",
        }
    }

    /// Whether its cells are aligned at the right, as numbers are.
    #[must_use]
    pub fn is_number(self) -> bool {
        matches!(
            self,
            Self::Elements
                | Self::Gains
                | Self::PerHour
                | Self::FullIn
                | Self::Rank
                | Self::Leakages
                | Self::Rate
                | Self::Bytes
        )
    }

    /// Whether its cells show the trend.
    #[must_use]
    pub fn is_trend(self) -> bool {
        matches!(self, Self::State | Self::Trend)
    }

    fn is_name(self) -> bool {
        matches!(self, Self::Structure | Self::Root | Self::Owner | Self::Change)
    }
}

/// The regions in the order in which they are shown: growers first, unless the columns are the paper's. In the plain
/// columns a grower whose growth a listed one explains has no row of its own, for it is one leak with it. Nor has what
/// does not grow in a structure that has a row, and what is not watched.
#[must_use]
pub fn rows(report: &Report, set: ColumnSet) -> Vec<&Region> {
    let regions = report.regions.iter();
    if set == ColumnSet::Leakbot {
        return regions.collect();
    }
    let mut rows: Vec<&Region> = regions.filter(|region| !is_part(report, region) && !is_unwatched(region)).collect();
    rows.sort_by_key(|region| !region.is_grower());
    let mut listed: HashSet<Holder> = HashSet::new();
    rows.retain(|region| listed.insert(Holder::of(region)) || region.is_grower());
    rows
}

/// `8 parts of these structures and 3 candidates that are not watched have no row: --columns leakbot lists them.`
/// `None` where each region has one.
#[must_use]
pub fn parts_left_out(report: &Report, set: ColumnSet) -> Option<String> {
    let left_out = report.regions.len() - rows(report, set).len();
    if left_out == 0 {
        return None;
    }
    let unwatched = report.regions.iter().filter(|region| is_unwatched(region)).count();
    let parts = match left_out - unwatched {
        0 => None,
        1 => Some("1 part of these structures".to_owned()),
        parts => Some(format!("{} parts of these structures", units::grouped(parts as u64))),
    };
    let candidates = match unwatched {
        0 => None,
        1 => Some("1 candidate that is not watched".to_owned()),
        _ => Some(format!("{} candidates that are not watched", units::grouped(unwatched as u64))),
    };
    let which = [parts, candidates].into_iter().flatten().collect::<Vec<_>>().join(" and ");
    let have = if left_out == 1 { "has" } else { "have" };
    Some(format!("{which} {have} no row: --columns leakbot lists all."))
}

/// Whether it was never to be watched. What cannot be followed, and what was lost, has a row.
fn is_unwatched(region: &Region) -> bool {
    region.trend.is_none() && region.untracked.as_ref().is_some_and(Untracked::was_left_out)
}

/// Whether the growth of another region of the report explains this one's.
fn is_part(report: &Report, region: &Region) -> bool {
    region.is_grower()
        && region.contained_in().is_some_and(|of| report.regions.iter().any(|other| other.fingerprint == of))
}

/// The table, fitted: as many widths and cells a row as columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The columns, from the left.
    pub columns: Vec<Column>,
    /// Headings, fitted.
    pub headings: Vec<String>,
    /// Width of each column.
    pub widths: Vec<usize>,
    /// One row a region, in their order.
    pub rows: Vec<Vec<String>>,
}

/// Columns that a terminal of `total` columns has room for.
fn choose(total: usize, set: ColumnSet) -> (&'static [Column], bool) {
    use Column::{
        AddedAt, Bytes, Change, Elements, FullIn, Gains, Leakages, Owner, PerHour, Rank, Rate, Root, State, Structure,
        Tick, Trend,
    };
    match (set, total) {
        (ColumnSet::Plain, 0..44) => (&[Structure, State], true),
        (ColumnSet::Plain, 44..64) => (&[Structure, Gains, State], true),
        (ColumnSet::Plain, 64..78) => (&[Structure, Elements, Gains, PerHour, State], true),
        (ColumnSet::Plain, 78..100) => (&[Structure, Elements, Gains, PerHour, FullIn, State], true),
        (ColumnSet::Plain, _) => (&[Structure, Elements, Gains, PerHour, FullIn, State, AddedAt], true),
        (ColumnSet::Leakbot, 0..44) => (&[Change, Leakages, Trend], false),
        (ColumnSet::Leakbot, 44..64) => (&[Owner, Change, Leakages, Trend, Rate], false),
        (ColumnSet::Leakbot, 64..104) => (&[Rank, Root, Owner, Change, Leakages, Trend, Rate], false),
        (ColumnSet::Leakbot, 104..132) => (&[Rank, Root, Owner, Change, Leakages, Trend, Tick, Rate], true),
        (ColumnSet::Leakbot, _) => (&[Rank, Root, Owner, Change, Leakages, Trend, Tick, Rate, Bytes], true),
    }
}

/// Fits `regions` into `total` columns.
#[must_use]
pub fn grid(regions: &[&Region], total: usize, set: ColumnSet, fit: Fit) -> Grid {
    let (columns, wide) = choose(total, set);
    let names = holder::structures(regions);
    let row = |(region, name): (&&Region, &String)| {
        columns.iter().map(|&column| cell(column, (region, name), wide)).collect::<Vec<Cell>>()
    };
    let cells: Vec<Vec<Cell>> = regions.iter().zip(&names).map(row).collect();
    let natural: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let widest = cells.iter().map(|row| row[at].natural_width()).max().unwrap_or(0);
            widest.max(width(column.heading(wide)))
        })
        .collect();
    let widths = share(columns, &natural, total, if fit == Fit::Whole { LEAST_NAME_COLUMNS } else { 0 });
    let row = |(cells, (region, name)): (&Vec<Cell>, (&&Region, &String))| {
        let fitted = cells.iter().enumerate().map(|(at, cell)| match (fit, columns[at]) {
            (Fit::Whole, _) => cell.whole(),
            (Fit::Cut, Column::Structure) => fit_structure(region, name, widths[at]),
            (Fit::Cut, _) => cell.fit(widths[at]),
        });
        fitted.collect()
    };
    let rows = cells.iter().zip(regions.iter().zip(&names)).map(row);
    let headings = columns.iter().zip(&widths).map(|(column, &width)| cut(column.heading(wide), width)).collect();
    Grid { columns: columns.to_vec(), headings, rows: rows.collect(), widths }
}

/// Distributes the width: numbers keep theirs; names share the rest, short ones giving their surplus to long ones. None
/// gets less than `least`, unless its natural width is smaller.
fn share(columns: &[Column], natural: &[usize], total: usize, least: usize) -> Vec<usize> {
    let gaps = GAP_COLUMNS * columns.len().saturating_sub(1);
    let numbers: usize =
        columns.iter().zip(natural).filter(|(column, _)| !column.is_name()).map(|(_, width)| width).sum();
    let mut room = total.saturating_sub(gaps + numbers);
    let mut widths = natural.to_vec();
    let mut names: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].is_name()).collect();
    names.sort_by_key(|&at| natural[at]);
    for (done, &at) in names.iter().enumerate() {
        widths[at] = natural[at].min((room / (names.len() - done)).max(least));
        room = room.saturating_sub(widths[at]);
    }
    widths
}

/// A cell before it is fitted: a name between a word before and a word behind, or plain text.
struct Cell {
    before: &'static str,
    class: String,
    behind: String,
}

impl Cell {
    fn text(text: String) -> Self {
        Self { before: "", class: text, behind: String::new() }
    }

    fn natural_width(&self) -> usize {
        width(&plain(&self.whole()))
    }

    fn whole(&self) -> String {
        plain(&format!("{}{}{}", self.before, self.class, self.behind)).into_owned()
    }

    /// Fits the cell: the name is shortened down to its simple form, then the words around it are dropped, then the
    /// name is cut.
    fn fit(&self, columns: usize) -> String {
        let around = width(self.before) + width(&self.behind);
        if around + width(simple_name(&self.class)) <= columns {
            return format!("{}{}{}", self.before, fit_class(&self.class, columns - around), self.behind);
        }
        fit_class(&self.class, columns)
    }
}

/// Fits a place, whose end is the most informative part:
/// `▲ SessionService.sessions (HashMap)` → `▲ SessionService.sessions` → `▲ …e.sessions`.
fn fit_structure(region: &Region, whole: &str, columns: usize) -> String {
    let mark = mark(region);
    let room = columns.saturating_sub(width(mark));
    let name = Holder::of(region).name;
    let fitted = if width(&plain(whole)) <= room { plain(whole).into_owned() } else { cut_front(&name, room) };
    format!("{mark}{fitted}")
}

fn mark(region: &Region) -> &'static str {
    if region.is_grower() || region.has_more() { GROWS } else { STANDS }
}

fn cell(column: Column, (region, structure): (&Region, &str), wide: bool) -> Cell {
    let name = |before, class: &str, behind| Cell { before, class: class.to_owned(), behind };
    match column {
        Column::Structure => name(mark(region), structure, String::new()),
        Column::Elements => Cell::text(units::grouped(size(region))),
        Column::Gains => Cell::text(change(region).and(region.rate_per_min).map_or_else(unknown, gains)),
        Column::PerHour => Cell::text(change(region).and(region.bytes_per_hour).map_or_else(unknown, signed_bytes)),
        Column::FullIn => Cell::text(region.time_to_full_s.map_or_else(unknown, units::duration_s)),
        Column::State => Cell::text(verdict::state(region).to_owned()),
        Column::AddedAt => {
            let first = region.allocation_sites.first().and_then(|site| site.frames.first());
            Cell::text(first.map_or_else(unknown, Frame::place))
        }
        Column::Rank => Cell::text(units::rank(region.rank)),
        Column::Root => name("", &region.leak_root.class, format!(" {}", region.leak_root.kind)),
        Column::Owner => name("", &region.owner_proxy.class, owner_field(region)),
        Column::Change => name(if wide { "by type:" } else { "" }, region.counted_class(), String::new()),
        Column::Leakages => Cell::text(units::count(region.leakages())),
        Column::Trend => Cell::text(trend(region).to_owned()),
        Column::Tick => Cell::text(region.tick.map_or(UNKNOWN, Trend::name).to_owned()),
        Column::Rate => Cell::text(estimate(
            region.rate_per_min,
            units::undirected(region.rate_low, region.rate_high),
            units::rate_per_min,
        )),
        Column::Bytes => Cell::text(estimate(
            region.bytes_per_hour,
            units::undirected(region.bytes_per_hour_low, region.bytes_per_hour_high),
            units::bytes_per_hour,
        )),
    }
}

fn unknown() -> String {
    UNKNOWN.to_owned()
}

/// Elements at the last visit or in the last dump; before a visit the number of new ones in the capture.
fn size(region: &Region) -> u64 {
    let seen = region.history.last().map(|(_, size)| (size.max(0.0) * region.entries_each()).round() as u64);
    region.sizes.last().copied().or(seen).unwrap_or_else(|| region.leakages())
}

/// `Some` for a region that changes for good; the rate of any other is noise.
fn change(region: &Region) -> Option<()> {
    let is_lasting = matches!(region.trend, Some(Trend::Grower | Trend::Shrinker)) || region.has_more();
    is_lasting.then_some(())
}

/// `+6,000/min`, `+30/h`.
fn gains(per_min: f64) -> String {
    let (number, unit) = units::pace(per_min);
    let sign = if per_min < 0.0 { "-" } else { "+" };
    format!("{sign}{number}/{}", if unit == "an hour" { "h" } else { "min" })
}

fn signed_bytes(per_hour: f64) -> String {
    let sign = if per_hour < 0.0 { "-" } else { "+" };
    format!("{sign}{}", units::bytes(per_hour.abs()))
}

/// `+212/min`; `±212/min` where not even the direction is known, and the rate is at most this large.
fn estimate(value: Option<f64>, undirected: Option<f64>, text: fn(f64) -> String) -> String {
    match (value, undirected) {
        (Some(_), Some(most)) if text(most) != text(0.0) => format!("±{}", text(most).trim_start_matches('+')),
        (Some(value), _) => text(value),
        (None, _) => UNKNOWN.to_owned(),
    }
}

/// Two vectors of one root differ by the field that holds them: ` .orders`.
fn owner_field(region: &Region) -> String {
    let owner = &region.owner_proxy;
    let times = units::times(region.alike);
    match owner.path.last_named() {
        turns if owner.kind == Kind::Object && !turns.is_empty() => {
            let field: String = turns.iter().map(Turn::to_string).collect();
            format!(" {field}{times}")
        }
        _ => format!(" {}{times}", owner.kind),
    }
}

/// The trend, or the reason why there is none.
#[must_use]
pub fn trend(region: &Region) -> &'static str {
    match region.trend {
        Some(trend) => trend.name(),
        None if region.untracked.is_some() => "untracked",
        None => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::report::Fingerprint;
    use crate::report::samples::figure_5;

    #[test]
    fn a_structure_loses_its_kind_first_and_the_beginning_of_its_name_next() {
        let region = figure_5().regions.remove(0);
        let fitted = [40, 34, 25, 14, 2].map(|columns| fit_structure(&region, &holder::structure(&region), columns));
        let whole = "▲ SimpleLeaker.integers (Vector)";
        assert_eq!(fitted, [whole, whole, "▲ SimpleLeaker.integers", "▲ …er.integers", "▲ "]);
    }

    #[test]
    fn what_grows_stands_first_unless_the_columns_are_the_papers() {
        let mut report = figure_5();
        report.regions.reverse();
        let grows = |set| rows(&report, set).iter().map(|region| region.is_grower()).collect::<Vec<_>>();
        assert_eq!(grows(ColumnSet::Plain), [true, true, true, false, false]);
        assert_eq!(grows(ColumnSet::Leakbot), [false, false, true, true, true]);
    }

    #[test]
    fn a_part_of_a_listed_structure_has_no_row_of_its_own() {
        let mut report = figure_5();
        assert_eq!(parts_left_out(&report, ColumnSet::Plain), None);
        report.regions[1].within = Some(report.regions[0].fingerprint);
        report.regions[2].within = Some(Fingerprint(0));
        assert_eq!(rows(&report, ColumnSet::Plain).len(), report.regions.len() - 1, "the whole of one is not listed");
        assert_eq!(rows(&report, ColumnSet::Leakbot).len(), report.regions.len());
        let text = parts_left_out(&report, ColumnSet::Plain).unwrap();
        assert_eq!(text, "1 part of these structures has no row: --columns leakbot lists all.");
        assert_eq!(parts_left_out(&report, ColumnSet::Leakbot), None);
        let in_step = Region { in_step: true, ..report.regions[1].clone() };
        let own = Report { regions: vec![report.regions[0].clone(), in_step], ..report.clone() };
        assert_eq!(rows(&own, ColumnSet::Plain).len(), 2, "what gains in step has its own members");
        (report.regions[3].trend, report.regions[3].untracked) = (None, Some(Untracked::Part));
        let text = parts_left_out(&report, ColumnSet::Plain).unwrap();
        let both = "1 part of these structures and 1 candidate that is not watched have no row";
        assert!(text.starts_with(both), "{text}");
    }

    #[test]
    fn a_change_has_its_sign_and_its_unit() {
        assert_eq!([6_000.0, 0.5, -3.0].map(gains), ["+6,000/min", "+30/h", "-3/min"]);
        assert_eq!(signed_bytes(-2048.0), "-2.0 KB");
    }

    #[test]
    fn an_estimate_that_may_go_either_way_has_no_sign_of_its_own() {
        let shown =
            |value, low, high| estimate(Some(value), units::undirected(Some(low), Some(high)), units::rate_per_min);
        assert_eq!(shown(212.0, 180.0, 244.0), "+212/min");
        assert_eq!(shown(8_323.0, -20_000.0, 36_646.0), "±36646/min");
        assert_eq!(shown(0.01, -0.01, 0.03), "0/min");
        assert_eq!(shown(0.0, 0.0, 0.0), "0/min");
    }
}
