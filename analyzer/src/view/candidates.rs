//! The best leak roots in a short table, for a report in which no region grows: then the ranks are all that there is,
//! and LeakBot's threshold says what they are worth (Appendix B, §3.6).

use crate::report::{Kind, LeakRoot, Ranking, Region, Report};
use crate::units;
use crate::view::names::{pad_left, wrap};
use crate::view::plain::line;

/// Rows of the table.
const ROWS: usize = 5;

/// The section; empty before an analysis, and where a region grows.
#[must_use]
pub fn section(report: &Report, columns: usize) -> String {
    let mut out = String::new();
    let grows = |region: &Region| region.is_grower() || region.trend.is_none() && region.has_more();
    let Some(ranking) = report.ranking.filter(|_| !report.regions.iter().any(grows)) else { return out };
    out.push('\n');
    wrap(&headline(report, &ranking), columns).iter().for_each(|text| line(&mut out, text));
    let rows: Vec<[String; 2]> = report.leak_roots.iter().take(ROWS).map(figures).collect();
    let widest = rows.iter().map(|row| row[1].chars().count()).max().unwrap_or(0);
    for (root, [rank, owns]) in report.leak_roots.iter().zip(&rows) {
        let figures = format!("  {rank}  {}  ", pad_left(owns, widest));
        let indent = figures.chars().count();
        for (at, text) in wrap(&named(root), columns.saturating_sub(indent)).iter().enumerate() {
            let before = if at == 0 { figures.clone() } else { " ".repeat(indent) };
            line(&mut out, &format!("{before}{text}"));
        }
    }
    out
}

/// `Leak roots: none of 12 candidates is above 0.4`.
fn headline(report: &Report, ranking: &Ranking) -> String {
    let (threshold, count) = (ranking.threshold, ranking.survivors.t4);
    match (report.leak_roots.is_empty(), ranking.above_threshold) {
        (true, _) => "Leak roots: no object is a candidate".to_owned(),
        (false, 0) => format!("Leak roots: none above {threshold}, of {}", units::counted(count, "candidate")),
        (false, above) => {
            let above = units::count(above);
            format!("Leak roots: {above} above {threshold}, of {}", units::counted(count, "candidate"))
        }
    }
}

fn figures(root: &LeakRoot) -> [String; 2] {
    let objects = units::counted(root.owned_objects, "object");
    [units::rank(root.rank), format!("{objects}, {}", units::bytes(root.owned_bytes as f64))]
}

/// The class of the root, and the way to it where that is not the class itself.
fn named(root: &LeakRoot) -> String {
    if root.kind == Kind::Class {
        return format!("class {}", root.class);
    }
    let way: Vec<String> = root.reached_from.iter().map(ToString::to_string).collect();
    if way.is_empty() { root.class.clone() } else { format!("{} ← {}", root.class, way.join(" → ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{figure_5, healthy, waiting};

    #[test]
    fn a_healthy_program_has_no_leak_root_above_the_threshold() {
        let mut report = healthy();
        report.leak_roots = figure_5().leak_roots;
        report.leak_roots[0].rank = 0.23;
        let text = section(&report, 80);
        assert!(text.starts_with("\nLeak roots: none above 0.4, of 3 candidates\n  0.23"), "{text}");
        report.ranking = report.ranking.map(|ranking| Ranking { above_threshold: 1, ..ranking });
        assert!(section(&report, 80).contains("1 above 0.4, of 3 candidates"));
        report.leak_roots.clear();
        assert_eq!(section(&report, 80), "\nLeak roots: no object is a candidate\n");
    }

    #[test]
    fn where_a_region_grows_or_nothing_was_ranked_there_is_no_section() {
        assert_eq!(section(&figure_5(), 80), "");
        assert_eq!(section(&waiting(), 80), "");
    }
}
