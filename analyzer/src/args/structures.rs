//! The verbs on data structures, as typed.

use super::FailOn;
use super::dumps::{DumpArgs, Follow};
use super::value::some;
use clap::{Args, ValueEnum};
use rootbound::dump_reports::StructureOrder;
use rootbound::growing::GrowthOrder;
use rootbound::structures::LayoutOptions;
use rootbound::structures::classify::Chain;
use std::path::PathBuf;
use std::str::FromStr;

/// The descriptions of data structures in use.
#[derive(Debug, Default, Args)]
pub(crate) struct LanguageArgs {
    /// File of descriptions of data structures; several are allowed. Of two descriptions of one type the later counts.
    #[arg(long, value_name = "FILE")]
    pub(crate) dsl: Vec<PathBuf>,
    /// Leave out the descriptions that come with rootbound: those of the JDK's collections and of libraries.
    #[arg(long)]
    pub(crate) no_jdk: bool,
    /// Let a description count for its type alone, not for subclasses.
    #[arg(long)]
    pub(crate) exact_types: bool,
}

impl LanguageArgs {
    pub(crate) fn layout(&self) -> LayoutOptions {
        LayoutOptions { exact_types: self.exact_types }
    }
}

/// Arguments of `rootbound structures`.
#[derive(Debug, Args)]
pub(crate) struct StructuresArgs {
    /// Heap dump (the format is detected); with --check description files (*.ds), and a heap dump if you have one.
    #[arg(value_name = "FILE", required_unless_present_any = ["show", "show_jdk", "check"])]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) language: LanguageArgs,
    /// Also structures that another structure owns.
    #[arg(long)]
    pub(crate) all: bool,
    /// Only structures of this class; `*` in the name fits anything.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) of: Option<String>,
    /// Also a tree of these structures, split by a chain of classifiers: type, loader, place, object, leaves(CHAIN),
    /// containing(CHAIN), contained(CHAIN); for instance "type, place, leaves(type)".
    #[arg(long, value_name = "CHAIN")]
    pub(crate) by: Option<Chain>,
    /// Find the structures that contain objects of this class (`*` fits anything), as a tree; with --by split further.
    #[arg(long, value_name = "PATTERN", conflicts_with = "of")]
    pub(crate) containing: Option<String>,
    /// Order of the types and places.
    #[arg(long, value_name = "BY", default_value = "retained")]
    pub(crate) sort: StructureSort,
    /// Types that are listed.
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = some)]
    pub(crate) limit: usize,
    /// Which Reference objects keep what they refer to alive.
    #[arg(long, value_name = "WHICH", default_value = "none")]
    pub(crate) follow: Follow,
    /// Check description files: print all errors, and with a heap dump how many structures each description finds.
    #[arg(long)]
    pub(crate) check: bool,
    /// Print the shipped descriptions of the JDK's collections.
    #[arg(long, conflicts_with = "show")]
    pub(crate) show_jdk: bool,
    /// Print shipped descriptions: jdk, guava, caffeine, fastutil, netty, scala, clojure or kotlin.
    #[arg(long, value_name = "NAME")]
    pub(crate) show: Option<String>,
    /// Write the report as JSON (rootbound.dump/1) to FILE, or to standard output with `-`.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

impl StructuresArgs {
    /// The part that all verbs on one dump have.
    pub(crate) fn dump(&self, file: PathBuf) -> DumpArgs {
        DumpArgs { file, json: self.json.clone() }
    }
}

/// Arguments of `rootbound growth`.
#[derive(Debug, Args)]
pub(crate) struct GrowthArgs {
    /// Heap dumps of one program, in the order in which they were taken; or a recording, whose captures are compared.
    #[arg(value_name = "FILE", num_args = 1.., required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) language: LanguageArgs,
    /// The two dumps or captures that are compared, by their numbers (default: the first and the last).
    #[arg(long, value_name = "N..M")]
    pub(crate) window: Option<Window>,
    /// Order of the structures: by the growth of this metric.
    #[arg(long, value_name = "BY", default_value = "retained")]
    pub(crate) sort: GrowthSort,
    /// Also a tree of all top-level structures in both states, split by a chain of classifiers: type, loader, place,
    /// object, leaves(CHAIN), containing(CHAIN), contained(CHAIN); for instance "type, place, leaves(type)".
    #[arg(long, value_name = "CHAIN")]
    pub(crate) by: Option<Chain>,
    /// Structures that are listed.
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = some)]
    pub(crate) limit: usize,
    /// List structures that another one owns, too.
    #[arg(long)]
    pub(crate) all: bool,
    /// Exit with status 3 when a structure grew from dump to dump, and with 4 when that cannot be told: it takes three
    /// dumps.
    #[arg(long, value_name = "TREND")]
    pub(crate) fail_on: Option<FailOn>,
    /// Which Reference objects keep what they refer to alive.
    #[arg(long, value_name = "WHICH", default_value = "none")]
    pub(crate) follow: Follow,
    /// Write the report as JSON (rootbound.dump/1) to FILE, or to standard output with `-`.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// Orders of structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StructureSort {
    Retained,
    Deep,
    Structure,
    DeepStructure,
    Objects,
}

impl From<StructureSort> for StructureOrder {
    fn from(order: StructureSort) -> Self {
        match order {
            StructureSort::Retained => Self::Retained,
            StructureSort::Deep => Self::Deep,
            StructureSort::Structure => Self::Structure,
            StructureSort::DeepStructure => Self::DeepStructure,
            StructureSort::Objects => Self::Objects,
        }
    }
}

/// Two states by their numbers, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// Reasons why a text is no window.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected two numbers of dumps, the earlier first, as in 1..3")]
pub(crate) struct NoWindow;

impl FromStr for Window {
    type Err = NoWindow;

    fn from_str(text: &str) -> Result<Self, NoWindow> {
        let (from, to) = text.split_once("..").ok_or(NoWindow)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| NoWindow);
        let (from, to) = (number(from)?, number(to)?);
        if 0 < from && from < to { Ok(Self { from, to }) } else { Err(NoWindow) }
    }
}

/// Orders of growing structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GrowthSort {
    Retained,
    Deep,
    Structure,
    DeepStructure,
    Objects,
}

impl From<GrowthSort> for GrowthOrder {
    fn from(order: GrowthSort) -> Self {
        match order {
            GrowthSort::Retained => Self::Retained,
            GrowthSort::Deep => Self::Deep,
            GrowthSort::Structure => Self::Structure,
            GrowthSort::DeepStructure => Self::DeepStructure,
            GrowthSort::Objects => Self::Objects,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_two_numbers_in_their_order() {
        assert_eq!("1..3".parse(), Ok(Window { from: 1, to: 3 }));
        for text in ["", "1", "3..1", "0..2", "1..x", "2..2"] {
            assert_eq!(text.parse::<Window>(), Err(NoWindow), "{text}");
        }
    }
}
