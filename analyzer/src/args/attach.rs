//! Arguments of `attach` and `ps`.

use super::{LiveArgs, Shared, heading};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Arguments of `rootbound attach`.
#[derive(Debug, Args)]
pub(crate) struct AttachArgs {
    /// Process id of the JVM, or its main class or jar if only one JVM has it (`rootbound ps` lists them).
    #[arg(value_name = "PID|NAME")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) live: LiveArgs,
    #[command(flatten)]
    pub(crate) shared: Shared,
    /// The agent library (default: the one for its C library, beside or within this program).
    #[arg(long, value_name = "FILE", help_heading = heading::EXPERTS)]
    pub(crate) agent: Option<PathBuf>,
    /// A folder of the program's own files for the socket, and for a copy of the agent where the program cannot read
    /// ours [default: the first of /tmp, /dev/shm and /var/tmp that will do].
    #[arg(long, value_name = "FOLDER", help_heading = heading::EXPERTS)]
    pub(crate) agent_dir: Option<PathBuf>,
}

/// Arguments of `rootbound ps`.
#[derive(Debug, Args)]
pub(crate) struct PsArgs {
    /// Write the list as JSON to standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `rootbound unpack`.
#[derive(Debug, Args)]
pub(crate) struct UnpackArgs {
    /// The folder; it is made if it does not exist.
    pub(crate) folder: PathBuf,
    /// The C library of the JVMs.
    #[arg(long, value_name = "LIBC", default_value = "all")]
    pub(crate) libc: Libcs,
}

/// C libraries for which an agent is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Libcs {
    /// Each that this program has an agent for.
    All,
    /// The agent for glibc: most systems.
    Glibc,
    /// The agent for musl: Alpine.
    Musl,
}
