//! Tests of the agent in real JVMs; the tests play the part of the analyzer.

mod jvm;

mod buffers;
mod by_address;
mod doors;
mod dropped;
mod faults;
mod heads;
mod many_captures;
mod marks;
mod owners;
mod platform;
mod real_jvm;
mod restless;
mod sites;
