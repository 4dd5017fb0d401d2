//! All JVMs of this machine, and the one that a user means.

use super::checks;
use super::error::AttachError;
use super::flags::main_name;
use super::jvm::{Jvm, Machine, is_new, user_name};
use std::thread;
use std::time::Duration;

/// Time between two looks at a process that has just started.
const POLL: Duration = Duration::from_millis(50);

/// A JVM as `rootbound ps` lists it.
#[derive(Debug)]
pub struct Listed {
    /// Its process id here.
    pub pid: i32,
    /// Its process id in its container, where it has another.
    pub inner_pid: Option<i32>,
    /// Its user.
    pub user: String,
    /// Time since its start.
    pub age: Duration,
    /// The machine with its release.
    pub machine: String,
    /// Resident memory in bytes.
    pub resident: u64,
    /// Main class or jar.
    pub main: String,
    /// The reason why it cannot be attached to; `None`: it can.
    pub obstacle: Option<AttachError>,
}

/// All JVMs that this user may see, by process id.
///
/// # Errors
/// When the system does not list processes.
pub fn all() -> std::io::Result<Vec<Listed>> {
    let mut found: Vec<Listed> = jvms()?.iter().map(listed).collect();
    found.sort_by_key(|jvm| jvm.pid);
    Ok(found)
}

/// The JVM of a process id or a name: its main class, its last part, or its jar.
///
/// # Errors
/// When there is none, or several.
pub fn named(target: &str) -> Result<Jvm, AttachError> {
    if let Ok(pid) = target.parse() {
        return started(pid);
    }
    let jvms = jvms().map_err(|source| AttachError::Unreadable { pid: 0, source })?;
    let mut found: Vec<Jvm> = jvms.into_iter().filter(|jvm| is_called(&main_name(jvm), target)).collect();
    match (found.pop(), found.is_empty()) {
        (None, _) => Err(AttachError::NoName(target.to_owned())),
        (Some(jvm), true) => Ok(jvm),
        (Some(last), false) => {
            let mut pids: Vec<i32> = found.iter().chain([&last]).map(|jvm| jvm.pid).collect();
            pids.sort_unstable();
            Err(AttachError::Several { name: target.to_owned(), pids })
        }
    }
}

/// The JVM with this process id. A process that has just started may not have loaded its machine yet.
fn started(pid: i32) -> Result<Jvm, AttachError> {
    loop {
        match Jvm::find(pid) {
            Err(AttachError::NoJvm(_)) if is_new(pid) => thread::sleep(POLL),
            found => return found,
        }
    }
}

fn is_called(main: &str, name: &str) -> bool {
    main == name || main.strip_suffix(".jar") == Some(name) || main.rsplit('.').next() == Some(name)
}

pub(super) fn jvms() -> std::io::Result<Vec<Jvm>> {
    let processes = procfs::process::all_processes().map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(processes.filter_map(|process| Jvm::of_process(process.ok()?)).collect())
}

fn listed(jvm: &Jvm) -> Listed {
    let machine = match jvm.machine {
        Machine::HotSpot(Some(release)) => format!("HotSpot {release}"),
        Machine::HotSpot(None) => "HotSpot".to_owned(),
        Machine::OpenJ9 => "OpenJ9".to_owned(),
    };
    Listed {
        pid: jvm.pid,
        inner_pid: (jvm.inner_pid != jvm.pid).then_some(jvm.inner_pid),
        user: user_name(jvm.user),
        age: jvm.age,
        machine,
        resident: jvm.resident,
        main: main_name(jvm),
        obstacle: checks::obstacle(jvm),
    }
}

#[cfg(test)]
mod tests {
    use super::is_called;

    #[test]
    fn a_name_is_the_main_class_its_last_part_or_the_jar() {
        assert!(is_called("shop.Main", "Main") && is_called("shop.Main", "shop.Main"));
        assert!(is_called("shop.jar", "shop") && is_called("shop.jar", "shop.jar"));
        assert!(!is_called("shop.Main", "shop") && !is_called("shop.Main", "ain"));
    }
}
