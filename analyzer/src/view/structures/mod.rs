//! Views of reports on data structures. [`found`] prints those of one heap, [`growth`] the growth between states of a
//! heap with the code that adds to them ([`sites`]), [`region`] the sentence on a growing region, [`tree`] any
//! classification.

pub mod found;
pub mod growth;
pub mod region;
mod sites;
mod tree;
