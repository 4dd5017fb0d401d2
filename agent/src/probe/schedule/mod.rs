//! The order and time of visits.
//!
//! [`names`] (the objects that probes name, owners above all), [`install`] with [`install_error`], [`gate`] (not while
//! the collector marks), [`bias`], and [`tracker`] (the tick).

pub mod bias;
pub mod gate;
pub mod install;
pub mod install_error;
pub mod names;
pub mod tracker;
