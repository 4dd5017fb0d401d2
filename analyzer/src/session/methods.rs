//! Choice of the methods of capture, their order, and the reasons against the others.

use super::Settings;
use super::forecast::{Costs, Forecast};
use crate::report::{self, Identity};
use crate::units;
use rootbound_wire::message::{CaptureMethod, Survey};

/// Methods from the one that the program feels least.
const BY_PREFERENCE: [CaptureMethod; 3] = [CaptureMethod::Fork, CaptureMethod::InProcess, CaptureMethod::Tags];

/// Marks by iteration, where no child can be forked.
const ITERATION_MARKS: u32 = 200_000;

/// Most marks that an iteration sets; `None` for one on every object.
pub(super) fn iteration_marks(settings: &Settings) -> Option<u32> {
    let everything = settings.capture == Some(CaptureMethod::Tags);
    settings.mark_budget.or((!everything).then_some(ITERATION_MARKS))
}

/// Name of the method in reports and on the command line.
pub(super) fn reported(method: CaptureMethod) -> report::CaptureMethod {
    match method {
        CaptureMethod::Fork => report::CaptureMethod::Fork,
        CaptureMethod::InProcess => report::CaptureMethod::InProcess,
        CaptureMethod::Tags => report::CaptureMethod::Tags,
    }
}

/// Kind of identity in captures by that method.
pub(super) fn identity(method: CaptureMethod) -> Identity {
    if method == CaptureMethod::Tags { Identity::Tag } else { Identity::Address }
}

/// One method at this moment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) forecast: Forecast,
    /// Reason why it cannot or may not be used; for people.
    pub(super) obstacle: Option<String>,
    /// The longest pause that it causes, in milliseconds, with the mark that precedes it; `None` when it cannot be used
    /// whatever pause is allowed.
    longest_stop_ms: Option<f64>,
}

/// Examines every method that the settings allow.
pub(super) fn candidates(settings: &Settings, survey: &Survey, costs: &Costs) -> Vec<Candidate> {
    let wanted = BY_PREFERENCE.into_iter().filter(|&method| settings.capture.is_none_or(|forced| forced == method));
    let mut all: Vec<Candidate> = wanted
        .map(|method| {
            let forecast = costs.forecast(method, survey);
            let impossible = survey.of(method).obstacle.clone().or_else(|| costs.given_up(method));
            // Marks are chosen from a forked capture; any other takes an iteration before it.
            let mark_ms =
                if method == CaptureMethod::Fork { 0.0 } else { costs.iteration_ms(iteration_marks(settings), survey) };
            let longest_stop_ms = impossible.is_none().then(|| forecast.pause_ms.max(mark_ms));
            let limit = || too_long(settings, forecast.pause_ms);
            Candidate { forecast, obstacle: impossible.or_else(limit), longest_stop_ms }
        })
        .collect();
    prefer_the_walk(&mut all, survey, costs);
    all
}

/// Where the latest child disturbed the program more than a walk in process would, and that walk is allowed, no other
/// child is forked.
fn prefer_the_walk(all: &mut [Candidate], survey: &Survey, costs: &Costs) {
    let [fork, walk, ..] = all else { return };
    let Some(stretch_ms) = costs.stretch_beyond_walk(survey).filter(|_| walk.obstacle.is_none()) else { return };
    let (stretch, walk) = (units::milliseconds(stretch_ms), units::milliseconds(walk.forecast.pause_ms));
    fork.obstacle.get_or_insert_with(|| {
        format!(
            "while the last child lived a collection took {stretch} longer than usual; a walk is forecast at {walk}"
        )
    });
}

/// Reason why a pause of that forecast is not allowed.
pub(super) fn too_long(settings: &Settings, pause_ms: f64) -> Option<String> {
    let limit_ms = settings.max_pause?.as_secs_f64() * 1e3;
    let (pause, limit) = (units::milliseconds(pause_ms), units::milliseconds(limit_ms));
    (pause_ms > limit_ms).then(|| format!("its stop is forecast at {pause}, above the {limit} of --max-pause"))
}

/// `fork: ZGC's heap is shared memory`, for every method that cannot be used.
pub(super) fn reasons(candidates: &[Candidate]) -> Vec<String> {
    let said = |each: &Candidate| Some(format!("{}: {}", reported(each.forecast.method), each.obstacle.as_ref()?));
    candidates.iter().filter_map(said).collect()
}

/// Likewise, for the methods that the program would feel less than the first usable one.
pub(super) fn why_not_better(candidates: &[Candidate]) -> Vec<String> {
    let usable = candidates.iter().position(|each| each.obstacle.is_none()).unwrap_or(candidates.len());
    reasons(&candidates[..usable])
}

/// Advice for the case that no method may be used.
pub(super) fn advice(candidates: &[Candidate]) -> String {
    /// Factor by which a forecast may err; a longer pause is ended in time.
    const MARGIN: f64 = 1.5;
    const STEP_MS: f64 = 50.0;
    let least = candidates.iter().filter_map(|each| each.longest_stop_ms).reduce(f64::min);
    let longer = least.map(|ms| {
        let ms = (ms * MARGIN / STEP_MS).ceil() * STEP_MS;
        format!("allow a longer stop (--max-pause {ms}ms), ")
    });
    format!(
        "no capture may be made ({}); {}remove what stands in the way of a fork, or capture in a quieter hour",
        reasons(candidates).join("; "),
        longer.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rootbound_wire::message::MethodSurvey;
    use std::time::Duration;

    fn methods(settings: &Settings, survey: &Survey) -> Vec<(&'static str, bool)> {
        let all = candidates(settings, survey, &Costs::default());
        all.iter().map(|each| (reported(each.forecast.method).name(), each.obstacle.is_none())).collect()
    }

    #[test]
    fn the_least_felt_comes_first_and_obstacles_are_reported() {
        let survey = Survey { used_bytes: 100 << 20, ..Survey::default() };
        let auto = Settings::default();
        assert_eq!(methods(&auto, &survey), [("fork", true), ("in-process", true), ("tags", true)]);
        let obstacle = Some("the heap is shared memory".to_owned());
        let zgc = Survey { fork: MethodSurvey { obstacle, ..MethodSurvey::default() }, ..survey.clone() };
        assert_eq!(methods(&auto, &zgc), [("fork", false), ("in-process", true), ("tags", true)]);
        assert_eq!(reasons(&candidates(&auto, &zgc, &Costs::default())), ["fork: the heap is shared memory"]);
        let short = Settings { max_pause: Some(Duration::from_millis(500)), ..Settings::default() };
        let large = Survey { used_bytes: 4 << 30, ..survey.clone() };
        let all = candidates(&short, &large, &Costs::default());
        assert_eq!((reasons(&all).len(), why_not_better(&all).len()), (2, 0), "nobody asks why nothing worse was used");
        let forced = Settings { capture: Some(CaptureMethod::Tags), ..Settings::default() };
        assert_eq!(methods(&forced, &zgc), [("tags", true)]);
    }

    #[test]
    fn no_stop_beyond_the_limit_is_caused() {
        let survey = Survey { used_bytes: 4 << 30, resident_bytes: Some(1 << 30), ..Survey::default() };
        let careful = Settings { max_pause: Some(Duration::from_millis(50)), ..Settings::default() };
        assert_eq!(methods(&careful, &survey), [("fork", true), ("in-process", false), ("tags", false)]);
        let impossible = Settings { max_pause: Some(Duration::from_millis(1)), ..Settings::default() };
        let all = candidates(&impossible, &survey, &Costs::default());
        assert!(all.iter().all(|each| each.obstacle.is_some()));
        assert!(advice(&all).contains("--max-pause"), "{}", advice(&all));
    }

    #[test]
    fn the_stop_that_is_advised_suffices_and_none_is_when_nothing_would() {
        let obstacle = |text: &str| MethodSurvey { obstacle: Some(text.to_owned()), ..MethodSurvey::default() };
        let survey = Survey { used_bytes: 1 << 30, fork: obstacle("shared"), ..Survey::default() };
        let limited = |ms| Settings { max_pause: Some(Duration::from_millis(ms)), ..Settings::default() };
        let reported = advice(&candidates(&limited(50), &survey, &Costs::default()));
        let number = reported.split("--max-pause ").nth(1).and_then(|rest| rest.split("ms").next());
        let advised = limited(number.and_then(|number| number.parse().ok()).expect("a number"));
        assert!(
            candidates(&advised, &survey, &Costs::default()).iter().any(|each| each.obstacle.is_none()),
            "{reported}"
        );
        let mark_ms = Costs::default().iteration_ms(iteration_marks(&advised), &survey);
        assert_eq!(too_long(&advised, mark_ms), None, "{reported}");
        let least_ms = candidates(&advised, &survey, &Costs::default())[1].forecast.pause_ms.max(mark_ms);
        assert!(advised.max_pause.is_some_and(|most| most.as_secs_f64() * 1e3 < 2.0 * least_ms), "{reported}");
        let hopeless = Survey { in_process: obstacle("memory"), tags: obstacle("memory"), ..survey };
        let reported = advice(&candidates(&limited(50), &hopeless, &Costs::default()));
        assert!(!reported.contains("--max-pause"), "{reported}");
    }
}
