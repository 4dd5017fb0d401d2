//! `rootbound structures FILE`: the data structures of a heap dump, as shipped and own descriptions say.
//! [`check`] only checks the latter.

mod check;

use crate::args::StructuresArgs;
use crate::commands::dump;
use crate::commands::language::{self, MISTAKEN};
use crate::commands::output::print;
use crate::commands::progress::Progress;
use anyhow::bail;
use rootbound::dump_reports::{StructuresWanted, structures as report_structures};
use rootbound::naming::Pattern;
use rootbound::structures::shipped::{SHIPPED, Shipped};
use rootbound::view::structures::found::text;
use std::process::ExitCode;

/// Lists the structures, checks descriptions, or prints shipped ones.
pub(crate) fn structures(args: &StructuresArgs) -> anyhow::Result<ExitCode> {
    match shown(args) {
        Some(name) => show(name),
        None if args.check => check::check(args),
        None => view(args),
    }
}

fn shown(args: &StructuresArgs) -> Option<&str> {
    if args.show_jdk { Some(SHIPPED[0].name) } else { args.show.as_deref() }
}

fn show(name: &str) -> anyhow::Result<ExitCode> {
    let Some(shipped) = Shipped::named(name) else {
        let names: Vec<&str> = SHIPPED.iter().map(|shipped| shipped.name).collect();
        bail!("no shipped descriptions are called {name}; there are {}", names.join(", "));
    };
    print(shipped.text, None);
    Ok(ExitCode::SUCCESS)
}

fn view(args: &StructuresArgs) -> anyhow::Result<ExitCode> {
    let [file] = args.files.as_slice() else { bail!("one heap dump is read at a time") };
    let Some(language) = language::read(&args.language)? else { return Ok(ExitCode::from(MISTAKEN)) };
    let dump_args = args.dump(file.clone());
    let progress = Progress::start();
    let open = dump::read(&dump_args, args.follow.rules(), &progress)?;
    let wanted = StructuresWanted {
        language,
        options: args.language.layout(),
        all: args.all,
        of: args.of.as_deref().map(Pattern::new),
        sort: args.sort.into(),
        limit: args.limit,
        by: args.by.clone(),
        containing: args.containing.as_deref().map(Pattern::new),
    };
    let report = report_structures(&open.heap, open.file, &wanted, &mut |phase| progress.phase(phase));
    drop(progress);
    dump::deliver(&dump_args, &report, &text(&report, dump::columns()))
}
