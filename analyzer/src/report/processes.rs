//! The JVMs of a machine, as `rootbound ps` lists them.

use serde::Serialize;

/// A JVM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JvmLine {
    /// Its process id here.
    pub pid: i32,
    /// Its process id in its container, where it has another.
    pub inner_pid: Option<i32>,
    /// Its user.
    pub user: String,
    /// Seconds since its start.
    pub age_s: u64,
    /// The virtual machine with its release.
    pub machine: String,
    /// Resident memory in bytes.
    pub resident_bytes: u64,
    /// Main class or jar.
    pub main: String,
    /// The reason why it cannot be attached to; `None`: it can.
    pub obstacle: Option<String>,
}
