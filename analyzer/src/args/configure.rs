//! Arguments of `rootbound config`.

use super::config::VERBS;
use clap::Args;
use clap::builder::PossibleValuesParser;

/// Arguments of `rootbound config`.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// The verb whose options are wanted [default: all that files configure].
    #[arg(value_name = "VERB", value_parser = PossibleValuesParser::new(VERBS))]
    pub(crate) verb: Option<String>,
    /// Print the effective value of each option and where it comes from, instead of a file to begin with.
    #[arg(long)]
    pub(crate) show: bool,
}
