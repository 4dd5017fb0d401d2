//! What people and other programs see. Everything here is made from the [`report::Report`] alone.

pub mod report;
