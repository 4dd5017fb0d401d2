//! `--infer`: the shapes of growing structures as descriptions, without the types that shipped files describe.

use rootbound::report::{Region, Report};
use rootbound::structures::Language;
use rootbound::structures::language::parse;
use rootbound::structures::shipped::SHIPPED;
use std::collections::BTreeSet;

/// The descriptions as a file for `--dsl`; comments say where each structure is.
pub(crate) fn text(report: &Report) -> String {
    let mut known = shipped_types();
    let grows: Vec<&Region> = report.regions.iter().filter(|region| region.is_grower()).collect();
    let regions = if grows.is_empty() { report.regions.iter().collect() } else { grows };
    let mut text = String::new();
    for region in regions {
        let lines: Vec<&String> =
            region.description.iter().filter(|line| described(line).is_none_or(|of| known.insert(of))).collect();
        if !lines.is_empty() {
            text.push_str(&format!("// {}, gains {}\n", region.owner_proxy.path, region.change_proxy.class));
            lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        }
    }
    let head = "\n// Inferred descriptions: correct them, and use them with --dsl FILE.\n";
    match text.is_empty() {
        true => "\n// No descriptions to infer: shipped ones have the types of all these structures.\n".to_owned(),
        false => format!("{head}{text}"),
    }
}

fn shipped_types() -> BTreeSet<String> {
    let mut language = Language::new();
    SHIPPED.into_iter().filter_map(|shipped| shipped.descriptions().ok()).for_each(|file| language.add(file));
    language.descriptions().map(|(_, description)| description.of.to_string()).collect()
}

/// The type that a line describes; `None` where no file could have it, so that the user sees it.
fn described(line: &str) -> Option<String> {
    let file = parse("inferred", line).ok()?;
    file.descriptions.first().map(|description| description.of.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_its_type() {
        assert_eq!(described("DS a.B { a.C[]; }").as_deref(), Some("a.B"));
        assert_eq!(described("DS java.lang.Class<a.B> { a.C; }").as_deref(), Some("java.lang.Class<a.B>"));
        assert_eq!(described("a.C { a.C; (*); }").as_deref(), Some("a.C"));
        assert_eq!(described("nonsense"), None);
        assert!(shipped_types().contains("java.util.Vector"));
    }
}
