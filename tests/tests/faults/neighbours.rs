//! Other agents in the same JVM: profilers, coverage, instrumentation, the flight recorder. None harms the other.

use super::unharmed::is_captured_unharmed;
use e2e::faults::neighbours::{jacoco, profiler, retransformer};
use e2e::faults::subject::Subject;
use e2e::faults::trial::Trial;
use e2e::slots;

fn trial() -> Trial {
    Trial::of(Subject::new().keeping(0.5).with_workers(2, 100).with_spawners(1))
}

/// Captures next to the agents that the switches load; returns the JVM's standard error.
fn is_captured_beside(trial: &Trial) -> String {
    is_captured_unharmed(trial);
    std::fs::read_to_string(trial.file("jvm.err")).unwrap()
}

#[test]
fn beside_a_profiler_of_signals_the_program_is_captured_unharmed() {
    let _slot = slots::take_busy();
    let Some(profiler) = profiler() else { return };
    let said = is_captured_beside(&trial().with(&[profiler]));
    let samples = said.lines().find_map(|line| line.strip_prefix("profiler: ")?.split(' ').next()?.parse().ok());
    assert!(samples > Some(100), "{said}");
}

#[test]
fn beside_an_agent_that_retransforms_classes_the_program_is_captured_unharmed() {
    let _slot = slots::take_busy();
    let Some(retransformer) = retransformer() else { return };
    let said = is_captured_beside(&trial().with(&[retransformer]));
    assert!(said.contains("retransformer: "), "{said}");
}

#[test]
fn beside_jacoco_the_program_is_captured_unharmed() {
    let _slot = slots::take_busy();
    let trial = trial();
    let covered = trial.file("jacoco.exec");
    let Some(jacoco) = jacoco(&covered) else { return };
    let trial = trial.with(&[jacoco]);
    is_captured_beside(&trial);
    assert!(covered.metadata().is_ok_and(|file| file.len() > 0), "JaCoCo wrote nothing");
}

#[test]
fn beside_the_flight_recorder_the_program_is_captured_unharmed() {
    let _slot = slots::take_busy();
    let trial = trial();
    let flight = trial.file("flight.jfr");
    let switch = format!("-XX:StartFlightRecording=filename={},settings=profile,dumponexit=true", flight.display());
    let trial = trial.with(&[switch]);
    is_captured_beside(&trial);
    assert!(flight.metadata().is_ok_and(|file| file.len() > 0), "the flight recorder wrote nothing");
}
