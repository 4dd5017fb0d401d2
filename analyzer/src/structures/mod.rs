//! Data structures as users describe them (AntTracks, Weninger, Gander and Mössenböck, 2019, §3).
//!
//! Reading order: [`language`] (descriptions in files, without any heap), [`shipped`] (the descriptions that come with
//! the program), [`layout`] (the descriptions joined with the classes of one heap). Classes are known here only by the
//! descriptions. Then one heap: [`heads`], [`walk`] (the members of structures), [`detect`] (all structures with their
//! sizes), [`contain`] (those at the top), [`members`] (of one structure), [`closures`] and [`sets`] (deep and retained
//! sizes of [`groups`]). Then several: [`census`] (what is kept of a heap), [`measure`] (its costly metrics),
//! [`growth`] (between two states), [`pattern`] (kinds of growth), [`classify`] (trees of any group of objects).

pub mod census;
pub mod classify;
mod closures;
mod contain;
mod detect;
mod groups;
pub mod growth;
mod heads;
pub mod language;
pub mod layout;
pub mod measure;
mod members;
pub mod pattern;
mod resolve;
mod sets;
pub mod shipped;
mod walk;

pub use closures::{reached, reached_by_each};
pub use detect::{Detection, Measured, Structures};
pub use heads::{HeadIdx, Heads};
pub use members::{Members, Whole};
pub use sets::{retained_by_classes, retained_by_each};
pub use walk::Reach;

pub use language::{Description, DescriptionFile, Language};
pub use layout::{Branch, Layout, LayoutOptions, TypeIdx};

#[cfg(test)]
mod tests;
