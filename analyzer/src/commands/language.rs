//! Reads the descriptions of data structures: those that come with the program, then the user's.

use crate::args::{LanguageArgs, Shared};
use anyhow::Context;
use rootbound::rounds::Descriptions;
use rootbound::session::GrowthSettings;
use rootbound::structures::language::{Complaint, parse};
use rootbound::structures::shipped::SHIPPED;
use rootbound::structures::{DescriptionFile, Language};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// Status of a command line, or of a file of descriptions, that cannot be understood.
pub(crate) const MISTAKEN: u8 = 2;

/// Errors that are printed, at most: people mend the first ones first.
const MOST_PRINTED: usize = 50;

/// Reads all files. `None` where a description has errors, which are printed.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn read(args: &LanguageArgs) -> anyhow::Result<Option<Language>> {
    let own = read_files(&args.dsl)?;
    Ok(shipped(args).zip(own).map(|(mut language, own)| {
        own.into_iter().for_each(|file| language.add(file));
        language
    }))
}

/// The user's descriptions beside all of them; the inner `None` without a file of the user's. The outer `None` where a
/// description has errors, which are printed.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn own(args: &LanguageArgs) -> anyhow::Result<Option<Option<Descriptions>>> {
    if args.dsl.is_empty() {
        return Ok(Some(None));
    }
    let Some(files) = read_files(&args.dsl)? else { return Ok(None) };
    let (mut own, Some(mut all)) = (Language::new(), shipped(args)) else { return Ok(None) };
    for file in files {
        own.add(file.clone());
        all.add(file);
    }
    Ok(Some(Some(Descriptions { own, all, options: args.layout() })))
}

/// The descriptions that come with the program, unless they are left out.
fn shipped(args: &LanguageArgs) -> Option<Language> {
    let files = SHIPPED.into_iter().filter(|_| !args.no_jdk).map(|shipped| shipped.descriptions());
    let mut language = Language::new();
    without_errors(files)?.into_iter().for_each(|file| language.add(file));
    Some(language)
}

/// Reads the user's files alone. `None` where a description has errors, which are printed.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn read_files(paths: &[PathBuf]) -> anyhow::Result<Option<Vec<DescriptionFile>>> {
    let read = |path: &PathBuf| {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        // Bytes that are no UTF-8 become a sign that no description has.
        Ok(parse(&path.display().to_string(), &String::from_utf8_lossy(&bytes)))
    };
    let parsed: Vec<_> = paths.iter().map(read).collect::<anyhow::Result<_>>()?;
    Ok(without_errors(parsed.into_iter()))
}

/// The data structures whose growth is wanted while a program runs: with `--growth`, or with any option on
/// descriptions. The outer `None` where a description has errors, which are printed.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn growth(shared: &Shared) -> anyhow::Result<Option<Option<GrowthSettings>>> {
    let args = &shared.language;
    if !shared.growth && args.dsl.is_empty() && !args.no_jdk && !args.exact_types {
        return Ok(Some(None));
    }
    let settings = |language| Some(GrowthSettings { language: Arc::new(language), layout: args.layout() });
    Ok(read(args)?.map(settings))
}

type Parsed = Result<DescriptionFile, Vec<Complaint>>;

/// The files, or nothing once their errors are printed: as editors read them, with the position first.
fn without_errors(parsed: impl Iterator<Item = Parsed>) -> Option<Vec<DescriptionFile>> {
    let (files, complaints): (Vec<Parsed>, Vec<Parsed>) = parsed.partition(Result::is_ok);
    let complaints: Vec<Complaint> = complaints.into_iter().filter_map(Result::err).flatten().collect();
    complaints.iter().take(MOST_PRINTED).for_each(|complaint| eprintln!("{complaint}"));
    if complaints.len() > MOST_PRINTED {
        eprintln!("and {} more errors", complaints.len() - MOST_PRINTED);
    }
    complaints.is_empty().then(|| files.into_iter().filter_map(Result::ok).collect())
}
