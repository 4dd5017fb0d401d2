//! The agent's library with the cargo feature `faults`, in which tests inject faults. The tests of the whole use it,
//! too.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Whether these options of the agent inject a fault.
pub fn is_asked_for(options: &str) -> bool {
    options.split(',').any(|option| option.starts_with("test-"))
}

/// The library, built by cargo if it is not up to date. `target` is cargo's target folder.
///
/// # Panics
///
/// If it cannot be built.
pub fn library(target: &Path) -> PathBuf {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| build(target));
    target.join("faults/librootbound_agent.so")
}

#[allow(clippy::expect_used)]
fn build(target: &Path) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--profile", "faults", "--package", "rootbound-agent", "--features", "faults"])
        .arg("--target-dir")
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(built.expect("cargo starts").success(), "the library with faults is not built");
}
