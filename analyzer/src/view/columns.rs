//! The trend table as rows of fitted cells: the columns of LeakBot's Figure 5, plus the rate. It never wraps: narrow
//! terminals get fewer columns, and names lose their middle.

use crate::naming::Turn;
use crate::naming::class::simple_name;
use crate::report::{Kind, Region, Trend};
use crate::units::{self, UNKNOWN};
use crate::view::names::{cut, fit_class, width};

/// Blanks between two columns.
pub const GAP_COLUMNS: usize = 2;

/// A column of the trend table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
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

    /// Whether its cells stand at the right: numbers do.
    #[must_use]
    pub fn is_number(self) -> bool {
        matches!(self, Self::Rank | Self::Leakages | Self::Rate | Self::Bytes)
    }

    fn is_name(self) -> bool {
        matches!(self, Self::Root | Self::Owner | Self::Change)
    }
}

/// The table, fitted: as many widths and cells a row as columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Which columns, from the left.
    pub columns: Vec<Column>,
    /// Headings, fitted.
    pub headings: Vec<String>,
    /// Width of each column.
    pub widths: Vec<usize>,
    /// One row a region, in their order.
    pub rows: Vec<Vec<String>>,
}

/// Columns that a terminal of `total` columns has room for.
fn choose(total: usize) -> (&'static [Column], bool) {
    use Column::{Bytes, Change, Leakages, Owner, Rank, Rate, Root, Tick, Trend};
    match total {
        0..44 => (&[Change, Leakages, Trend], false),
        44..64 => (&[Owner, Change, Leakages, Trend, Rate], false),
        64..104 => (&[Rank, Root, Owner, Change, Leakages, Trend, Rate], false),
        104..132 => (&[Rank, Root, Owner, Change, Leakages, Trend, Tick, Rate], true),
        _ => (&[Rank, Root, Owner, Change, Leakages, Trend, Tick, Rate, Bytes], true),
    }
}

/// Fits `regions` into `total` columns.
#[must_use]
pub fn grid(regions: &[Region], total: usize) -> Grid {
    let (columns, wide) = choose(total);
    let cells: Vec<Vec<Cell>> =
        regions.iter().map(|region| columns.iter().map(|&column| cell(column, region, wide)).collect()).collect();
    let natural: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let widest = cells.iter().map(|row| row[at].natural_width()).max().unwrap_or(0);
            widest.max(width(column.heading(wide)))
        })
        .collect();
    let widths = share(columns, &natural, total);
    let fitted = |row: &Vec<Cell>| row.iter().zip(&widths).map(|(cell, &width)| cell.fit(width)).collect();
    let headings = columns.iter().zip(&widths).map(|(column, &width)| cut(column.heading(wide), width)).collect();
    Grid { columns: columns.to_vec(), headings, rows: cells.iter().map(fitted).collect(), widths }
}

/// Numbers keep their width; names share what is left, short ones giving their surplus to long ones.
fn share(columns: &[Column], natural: &[usize], total: usize) -> Vec<usize> {
    let gaps = GAP_COLUMNS * columns.len().saturating_sub(1);
    let numbers: usize =
        columns.iter().zip(natural).filter(|(column, _)| !column.is_name()).map(|(_, width)| width).sum();
    let mut room = total.saturating_sub(gaps + numbers);
    let mut widths = natural.to_vec();
    let mut names: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].is_name()).collect();
    names.sort_by_key(|&at| natural[at]);
    for (done, &at) in names.iter().enumerate() {
        widths[at] = natural[at].min(room / (names.len() - done));
        room -= widths[at];
    }
    widths
}

/// A cell before it is fitted: a class name between a word before and a word behind, or plain text.
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
        width(self.before) + width(&self.class) + width(&self.behind)
    }

    /// The name gives way down to its simple form, then the words around it go, then the name is cut.
    fn fit(&self, columns: usize) -> String {
        let around = width(self.before) + width(&self.behind);
        if around + width(simple_name(&self.class)) <= columns {
            return format!("{}{}{}", self.before, fit_class(&self.class, columns - around), self.behind);
        }
        fit_class(&self.class, columns)
    }
}

fn cell(column: Column, region: &Region, wide: bool) -> Cell {
    let name = |before, class: &str, behind| Cell { before, class: class.to_owned(), behind };
    match column {
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

/// `+212/min`; `±212/min` where not even the direction is known, and it is at most so much.
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

/// The trend, or why there is none.
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
    use super::*;

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
