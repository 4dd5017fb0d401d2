//! The verbs that ask for single objects of a heap dump, as typed.

use super::dumps::{DumpArgs, Follow};
use super::value::{addresses, size, some};
use clap::{Args, ValueEnum};
use rootbound::dump_reports::ObjectOrder;
use std::ops::RangeInclusive;

/// Arguments of `rootbound objects`.
#[derive(Debug, Args)]
pub(crate) struct ObjectsArgs {
    #[command(flatten)]
    pub(crate) dump: DumpArgs,
    /// Only objects of this class; `*` in the name fits anything.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) class: Option<String>,
    /// Only objects that have at least this size themselves: bytes, or with K, M or G.
    #[arg(long, value_name = "SIZE", default_value = "0", value_parser = size)]
    pub(crate) min_size: u64,
    /// Only objects at these addresses.
    #[arg(long, value_name = "0xLOW-0xHIGH", value_parser = addresses)]
    pub(crate) addresses: Option<RangeInclusive<u64>>,
    /// Order of the objects.
    #[arg(long, value_name = "BY", default_value = "retained")]
    pub(crate) sort: ObjectSort,
    /// Objects that are listed.
    #[arg(long, value_name = "COUNT", default_value_t = 25, value_parser = some)]
    pub(crate) limit: usize,
    /// Which Reference objects keep what they refer to alive.
    #[arg(long, value_name = "WHICH", default_value = "none")]
    pub(crate) follow: Follow,
}

/// Arguments of `rootbound paths`.
#[derive(Debug, Args)]
pub(crate) struct PathsArgs {
    #[command(flatten)]
    pub(crate) dump: DumpArgs,
    /// Where the ways end: a class (all its instances), `static CLASS.FIELD`, an object's id (0x…), or the number of a
    /// mark in a recording (mark:N); `*` in names fits anything.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) to: String,
    /// Objects that no way may pass: a class (all its instances), a static field, or an object's id.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) avoid: Vec<String>,
    /// Ways that are printed.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = some)]
    pub(crate) paths: usize,
    /// Which Reference objects keep what they refer to alive.
    #[arg(long, value_name = "WHICH", default_value = "none")]
    pub(crate) follow: Follow,
    /// Print nothing but the ways, one reference a line and an empty line between two ways; for programs.
    #[arg(long)]
    pub(crate) lines: bool,
}

/// Arguments of `rootbound holders`.
#[derive(Debug, Args)]
pub(crate) struct HoldersArgs {
    #[command(flatten)]
    pub(crate) dump: DumpArgs,
    /// The objects whose referrers are wanted: a class (all its instances), `static CLASS.FIELD`, an object's id (0x…),
    /// or the number of a mark in a recording (mark:N); `*` in names fits anything.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) of: String,
    /// Rows per list.
    #[arg(long, value_name = "COUNT", default_value_t = 25, value_parser = some)]
    pub(crate) limit: usize,
    /// Which Reference objects count as referrers of what they refer to.
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub(crate) follow: Follow,
}

/// Orders of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObjectSort {
    Size,
    Retained,
    Subtree,
    Descendants,
    Depth,
    Address,
    Class,
}

impl From<ObjectSort> for ObjectOrder {
    fn from(order: ObjectSort) -> Self {
        match order {
            ObjectSort::Size => Self::Size,
            ObjectSort::Retained => Self::Retained,
            ObjectSort::Subtree => Self::Subtree,
            ObjectSort::Descendants => Self::Descendants,
            ObjectSort::Depth => Self::Depth,
            ObjectSort::Address => Self::Address,
            ObjectSort::Class => Self::Class,
        }
    }
}
