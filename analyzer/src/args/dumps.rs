//! The verbs that read heap dumps, as typed.

use super::value::{size, some};
use super::{Columns, GateArgs};
use clap::{ArgGroup, Args, ValueEnum};
use rootbound::dump_reports::{ClassOrder, Kinds, SortBy};
use rootbound::heap::DumpRules;
use std::path::PathBuf;

/// Arguments of `rootbound analyze`.
#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {
    #[command(flatten)]
    pub(crate) first: SuspectsArgs,
    /// Further dumps of the same program, in the order in which they were taken: they are compared, and the report is
    /// that of a watched program (rootbound.report/1).
    #[arg(value_name = "LATER")]
    pub(crate) later: Vec<PathBuf>,
    /// Columns of the table of several dumps: plain, or leakbot for those of the LeakBot paper.
    #[arg(long, value_name = "SET", default_value = "plain")]
    pub(crate) columns: Columns,
    /// Print how the ranks of the best leak roots came about.
    #[arg(long, requires = "later")]
    pub(crate) explain: bool,
    /// A check needs several dumps; with two of them nothing is judged.
    #[command(flatten)]
    pub(crate) gate: GateArgs,
}

impl AnalyzeArgs {
    /// Fault of a combination: a check of one dump alone.
    pub(super) fn objection(&self) -> Option<String> {
        let gate = &self.gate;
        let checks = !gate.fail_on.is_empty() || gate.known.is_some() || gate.sarif.is_some() || gate.junit.is_some();
        if checks && self.later.is_empty() {
            return Some("--fail-on, --known, --sarif and --junit need several dumps of one program".to_owned());
        }
        gate.objection(false)
    }
}

/// Arguments of `rootbound suspects`.
#[derive(Debug, Args)]
pub(crate) struct SuspectsArgs {
    #[command(flatten)]
    pub(crate) dump: DumpArgs,
    /// Rows per list (suspects are never cut).
    #[arg(long, value_name = "COUNT", default_value_t = 15, value_parser = some)]
    pub(crate) limit: usize,
    /// Order of the classes.
    #[arg(long, value_name = "BY", default_value = "retained")]
    pub(crate) sort: ClassSort,
    /// Which Reference objects keep what they refer to alive.
    #[arg(long, value_name = "WHICH", default_value = "none")]
    pub(crate) follow: Follow,
}

/// Arguments of `rootbound roots`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("trees").multiple(true))]
pub(crate) struct RootsArgs {
    #[command(flatten)]
    pub(crate) dump: DumpArgs,
    /// Roots that are listed.
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = some)]
    pub(crate) limit: usize,
    /// Order of the roots.
    #[arg(long, value_name = "BY", default_value = "size")]
    pub(crate) sort: RootOrder,
    /// Only these roots.
    #[arg(long, value_name = "KIND", default_value = "all")]
    pub(crate) kind: RootKinds,
    /// Only roots of this class; `*` in the name fits anything.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) class: Option<String>,
    /// Only roots, and with --tree only subtrees, of at least this size: bytes, or with K, M or G.
    #[arg(long, value_name = "SIZE", default_value = "0", value_parser = size)]
    pub(crate) min_size: u64,
    /// Print the tree of every listed root ("dump from roots").
    #[arg(long, group = "trees")]
    pub(crate) tree: bool,
    /// Print the tree of this object instead, root or not: its id (0x…).
    #[arg(long, value_name = "0xID", group = "trees", conflicts_with_all = ["kind", "class", "sort", "limit"])]
    pub(crate) from: Option<String>,
    /// Print the trees in this form.
    #[arg(long, value_name = "FORM", group = "trees")]
    pub(crate) format: Option<TreeForm>,
    /// Levels of a tree.
    #[arg(long, value_name = "LEVELS", default_value_t = 6, requires = "trees")]
    pub(crate) depth: u32,
    /// Lines of a tree.
    #[arg(long, value_name = "COUNT", default_value_t = 200, requires = "trees", value_parser = some)]
    pub(crate) lines: usize,
    /// Which Reference objects count as references to what they refer to.
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub(crate) follow: Follow,
}

/// Arguments of `rootbound size`.
#[derive(Debug, Args)]
pub(crate) struct SizeArgs {
    #[command(flatten)]
    pub(crate) dump: DumpArgs,
    /// Where the structure begins: a class (all its instances), `static CLASS.FIELD`, or an object's id (0x…); `*` in
    /// names fits anything. Several are measured as one.
    #[arg(long, value_name = "PATTERN", required = true)]
    pub(crate) from: Vec<String>,
    /// What counts as null: a class (all its instances), a field, static or not (CLASS.FIELD), or an object's id.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) skip: Vec<String>,
    /// Measure class mirrors, and what hangs from them, too; by default they are skipped.
    #[arg(long)]
    pub(crate) with_classes: bool,
    /// Classes that are listed.
    #[arg(long, value_name = "COUNT", default_value_t = 30, value_parser = some)]
    pub(crate) limit: usize,
    /// Order of the classes.
    #[arg(long, value_name = "BY", default_value = "bytes")]
    pub(crate) sort: SizeOrder,
    /// Which Reference objects take what they refer to into the structure.
    #[arg(long, value_name = "WHICH", default_value = "none")]
    pub(crate) follow: Follow,
}

/// What every command on a dump understands.
#[derive(Debug, Args)]
pub(crate) struct DumpArgs {
    /// Heap dump (the format is detected).
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write the report as JSON (rootbound.dump/1) to FILE, or to standard output with `-`.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// Which references to referents are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Follow {
    /// None: as the collector does when memory is short.
    #[default]
    None,
    /// Those of soft references, which the collector keeps while memory is not short.
    Soft,
    /// Those of soft references, and of the objects that wait to be finalized.
    Final,
    /// Those of soft, weak, phantom and final references.
    All,
}

impl Follow {
    pub(crate) fn rules(self) -> DumpRules {
        let follows_final = self == Self::Final;
        DumpRules {
            keeps_soft: self == Self::Soft || follows_final,
            keeps_final: follows_final,
            keeps_all: self == Self::All,
        }
    }
}

/// Forms of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeForm {
    /// Sentences and rounded sizes.
    Plain,
    /// The lines of HeapRoots, with exact sizes.
    Heaproots,
}

/// Orders of the classes of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClassSort {
    Retained,
    Shallow,
    Instances,
}

impl From<ClassSort> for ClassOrder {
    fn from(order: ClassSort) -> Self {
        match order {
            ClassSort::Retained => Self::Retained,
            ClassSort::Shallow => Self::Shallow,
            ClassSort::Instances => Self::Instances,
        }
    }
}

/// Orders of roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RootOrder {
    Size,
    Descendants,
    Depth,
    Address,
    Class,
}

impl From<RootOrder> for SortBy {
    fn from(order: RootOrder) -> Self {
        match order {
            RootOrder::Size => Self::Size,
            RootOrder::Descendants => Self::Descendants,
            RootOrder::Depth => Self::Depth,
            RootOrder::Address => Self::Address,
            RootOrder::Class => Self::Class,
        }
    }
}

/// Kinds of root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RootKinds {
    All,
    Pure,
    Artificial,
}

impl From<RootKinds> for Kinds {
    fn from(kinds: RootKinds) -> Self {
        match kinds {
            RootKinds::All => Self::All,
            RootKinds::Pure => Self::Pure,
            RootKinds::Artificial => Self::Artificial,
        }
    }
}

/// Orders of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SizeOrder {
    Bytes,
    Instances,
}
