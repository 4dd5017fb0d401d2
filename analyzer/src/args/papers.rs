//! Arguments of the verbs that write completions and manual pages.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

/// Arguments of `rootbound completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell whose completions go to standard output.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// Arguments of `rootbound man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder for the pages: rootbound.1, and one page for each verb. It is created if it is missing.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}
