//! `rootbound unpack`: writes the agent's libraries into a folder, such as one that containers share.

use crate::args::{Libcs, UnpackArgs};
use anyhow::Context;
use rootbound::agents::libc::Libc;
use rootbound::agents::source::Source;
use rootbound::agents::store;
use std::io::Write;
use std::process::ExitCode;

/// Writes them, and prints the path of each.
pub(crate) fn unpack(args: &UnpackArgs) -> anyhow::Result<ExitCode> {
    let written = store::unpack(&args.folder, &wanted(args.libc))?;
    let mut out = std::io::stdout().lock();
    for path in written {
        writeln!(out, "{}", path.display()).context("cannot write to standard output")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// With `all` those that there are; when there is none, the one for this system is missed.
fn wanted(libcs: Libcs) -> Vec<Libc> {
    match libcs {
        Libcs::Glibc => vec![Libc::Glibc],
        Libcs::Musl => vec![Libc::Musl],
        Libcs::All => {
            let known: Vec<Libc> = Libc::ALL.into_iter().filter(|&libc| Source::find(libc, None).is_ok()).collect();
            if known.is_empty() { vec![Libc::of_system()] } else { known }
        }
    }
}
