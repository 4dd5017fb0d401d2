//! `rootbound compare BEFORE AFTER`: two runs by the fingerprints of their growing structures. Two heap dumps are two
//! states of one program; they are compared by [`super::dumps_compared`].

use crate::args::{CompareArgs, Shared};
use crate::commands::check::Check;
use crate::commands::diagnostics::Diagnostics;
use crate::commands::dumps_compared;
use crate::commands::inputs::{Input, read};
use crate::commands::output::{Output, write_json};
use crate::commands::progress::Progress;
use anyhow::{Context, bail};
use rootbound::gate::comparison::{Comparison, compare as compared, of_dumps};
use rootbound::heap::DumpRules;
use rootbound::view::comparison;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compares, and checks the later run against the earlier one.
pub(crate) fn compare(args: &CompareArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let shared = Shared { json: args.json.clone(), gate: args.gate.clone(), ..Shared::default() };
    let output = Output::prepare(&shared, diagnostics.loudness())?;
    let mut check = Check::prepare(&args.gate)?;
    match (read(&args.before)?, read(&args.after)?) {
        (Input::Run(before), Input::Run(after)) => {
            deliver(args, &output, &compared((&name(&args.before), &before), (&name(&args.after), &after)))?;
            check.add(&after, Some(&before));
        }
        (Input::Dump, Input::Dump) => {
            let progress = Progress::start();
            let report = |files: [&PathBuf; 2]| {
                dumps_compared::report(&files.map(PathBuf::clone), DumpRules::default(), false, &progress)
            };
            // What became smaller is what is larger in the other direction.
            let backward = report([&args.after, &args.before])?;
            let forward = report([&args.before, &args.after])?;
            drop(progress);
            deliver(args, &output, &of_dumps((&name(&args.before), &name(&args.after)), &forward, &backward))?;
            check.add(&forward, None);
        }
        (Input::Run(_), Input::Dump) | (Input::Dump, Input::Run(_)) => bail!(
            "{} and {} cannot be compared: one is a heap dump and the other is not",
            args.before.display(),
            args.after.display()
        ),
    }
    check.conclude(&output, ExitCode::SUCCESS)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn deliver(args: &CompareArgs, output: &Output, comparison: &Comparison) -> anyhow::Result<()> {
    if let Some(path) = &args.json {
        write_json(path, comparison).with_context(|| format!("cannot write {}", path.display()))?;
    }
    output.print(&comparison::text(comparison));
    Ok(())
}
