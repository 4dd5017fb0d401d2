//! Growers that other growers explain, marked in the rows of a report ([`crate::relations`]).

use super::rows::Row;
use crate::relations::{Growth, Relations, Rule, Weighed};
use crate::report::{Note, Region};

/// Marks growers that others explain, discounts them, and orders all by rank again. `counts` gives the exact sizes of a
/// row, by which it goes in step with others. The rows must stand in the order of their ranks. A row that its standing has
/// discounted already is not discounted again. A row that another of its own place explains is the same growth, found by
/// another owner: it is taken out.
pub(super) fn attribute(rows: &mut Vec<Row>, relations: &Relations, counts: impl Fn(&Row) -> Vec<(f64, f64)>) {
    let counts: Vec<Vec<(f64, f64)>> = rows.iter().map(counts).collect();
    let now_s = rows.iter().filter_map(|row| row.region.history.last()).map(|point| point.0).fold(0.0, f64::max);
    let weighed = |(row, history): (&Row, _)| Weighed { region: row.at, growth: growth(&row.region, now_s), history };
    let weighed: Vec<Weighed<'_>> = rows.iter().zip(counts.iter().map(Vec::as_slice)).map(weighed).collect();
    let explained = relations.explain(&weighed);
    for (inner, found) in explained.into_iter().enumerate() {
        let Some(found) = found else { continue };
        let outer = &rows[found.by].region;
        let in_step = found.rule == Rule::InStep;
        if in_step && outer.fingerprint == rows[inner].region.fingerprint {
            continue;
        }
        let (note, fingerprint) = (note(found.rule, outer, &rows[inner].region), outer.fingerprint);
        let Row { footing, region, .. } = &mut rows[inner];
        region.note.get_or_insert(note);
        (region.within, region.in_step) = (Some(fingerprint), in_step);
        region.rank /= (found.rule.discount() / footing.divisor).max(1.0);
    }
    rows.retain(|row| row.region.within != Some(row.region.fingerprint));
    rows.sort_by(|a, b| b.region.rank.total_cmp(&a.region.rank));
}

fn note(rule: Rule, outer: &Region, inner: &Region) -> Note {
    let class = outer.change_proxy.class.clone();
    let shared = inner.also_held_by.iter().find(|shared| shared.place == outer.owner_proxy.path);
    match rule {
        Rule::Jointly | Rule::Whole => {
            let class = shared.map_or(class, |shared| shared.class.clone());
            Note::SharesWith { class, place: outer.owner_proxy.path.clone() }
        }
        Rule::Keeper => Note::GrowsWithKeeper { class, place: outer.owner_proxy.path.clone() },
        Rule::Beside => Note::GrowsBeside { class },
        Rule::InStep => Note::GrowsInStep { class, place: outer.owner_proxy.path.clone() },
        _ => Note::GrowsWithin { class },
    }
}

/// Growth in change-proxies; `None` for a region that is no grower. Sizes are compared at one time: one that only
/// captures know may be half a minute old.
fn growth(region: &Region, now_s: f64) -> Option<Growth> {
    let &(at_s, size) = region.history.last().filter(|point| region.is_grower() && point.1 > 0.0)?;
    let per_min = region.rate_per_min? / region.entries_each();
    Some(Growth { per_min, size: size + per_min / 60.0 * (now_s - at_s) })
}

#[cfg(test)]
#[path = "explained_growth_tests.rs"]
mod tests;
