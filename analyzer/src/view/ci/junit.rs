//! Findings as JUnit XML: a suite, in it a case for each JVM and a case for each structure that grows. Known leaks are
//! skipped cases; a JVM of which nothing was judged is an error where a condition was given.

use crate::gate::{Finding, Gate, Outcome, Subject};
use crate::view::check;
use crate::view::ci::details;
use crate::view::plain::plain;
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The name of the suite.
const SUITE: &str = "rootbound";

/// The name of the case of a JVM.
const CASE: &str = "no structure grows without bound";

/// The XML, which ends with a newline.
///
/// # Errors
/// The errors of the serializer.
pub fn text(gate: &Gate) -> Result<String, SerializeError> {
    let mut suite = TestSuite::new(SUITE);
    for subject in gate.subjects() {
        suite.add_test_case(whole(gate, subject));
        suite.add_test_cases(subject.findings.iter().map(|finding| single(gate, subject, finding)));
    }
    let mut report = Report::new(SUITE);
    report.add_test_suite(suite);
    let text = for_strict_readers(&report.to_string()?);
    Ok(if text.ends_with('\n') { text } else { text + "\n" })
}

/// Removes `skipped` from the root, where the schema of Jenkins' xUnit plugin has no such attribute. The suite keeps
/// it.
fn for_strict_readers(text: &str) -> String {
    let root = text.find("<testsuites").and_then(|from| Some(from..from + text.get(from..)?.find('>')?));
    let Some((root, tag)) = root.and_then(|root| Some((root.clone(), text.get(root)?))) else { return text.to_owned() };
    let kept = tag.split(' ').filter(|attribute| !attribute.starts_with("skipped=")).collect::<Vec<_>>().join(" ");
    [text.get(..root.start).unwrap_or_default(), &kept, text.get(root.end..).unwrap_or_default()].concat()
}

/// The case of a JVM.
fn whole(gate: &Gate, subject: &Subject) -> TestCase {
    let failing: Vec<&Finding> = subject.findings.iter().filter(|finding| finding.fails()).collect();
    let status = match failing[..] {
        [] if subject.is_judged || gate.outcome() == Outcome::Unasked => TestCaseStatus::success(),
        [] => failed(NonSuccessKind::Error, "nothing was judged", &plain(&subject.summary)),
        _ => {
            let all = failing.iter().map(|finding| plain(&finding.sentence()).into_owned()).collect::<Vec<_>>();
            failed(NonSuccessKind::Failure, "structures grow without bound", &all.join("\n"))
        }
    };
    case(CASE, gate, subject, status)
}

/// The case of a structure.
fn single(gate: &Gate, subject: &Subject, finding: &Finding) -> TestCase {
    let name = format!("{} [{}]", plain(&finding.structure()), finding.region.fingerprint);
    let details = details(finding).join("\n");
    let status = match finding.accepted() {
        Some(leak) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(plain(&format!("known leak, {}", check::acceptance(leak))));
            status.set_description(details);
            status
        }
        None if finding.fails() => failed(NonSuccessKind::Failure, &plain(&finding.sentence()), &details),
        None => {
            let mut case = case(&name, gate, subject, TestCaseStatus::success());
            case.set_system_out(details);
            return case;
        }
    };
    case(&name, gate, subject, status)
}

/// The main class of a JVM, so that a build server finds the case of the last build again. The process id is added only
/// where several JVMs have that class.
fn class(gate: &Gate, subject: &Subject) -> String {
    let main = |subject: &Subject| subject.jvm.as_ref().map(|jvm| jvm.main.clone()).filter(|main| !main.is_empty());
    let own = main(subject);
    let is_only = gate.subjects().iter().filter(|other| main(other) == own).count() == 1;
    own.filter(|_| is_only).unwrap_or_else(|| subject.name())
}

fn failed(kind: NonSuccessKind, message: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(message).set_type("growth").set_description(description);
    status
}

fn case(name: &str, gate: &Gate, subject: &Subject, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(plain(&class(gate, subject)));
    case.set_time(Duration::try_from_secs_f64(subject.duration_s).unwrap_or_default());
    case
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{figure_5, healthy, waiting};
    use crate::view::ci::samples::{gate, hostile};

    #[test]
    fn figure_5_as_junit() {
        insta::assert_snapshot!(text(&gate(&["grower"], &figure_5())).unwrap());
    }

    fn counts(gate: &Gate) -> [usize; 4] {
        let report = Report::deserialize_from_str(&text(gate).unwrap()).unwrap();
        let suite = &report.test_suites[0];
        [suite.tests, suite.failures, suite.errors, suite.skipped]
    }

    #[test]
    fn a_strict_reader_counts_cases() {
        assert_eq!(counts(&gate(&["grower"], &figure_5())), [4, 3, 0, 1]);
        assert_eq!(counts(&gate(&[], &figure_5())), [4, 0, 0, 1]);
        assert_eq!(counts(&gate(&["grower"], &healthy())), [1, 0, 0, 0]);
        assert_eq!(counts(&gate(&["grower"], &waiting())), [1, 0, 1, 0]);
        assert_eq!(counts(&gate(&[], &waiting())), [1, 0, 0, 0]);
    }

    #[test]
    fn only_the_root_loses_an_attribute() {
        let text = for_strict_readers(
            "<?xml?>\n<testsuites name=\"a\" skipped=\"1\" errors=\"0\">\n<testsuite skipped=\"1\"/>",
        );
        assert_eq!(text, "<?xml?>\n<testsuites name=\"a\" errors=\"0\">\n<testsuite skipped=\"1\"/>");
        assert_eq!(for_strict_readers("<a skipped=\"1\"/>"), "<a skipped=\"1\"/>");
    }

    #[test]
    fn hostile_names_stay_text() {
        let report = Report::deserialize_from_str(&text(&gate(&["grower"], &hostile())).unwrap()).unwrap();
        let cases = &report.test_suites[0].test_cases;
        assert_eq!(cases.len(), 2);
        assert!(cases[1].name.as_str().contains("<script>&\"'|"), "{:?}", cases[1].name);
    }
}
