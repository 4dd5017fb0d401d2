//! `rootbound growth FILE…`: the data structures that grew between heap dumps of one program, or between the captures
//! of a recording.

use crate::args::{GrowthArgs, Window};
use crate::commands::dump::{columns, read_file};
use crate::commands::language::{self, MISTAKEN};
use crate::commands::output::{FOUND, UNJUDGED, check_target, print, write_json};
use crate::commands::progress::Progress;
use anyhow::{Context, bail, ensure};
use rootbound::growing::{Growing, GrowthWanted, NamedHeap};
use rootbound::ingest::dump::{RecordedCapture, captures, read_capture};
use rootbound::report::growth::GrowthReport;
use rootbound::units;
use rootbound::view::structures::growth::text;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Reads the dumps and reports the growth. At most two heaps are in memory at a time.
pub(crate) fn growth(args: &GrowthArgs) -> anyhow::Result<ExitCode> {
    let states = states(&args.files)?;
    if states.len() < 2 {
        tracing::error!("one state shows no growth: name two heap dumps, or a recording with two captures");
        return Ok(ExitCode::from(MISTAKEN));
    }
    let window = args.window.unwrap_or(Window { from: 1, to: states.len() });
    if window.to > states.len() {
        bail!("--window {}..{}: there are {} states", window.from, window.to, states.len());
    }
    check_target(args.json.as_deref())?;
    let Some(language) = language::read(&args.language)? else { return Ok(ExitCode::from(MISTAKEN)) };
    let has_one_clock = args.files.len() == 1 || states.iter().all(|state| state.capture.is_none());
    let progress = Progress::start();
    let read = |number: usize| {
        progress.phase("reading the heaps");
        let read = read(&states[number - 1], args)?;
        // Two recordings, or a dump and a recording, count time from different beginnings.
        Ok::<_, anyhow::Error>(if has_one_clock { read } else { NamedHeap { taken_ms: None, ..read } })
    };
    let wanted = GrowthWanted {
        sort: args.sort.into(),
        limit: args.limit,
        with_contained: args.all,
        layout: args.language.layout(),
        by: args.by.clone(),
    };
    let mut growing = Growing::new(&language, wanted);
    let compared = growing.compare(read(window.from)?, read(window.to)?, &mut |phase| progress.phase(phase));
    let mut between = Vec::new();
    for number in (window.from + 1)..window.to {
        between
            .push(growing.between(number - window.from, read(number)?, &compared, &mut |phase| progress.phase(phase)));
    }
    let report = growing.report(&compared, &between);
    drop(progress);
    if let Some(path) = &args.json {
        write_json(path, &report).with_context(|| format!("cannot write {}", path.display()))?;
    }
    print(&text(&report, columns()), args.json.as_deref());
    Ok(status(args, &report))
}

/// A heap dump, or one capture of a recording.
struct State<'a> {
    file: &'a Path,
    capture: Option<RecordedCapture>,
}

/// All states of the files, in their order.
fn states(files: &[PathBuf]) -> anyhow::Result<Vec<State<'_>>> {
    let mut states = Vec::new();
    for file in files {
        match captures(file).with_context(|| format!("cannot read {}", file.display()))? {
            None => states.push(State { file, capture: None }),
            Some(all) => states.extend(all.into_iter().map(|capture| State { file, capture: Some(capture) })),
        }
    }
    Ok(states)
}

impl State<'_> {
    fn name(&self) -> String {
        match self.capture {
            Some(capture) => {
                let at = units::duration_s(capture.at_ms as f64 / 1000.0);
                format!("{} capture {} after {at}", self.file.display(), capture.number + 1)
            }
            None => self.file.display().to_string(),
        }
    }
}

fn read(state: &State<'_>, args: &GrowthArgs) -> anyhow::Result<NamedHeap> {
    let (file, rules) = (state.file, args.follow.rules());
    let read = match state.capture {
        Some(capture) => {
            read_capture(file, rules, capture).with_context(|| format!("cannot read {}", file.display()))?
        }
        None => read_file(file, rules)?,
    };
    for warning in &read.warnings {
        tracing::warn!("{}: {warning}", file.display());
    }
    ensure!(read.heap.object_count() > 0, "{} has no objects", file.display());
    let taken_ms = state.capture.map(|capture| capture.at_ms).or(read.taken_ms);
    Ok(NamedHeap { name: state.name(), heap: read.heap, taken_ms })
}

fn status(args: &GrowthArgs, report: &GrowthReport) -> ExitCode {
    if args.fail_on.is_none() {
        return ExitCode::SUCCESS;
    }
    if report.items.iter().any(rootbound::report::growth::Item::is_grower) {
        return ExitCode::from(FOUND);
    }
    if report.states.len() < 3 {
        tracing::error!("two dumps show growth, and no trend: exit status {UNJUDGED}");
        return ExitCode::from(UNJUDGED);
    }
    ExitCode::SUCCESS
}
