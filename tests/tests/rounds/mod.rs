//! `assertNoGrowth` of the Java library in real JVMs, and the verb `rounds` behind it.
//!
//! [`built`] builds the jars, [`cases`] compares the text of each finding, [`shark`] has Shark's scenarios,
//! [`libraries`] has healthy and leaking operations of real libraries, [`tools`] runs the examples for Maven, Gradle
//! and both versions of JUnit.

mod built;
mod cases;
mod libraries;
mod shark;
mod tools;
