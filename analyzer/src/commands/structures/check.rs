//! `rootbound structures --check FILE.ds… [DUMP]`: the errors of description files; with a dump the number of objects
//! that each description finds, and the names that fit no type.

use crate::args::{LanguageArgs, StructuresArgs};
use crate::commands::dump::read_file;
use crate::commands::language::{self, MISTAKEN};
use crate::commands::output::print;
use crate::commands::progress::Progress;
use anyhow::bail;
use rootbound::heap::Heap;
use rootbound::structures::{DescriptionFile, Layout};
use rootbound::units;
use std::path::PathBuf;
use std::process::ExitCode;

/// Checks them.
pub(super) fn check(args: &StructuresArgs) -> anyhow::Result<ExitCode> {
    let is_descriptions = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "ds");
    let (files, dumps): (Vec<_>, Vec<_>) = args.files.iter().cloned().partition(is_descriptions);
    let own = &args.language;
    let named = LanguageArgs { dsl: [own.dsl.clone(), files].concat(), ..*own };
    if named.dsl.is_empty() && dumps.is_empty() {
        bail!("name a file of descriptions to check");
    }
    let text = match dumps.as_slice() {
        [] => match language::read_files(&named.dsl)? {
            Some(files) => files.iter().map(counted).collect(),
            None => return Ok(ExitCode::from(MISTAKEN)),
        },
        [file] => {
            let Some(language) = language::read(&named)? else { return Ok(ExitCode::from(MISTAKEN)) };
            let progress = Progress::start();
            progress.phase("reading the dump");
            let heap = read_file(file, args.follow.rules())?.heap;
            let layout = Layout::new(&language, &heap, named.layout());
            found(&heap, &layout)
        }
        _ => bail!("one heap dump is read at a time; description files end with .ds"),
    };
    print(&text, None);
    Ok(ExitCode::SUCCESS)
}

/// `shop.ds: 4 types, 1 head`.
fn counted(file: &DescriptionFile) -> String {
    let heads = file.descriptions.iter().filter(|each| each.is_head).count() as u64;
    let types = units::counted(file.descriptions.len() as u64, "type");
    format!("{}: {types}, {}\n", file.name, units::counted(heads, "head"))
}

/// A line for each description of the user, and one for each name that fits no type.
fn found(heap: &Heap, layout: &Layout) -> String {
    let mut text = String::new();
    for used in layout.used(heap).iter().filter(|used| !used.place.is_shipped) {
        let what = if used.is_head { "structure" } else { "object" };
        let found = match used.objects {
            0 if !used.is_matched => "no such class in the heap".to_owned(),
            count => units::counted(count, what),
        };
        let place = &used.place;
        text.push_str(&format!("{}:{}: {}: {found}\n", place.file, place.at, place.of));
    }
    for unfit in layout.unfit() {
        text.push_str(&format!("{}:{}: \"{}\" fits no class of the heap\n", unfit.file, unfit.at, unfit.name));
    }
    if text.is_empty() { "no description of your own: name a file that ends with .ds\n".to_owned() } else { text }
}
