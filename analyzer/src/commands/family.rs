//! Descendants of a process: scripts start JVMs as children.

use rustix::process::Pid;
use std::fs;

/// All descendants of `ancestor` that run now. An orphan has lost its ancestors, so call this in time.
pub(crate) fn descendants(ancestor: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut unasked = vec![ancestor];
    while let Some(process) = unasked.pop() {
        let children = children(process);
        unasked.extend(&children);
        found.extend(children);
    }
    found
}

/// Each thread has children of its own; a process that is gone has none.
fn children(process: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero())) else { return Vec::new() };
    let lists = threads.flatten().map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    lists.flat_map(|list| list.split_whitespace().filter_map(pid).collect::<Vec<_>>()).collect()
}

fn pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn grandchildren_are_found() {
        let script = "sh -c 'echo $$; sleep 60' & wait";
        let mut child = Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let family = descendants(Pid::from_child(&child));
        assert!(family.contains(&pid(line.trim()).unwrap()), "{family:?} without {line}");
        for member in family {
            rustix::process::kill_process(member, rustix::process::Signal::KILL).unwrap();
        }
        child.kill().ok();
        child.wait().unwrap();
    }
}
