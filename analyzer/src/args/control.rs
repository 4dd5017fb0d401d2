//! Arguments of the verbs that ask a running analyzer.

use clap::Args;

/// Arguments of `rootbound mark` and `rootbound capture`.
#[derive(Debug, Args)]
pub(crate) struct RequestArgs {
    /// Process id of the JVM; not needed where one JVM is watched.
    #[arg(value_name = "PID")]
    pub(crate) pid: Option<u32>,
}
