//! Identity across snapshots: the contents of a tag, setting marks, and finding an object again by its tag or by its
//! path. Uses only those parts of messages that name objects: [`MarkPlan`], [`Mark`].
//!
//! Reading order: [`tag`], [`ages`]; [`mark`] over [`quota`] (by iteration); [`plan`] (a plan that was checked),
//! [`pace`] and [`path`] (the walk along it), [`named`] (objects by their tags),
//! [`sole`] (the only instances of classes), [`live`] (the JVM as a reader), [`heads`] (objects held by weak handles).
//!
//! [`MarkPlan`]: rootbound_wire::message::MarkPlan
//! [`Mark`]: rootbound_wire::message::Mark

pub mod ages;
pub mod heads;
pub mod live;
pub mod mark;
pub mod named;
pub mod pace;
pub mod path;
pub mod plan;
pub mod quota;
pub mod sole;
pub mod tag;

#[cfg(test)]
mod path_tests;
