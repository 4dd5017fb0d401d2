//! `rootbound ps`: the JVMs of this machine.

use crate::args::PsArgs;
use crate::commands::dump::columns;
use anyhow::Context;
use rootbound::attach::leftovers;
use rootbound::attach::listing::{self, Listed};
use rootbound::report::processes::JvmLine;
use rootbound::view::processes;
use std::io::Write;
use std::process::ExitCode;

/// Prints the list. Folders that killed analyzers left behind go meanwhile.
pub(crate) fn ps(args: &PsArgs) -> anyhow::Result<ExitCode> {
    let lines = lines()?;
    let text = if args.json { processes::json(&lines)? } else { processes::table(&lines, columns()) };
    std::io::stdout().lock().write_all(text.as_bytes()).context("cannot write to standard output")?;
    Ok(ExitCode::SUCCESS)
}

/// The text for somebody who named no JVM.
pub(crate) fn choose() -> anyhow::Result<String> {
    let lines = lines()?;
    let table = processes::table(&lines, columns());
    let open: Vec<&JvmLine> = lines.iter().filter(|line| line.obstacle.is_none()).collect();
    let advice = match open.as_slice() {
        [only] => format!("name a JVM: rootbound attach {}", only.pid),
        _ => "name a JVM: rootbound attach PID".to_owned(),
    };
    Ok(format!("{advice}\n\n{table}"))
}

fn lines() -> anyhow::Result<Vec<JvmLine>> {
    leftovers::remove_all();
    let listed = listing::all().context("cannot list the processes")?;
    Ok(listed.into_iter().map(line).collect())
}

fn line(jvm: Listed) -> JvmLine {
    JvmLine {
        pid: jvm.pid,
        inner_pid: jvm.inner_pid,
        user: jvm.user,
        age_s: jvm.age.as_secs(),
        machine: jvm.machine,
        resident_bytes: jvm.resident,
        main: jvm.main,
        obstacle: jvm.obstacle.map(|obstacle| obstacle.to_string()),
    }
}
