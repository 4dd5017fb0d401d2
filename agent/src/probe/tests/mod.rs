//! Visits of heaps that tests make up.

mod chain_tests;
mod count_tests;
mod counter_tests;
pub mod fake_heap;
mod member_tests;
mod rate_tests;
pub mod restless;
mod restless_tests;
mod tangled_tests;
