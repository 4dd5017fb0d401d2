//! `rootbound baseline REPORT… --reason TEXT`: entries of known leaks for the structures that grow in stored reports.

use crate::args::BaselineArgs;
use crate::commands::check::{read_known, today};
use crate::commands::files::{Readers, read_text, write_text};
use crate::commands::inputs::read_run;
use crate::commands::output::print_shown;
use anyhow::{Context, bail};
use chrono::Days;
use rootbound::gate::known::KnownLeaks;
use rootbound::gate::{Written, entry};
use rootbound::naming::Fingerprint;
use rootbound::report::Region;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

/// Days for which a leak is accepted, if no day is given.
const ACCEPTED_DAYS: u64 = 90;

/// The longest file that is added to, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// Writes an entry for each growing structure that the file does not cover yet.
pub(crate) fn baseline(args: &BaselineArgs) -> anyhow::Result<ExitCode> {
    if args.reason.trim().is_empty() {
        bail!("--reason must say why these leaks are accepted");
    }
    let until = args.until.or_else(|| today().checked_add_days(Days::new(ACCEPTED_DAYS)));
    if until.is_some_and(|until| until < today()) {
        bail!("--until is over already: the entries would excuse nothing");
    }
    let known = match args.known.as_deref().filter(|path| path.exists()) {
        Some(path) => read_known(path)?,
        None => KnownLeaks::default(),
    };
    let reports = args.files.iter().map(|file| read_run(file)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut seen = BTreeSet::new();
    let regions = reports.iter().flat_map(|report| &report.regions);
    let new: Vec<String> = regions
        .filter(|region| is_missing(region, &known, &mut seen))
        .map(|region| entry(region, Written { reason: args.reason.trim(), until }))
        .collect();
    match args.known.as_deref() {
        Some(path) => add(path, &new).with_context(|| format!("cannot write {}", path.display()))?,
        None => print_shown(&new.join("\n"), None),
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a structure grows, and has no entry yet.
fn is_missing(region: &Region, known: &KnownLeaks, seen: &mut BTreeSet<Fingerprint>) -> bool {
    region.grows_independently() && known.covering(region).is_none() && seen.insert(region.fingerprint)
}

/// Adds entries behind all that the file has.
fn add(path: &Path, new: &[String]) -> anyhow::Result<()> {
    let mut text = if path.exists() { read_text(path, MOST_BYTES)? } else { String::new() };
    for entry in new {
        if !text.is_empty() {
            text.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
        }
        text.push_str(entry);
    }
    if !new.is_empty() {
        write_text(path, &text, Readers::Usual)?;
    }
    tracing::info!("{} added to {}", new.len(), path.display());
    Ok(())
}
