//! The verb on rounds of a repeated scenario, as typed.

use super::FailOn;
use super::LanguageArgs;
use super::dumps::Follow;
use clap::Args;
use rootbound::naming::Pattern;
use rootbound::rounds::RoundsWanted;
use std::path::PathBuf;

/// Arguments of `rootbound rounds`.
#[derive(Debug, Args)]
pub(crate) struct RoundsArgs {
    /// Recordings or heap dumps of one program: one before the first round, and one after each, in their order.
    #[arg(value_name = "FILE", num_args = 2.., required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Runs of the scenario in each round.
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// Least number of objects that a place gains in every round [default: --runs].
    #[arg(long, value_name = "OBJECTS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) least_growth: Option<u32>,
    /// Fingerprint of a structure that is reported apart; several are allowed.
    #[arg(long, value_name = "FINGERPRINT")]
    pub(crate) ignore: Vec<String>,
    /// Place of a structure that is reported apart; `*` fits anything; several are allowed.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) ignore_place: Vec<String>,
    #[command(flatten)]
    pub(crate) language: LanguageArgs,
    /// Exit with status 3 when a structure grew in every round.
    #[arg(long, value_name = "TREND")]
    pub(crate) fail_on: Option<FailOn>,
    /// Which Reference objects keep what they refer to alive.
    #[arg(long, value_name = "WHICH", default_value = "none")]
    pub(crate) follow: Follow,
    /// Write the report as JSON (rootbound.rounds/1) to FILE, or to standard output with `-`.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

impl RoundsArgs {
    /// What counts as growth.
    pub(crate) fn wanted(&self) -> RoundsWanted {
        RoundsWanted {
            runs: self.runs,
            least_growth: self.least_growth.unwrap_or(self.runs),
            ignored: self.ignore.clone(),
            ignored_places: self.ignore_place.iter().map(|text| Pattern::new(text)).collect(),
        }
    }
}
