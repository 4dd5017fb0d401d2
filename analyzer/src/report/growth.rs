//! The growth of data structures between states of a heap: report `growth` of `rootbound.dump/1`. Fields are added,
//! never renamed. Portions are in percent of the heap's growth; they are never added up.

use super::language::LanguageReport;
use super::tree::TreeNode;
use crate::naming::growth::{Advice, Identity, Pattern};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Report of `rootbound growth`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct GrowthReport {
    /// [`super::dump::SCHEMA`].
    pub schema: Cow<'static, str>,
    /// `growth`.
    pub report: Cow<'static, str>,
    /// The answer in one sentence.
    pub verdict: String,
    /// The descriptions.
    pub language: LanguageReport,
    /// All states, in their order.
    pub states: Vec<State>,
    /// The two states that are compared.
    pub window: Window,
    /// Numbers of structures.
    pub counts: Counts,
    /// Growth of what the listed growing structures retain together, in percent of the heap's growth.
    pub explained: Option<f64>,
    /// Structures that are in both states.
    pub items: Vec<Item>,
    /// Number of those, with the ones that `--limit` left out.
    pub item_count: usize,
    /// Structures at places where the earlier state had none.
    pub born: Vec<Born>,
    /// Difference of the classification trees of both states, with `--by`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tree: Vec<TreeNode>,
    /// Remarks: limits that were reached, descriptions without types, the meaning of the identity.
    pub notes: Vec<String>,
}

/// One state of the heap.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct State {
    /// The dump's file, or the capture.
    pub name: String,
    /// Reachable objects.
    pub heap: Size,
    /// Structures that no other owns.
    pub top_level: u64,
}

/// Objects and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Size {
    /// Number of objects.
    pub objects: u64,
    /// Their shallow sizes.
    pub bytes: u64,
}

/// A difference of two sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Delta {
    /// Objects.
    pub objects: i64,
    /// Bytes.
    pub bytes: i64,
}

/// A portion of the heap's growth in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Portion {
    /// Of the growth in objects.
    pub objects: f64,
    /// Of the growth in bytes.
    pub bytes: f64,
}

/// One value for each metric of AntTracks §2.2.3 and §3.4.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Metrics<T> {
    /// The heads alone.
    pub shallow: T,
    /// All that is reached.
    pub deep: T,
    /// All that nothing else keeps.
    pub retained: T,
    /// Members.
    pub structure: T,
    /// Members, with those of all structures within.
    pub deep_structure: T,
}

/// Two states, and the growth of the heap between them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Window {
    /// Name of the earlier state.
    pub from: String,
    /// Name of the later one.
    pub to: String,
    /// Place of the earlier one among all states, from 0 on.
    #[serde(default)]
    pub from_state: usize,
    /// Place of the later one.
    #[serde(default)]
    pub to_state: usize,
    /// Time between them, where it is known.
    pub seconds: Option<f64>,
    /// Reachable bytes before.
    pub heap_bytes_before: u64,
    /// Reachable bytes after.
    pub heap_bytes_after: u64,
    /// Reachable objects before.
    pub heap_objects_before: u64,
    /// Reachable objects after.
    pub heap_objects_after: u64,
    /// Growth in bytes.
    pub growth_bytes: i64,
    /// Growth in objects.
    pub growth_objects: i64,
    /// Whether the heap grew enough for patterns.
    pub is_long_enough: bool,
}

/// Numbers of structures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Counts {
    /// Structures of the later state.
    pub structures: u64,
    /// Those of them that no other owns.
    pub top_level: u64,
    /// Objects in them, each once.
    pub member_objects: u64,
    /// Bytes of these.
    pub member_bytes: u64,
    /// Structures and groups in both states, by identity.
    pub by_identity: ByIdentity,
    /// Structures and groups in both states.
    pub survived: u64,
    /// Structures of the earlier state whose place is empty.
    pub died: u64,
    /// Structures of the later state whose place was empty.
    pub born: u64,
    /// Structures without sizes, because a limit was reached.
    pub not_measured: u64,
}

/// Structures and groups by identity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct ByIdentity {
    /// By handles.
    pub handle: u64,
    /// By marks.
    pub mark: u64,
    /// Single ones by their paths.
    pub path: u64,
    /// Groups by their place.
    pub place: u64,
}

/// A structure, or a group of structures at one place.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Item {
    /// Class of the heads.
    pub class: String,
    /// Place in one expression.
    pub place: String,
    /// Id of the head that retains most, in the later dump.
    pub id: Option<String>,
    /// How it is known to be the same.
    pub identity: Identity,
    /// Number of heads in the later state.
    pub alike: u64,
    /// Whether no other structure owns it.
    pub is_top_level: bool,
    /// Sizes in the later state.
    pub sizes: Metrics<Option<Size>>,
    /// Sizes in the earlier state.
    pub before: Metrics<Option<Size>>,
    /// Growth.
    pub growth: Metrics<Option<Delta>>,
    /// Growth as a portion of the heap's.
    pub hgp: Metrics<Option<Portion>>,
    /// Kind of growth; `None` where the window is too short, or a metric is not known.
    pub pattern: Option<Pattern>,
    /// The metrics that grew much.
    pub high: Option<High>,
    /// Whether the retained size grew in every step of three states or more.
    pub grew_steadily: Option<bool>,
    /// What to do.
    pub advice: Option<Advice>,
    /// Leaves by class, the largest growth first.
    pub leaves: Vec<Leaf>,
    /// Other listed structures that have the leaves, too.
    pub also_contained_in: Vec<String>,
}

impl Item {
    /// Whether it grew in every step of three states or more, and much.
    #[must_use]
    pub fn is_grower(&self) -> bool {
        self.grew_steadily == Some(true) && self.high.is_some_and(|high| high.retained || high.deep_structure)
    }
}

/// The metrics that grew much, by the letters of the patterns' table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct High {
    /// R: the retained size.
    pub retained: bool,
    /// D: the deep structure size.
    pub deep_structure: bool,
    /// T: the deep size.
    pub deep: Option<bool>,
}

/// Leaves of one class.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Leaf {
    /// Their class.
    pub class: String,
    /// Leaves before.
    pub before: u64,
    /// Leaves after.
    pub after: u64,
    /// Their growth.
    pub growth: i64,
    /// Growth in bytes of what they retain together.
    pub retained_growth: Option<i64>,
    /// The same in percent of the heap's growth.
    pub hgp: Option<f64>,
}

/// Structures at a place where the earlier state had none.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Born {
    /// Their class.
    pub class: String,
    /// Their place.
    pub place: String,
    /// Their number.
    pub count: u64,
    /// What they retain, where it is known.
    pub retained_bytes: Option<u64>,
}
