//! Views of reports on data structures. [`found`] prints those of one heap, [`growth`] the growth between states of a
//! heap.

pub mod found;
pub mod growth;
