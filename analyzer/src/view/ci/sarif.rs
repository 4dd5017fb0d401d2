//! Findings as SARIF 2.1.0 (OASIS), the format of code scanners. Known leaks are suppressed results.
//!
//! Only the parts of the format that are used are declared here; a test checks them against its schema. See
//! docs/decisions/0041-forms-for-build-servers.md.

use crate::gate::{Finding, Gate, Outcome, Standing, Subject};
use crate::report::Frame;
use crate::view::check;
use crate::view::ci::details;
use crate::view::json::to_json;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use std::collections::BTreeMap;

/// The schema that the format names for itself.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The only rule.
const RULE: &str = "growing-structure";

/// Name of our fingerprint in results.
const FINGERPRINT: &str = "rootbound/1";

/// Letters that a path in a URI may have.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_').remove(b'~');

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: [Rule; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: &'static str,
    short_description: Message,
    full_description: Message,
    help: Message,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: u32,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stacks: Vec<Stack>,
    suppressions: Vec<Suppression>,
    properties: Properties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Lines>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Lines {
    start_line: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
}

#[derive(Serialize)]
struct Stack {
    message: Message,
    frames: Vec<StackFrame>,
}

#[derive(Serialize)]
struct StackFrame {
    location: Location,
}

#[derive(Serialize)]
struct Suppression {
    kind: &'static str,
    status: &'static str,
    justification: String,
}

/// Numbers for other programs, as in `rootbound.report/1`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties {
    jvm: String,
    rate_per_min: Option<f64>,
    bytes_per_hour: Option<f64>,
    bytes_per_hour_low: Option<f64>,
    bytes_per_hour_high: Option<f64>,
    time_to_full_s: Option<f64>,
    confidence: Option<f64>,
}

/// The whole log as text that ends with a newline.
///
/// # Errors
/// The errors of the serializer.
pub fn text(gate: &Gate) -> serde_json::Result<String> {
    let results =
        gate.subjects().iter().flat_map(|subject| subject.findings.iter().map(|finding| result(subject, finding)));
    let run = Run {
        tool: Tool { driver: driver() },
        invocations: [invocation(gate)],
        column_kind: "unicodeCodePoints",
        results: results.collect(),
    };
    to_json(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] })
}

fn message(text: impl Into<String>) -> Message {
    Message { text: text.into() }
}

fn driver() -> Driver {
    let rule = Rule {
        id: RULE,
        name: "GrowingStructure",
        short_description: message("A data structure grows without bound."),
        full_description: message(
            "While the program ran, this data structure gained elements to the end and gave none back. It fills the \
             heap at this rate.",
        ),
        help: message(
            "Bound the structure, or remove each element when its life ends. The leak trace leads from a root to the \
             reference that grows; the stacks show the code that adds elements.",
        ),
        default_configuration: Configuration { level: "error" },
    };
    Driver { name: "Rootbound", version: env!("CARGO_PKG_VERSION"), rules: [rule] }
}

/// A run that judged nothing was not successful.
fn invocation(gate: &Gate) -> Invocation {
    let unjudged = gate.subjects().iter().filter(|subject| !subject.is_judged);
    let notification = |subject: &Subject| {
        let text = format!("Nothing was judged in {}: {}", subject.name(), subject.summary);
        Notification { level: "warning", message: message(text) }
    };
    Invocation {
        execution_successful: gate.outcome() != Outcome::Unjudged,
        tool_execution_notifications: unjudged.map(notification).collect(),
    }
}

fn result(subject: &Subject, finding: &Finding) -> SarifResult {
    let region = &finding.region;
    let accepted = finding.accepted().map(|leak| Suppression {
        kind: "external",
        status: "accepted",
        justification: check::acceptance(leak),
    });
    let sites = region.allocation_sites.iter().map(|site| Stack {
        message: message(format!("{} samples", site.samples)),
        frames: site.frames.iter().map(frame).collect(),
    });
    SarifResult {
        rule_id: RULE,
        rule_index: 0,
        level: if finding.fails() { "error" } else { "warning" },
        message: message(details(finding).join("\n")),
        locations: [location(finding)],
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, region.fingerprint.to_string())]),
        baseline_state: matches!(finding.standing, Standing::Grew).then_some("unchanged"),
        stacks: sites.collect(),
        suppressions: accepted.into_iter().collect(),
        properties: Properties {
            jvm: subject.name(),
            rate_per_min: region.rate_per_min,
            bytes_per_hour: region.bytes_per_hour,
            bytes_per_hour_low: region.bytes_per_hour_low,
            bytes_per_hour_high: region.bytes_per_hour_high,
            time_to_full_s: region.time_to_full_s,
            confidence: region.confidence,
        },
    }
}

fn location(finding: &Finding) -> Location {
    let physical_location = finding.source.as_ref().map(|source| PhysicalLocation {
        artifact_location: ArtifactLocation { uri: utf8_percent_encode(&source.file, IN_PATH).to_string() },
        region: source.line.filter(|line| *line > 0).map(|start_line| Lines { start_line }),
    });
    let fully_qualified_name = finding.region.owner_proxy.path.to_string();
    Location { physical_location, logical_locations: vec![LogicalLocation { fully_qualified_name }] }
}

fn frame(frame: &Frame) -> StackFrame {
    let logical_locations = vec![LogicalLocation { fully_qualified_name: frame.to_string() }];
    StackFrame { location: Location { physical_location: None, logical_locations } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{figure_5, healthy, waiting};
    use crate::view::ci::samples::{gate, hostile, named};
    use serde_json::Value;

    /// The schema of OASIS, as its technical committee publishes it.
    const OASIS: &str = include_str!("../../../tests/data/sarif-schema-2.1.0.json");

    fn written(gate: &Gate) -> Value {
        serde_json::from_str(&text(gate).unwrap()).unwrap()
    }

    #[test]
    fn figure_5_as_sarif() {
        let text = text(&gate(&["grower"], &figure_5())).unwrap();
        insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    }

    #[test]
    fn each_log_fits_the_schema() {
        // One pattern of the published schema, on languages, has a bracket too many.
        let schema = OASIS.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
        let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
        for report in [figure_5(), healthy(), waiting(), hostile()] {
            for conditions in [&["grower"][..], &[]] {
                let log = written(&gate(conditions, &report));
                let errors: Vec<String> = schema.iter_errors(&log).map(|error| error.to_string()).collect();
                assert!(errors.is_empty(), "{errors:?}\n{log:#}");
            }
        }
        let mut bad = written(&gate(&["grower"], &figure_5()));
        bad["runs"][0]["results"][0]["level"] = Value::from("fatal");
        assert!(!schema.is_valid(&bad), "the schema is read");
    }

    #[test]
    fn known_leaks_are_suppressed_and_nothing_judged_is_no_success() {
        let results = written(&gate(&["grower"], &figure_5()))["runs"][0]["results"].clone();
        let suppressed = results.as_array().unwrap().iter().map(|one| one["suppressions"].as_array().unwrap().len());
        assert_eq!(suppressed.collect::<Vec<_>>(), [0, 1, 0]);
        assert_eq!(written(&gate(&["grower"], &waiting()))["runs"][0]["invocations"][0]["executionSuccessful"], false);
        assert_eq!(written(&gate(&["grower"], &healthy()))["runs"][0]["invocations"][0]["executionSuccessful"], true);
    }

    #[test]
    fn hostile_names_are_kept_in_the_data_and_encoded_in_the_address() {
        let log = written(&gate(&["grower"], &hostile()));
        let location = &log["runs"][0]["results"][0]["locations"][0];
        let uri = location["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.is_ascii() && !uri.contains(['<', ' ', '\n', '"', '#', '?']), "{uri}");
        assert!(location["logicalLocations"][0]["fullyQualifiedName"].as_str().unwrap().contains(named::NAME));
    }
}
