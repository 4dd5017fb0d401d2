//! Two runs compared, as a table.

use crate::gate::comparison::{Change, Compared, Comparison, Course, Side};
use crate::units;
use crate::view::plain::line;

/// The comparison as text: a sentence, the two runs, and a line for each structure.
///
/// ```text
/// 1 new, 1 faster, 2 the same: structures that grow
/// before  before.json · shop.Main, process 4711 · 5 min · 3 structures grow
/// after   after.json · shop.Main, process 4720 · 5 min · 4 structures grow
///
/// new     com.example.Shop.sessions (HashMap) gains Session: 6.3 MB/h (6.1 to 6.5)   fingerprint 1d82c94f9eff2a82
/// ```
#[must_use]
pub fn text(comparison: &Comparison) -> String {
    let mut out = String::new();
    line(&mut out, &head(comparison));
    line(&mut out, &side("before", &comparison.before));
    line(&mut out, &side("after", &comparison.after));
    if !comparison.structures.is_empty() {
        line(&mut out, "");
    }
    comparison.structures.iter().for_each(|compared| line(&mut out, &structure(compared)));
    out
}

fn head(comparison: &Comparison) -> String {
    let of = |change: Change| comparison.structures.iter().filter(|compared| compared.change == change).count();
    let all = Change::NAMES.iter().filter_map(|name| Change::named(name));
    let counts: Vec<String> =
        all.filter(|change| of(*change) > 0).map(|change| format!("{} {change}", of(change))).collect();
    if counts.is_empty() {
        return "No structure grows in either run.".to_owned();
    }
    format!("Structures that grow: {}.", counts.join(", "))
}

fn side(label: &str, side: &Side) -> String {
    let jvm = side.jvm.as_ref().map_or_else(String::new, |jvm| format!(" · {}, process {}", jvm.main, jvm.pid));
    let grow = match (side.judged, side.growers) {
        (false, _) => "nothing judged".to_owned(),
        (true, 1) => "1 structure grows".to_owned(),
        (true, count) => format!("{} grow", units::counted(count, "structure")),
    };
    let time = if side.jvm.is_some() { format!(" · {}", units::duration_s(side.duration_s)) } else { String::new() };
    format!("{label:<8}{}{jvm}{time} · {grow}", side.file)
}

fn structure(compared: &Compared) -> String {
    let rates = match (compared.change, compared.before, compared.after) {
        (Change::Faster | Change::Slower | Change::Same | Change::Larger | Change::Smaller, Some(was), Some(is)) => {
            format!("{} → {}", rate(&was), rate(&is))
        }
        (Change::Gone | Change::Unknown, Some(was), after) if !is_growing(after) => format!("was {}", rate(&was)),
        (_, _, Some(is)) => rate(&is),
        (_, was, None) => was.map_or_else(String::new, |was| rate(&was)),
    };
    format!(
        "{:<8}{}: {} {rates} · fingerprint {}",
        compared.change, compared.structure, compared.element, compared.fingerprint
    )
}

fn is_growing(course: Option<Course>) -> bool {
    course.is_some_and(|course| course.trend == Some(crate::report::Trend::Grower))
}

/// `6.3 MB/h (6.1 MB/h to 6.5 MB/h)`; for dumps, which have sizes, `8,100 objects`.
fn rate(course: &Course) -> String {
    if let Some(size) = course.size {
        return format!("{} objects", units::grouped(size));
    }
    let interval = course.bytes_per_hour_low.zip(course.bytes_per_hour_high);
    match (course.bytes_per_hour, interval, course.rate_per_min) {
        (Some(rate), Some((low, high)), _) => {
            let [rate, low, high] = [rate, low, high].map(units::bytes_per_hour);
            format!("{rate} ({low} to {high})")
        }
        (Some(rate), None, _) => units::bytes_per_hour(rate),
        (None, _, Some(rate)) => units::rate_per_min(rate),
        (None, _, None) => "at an unknown rate".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::comparison::compare;
    use crate::report::samples::{figure_5, healthy, waiting};

    #[test]
    fn two_runs_side_by_side() {
        let mut after = figure_5();
        after.regions[0].bytes_per_hour = Some(921_600.0);
        after.regions[0].bytes_per_hour_low = Some(910_000.0);
        after.regions[0].bytes_per_hour_high = Some(931_600.0);
        after.regions.remove(1);
        let mut before = figure_5();
        before.regions.remove(2);
        insta::assert_snapshot!(text(&compare(("before.json", &before), ("after.json", &after))));
    }

    #[test]
    fn a_run_without_evidence_is_no_proof() {
        let text = text(&compare(("a", &waiting()), ("b", &figure_5())));
        assert!(text.contains("3 unknown") && text.contains("a · nothing judged"), "{text}");
    }

    #[test]
    fn nothing_that_grows_is_one_sentence() {
        let text = text(&compare(("a", &healthy()), ("b", &healthy())));
        assert!(text.starts_with("No structure grows in either run.\n"), "{text}");
    }
}
