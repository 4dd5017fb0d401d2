//! Classification trees (AntTracks §2.2.2, §3.3): a group of objects is split by a chain of classifiers, each part by
//! the next one. Of two states the trees are made together, so that their nodes match by their keys (§3.4.4, Figure
//! 14).
//!
//! Reading order: [`chain`] (the classifiers as people write them), [`split`] (the parts of one group, with
//! [`upward`]), [`tree`].

mod chain;
mod split;
mod tree;
mod upward;

pub use chain::{Chain, ChainError, Classifier};
pub use split::Side;
pub use tree::{Node, Tree, Trees};

#[cfg(test)]
mod tests;
