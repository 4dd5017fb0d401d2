//! Whether the memory that is left suffices for a dump. Without it the kernel would end this process in the middle of
//! the work, or another one: perhaps the program that wrote the dump.

use crate::units;
use procfs::{Current, Meminfo};
use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of the heap for each object while it is built, references not counted.
const CERTAIN_BYTES: u64 = 13;
/// Bytes for each object that `suspects` took on a dump with two references an object.
const USUAL_BYTES: u64 = 35;

/// The folder of the control groups, version 2.
const GROUPS: &str = "/sys/fs/cgroup";

/// The dump is too large for the memory that is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the dump has {} objects, whose heap takes more than {} of memory, and {} are left; read it on a larger machine, or \
     raise the memory limit of this process",
    units::count(*objects), units::bytes(*need as f64), units::bytes(*left as f64)
)]
pub struct TooLittleMemory {
    objects: u64,
    need: u64,
    left: u64,
}

/// Compares the need of a dump with the memory that is left.
///
/// # Errors
/// When the heap alone cannot fit. A dump that may not fit gives a warning.
pub(super) fn check(objects: u64) -> Result<(), TooLittleMemory> {
    let Some(left) = left() else { return Ok(()) };
    if let Some(usual) = judge(objects, left)? {
        let (usual, left) = (units::bytes(usual as f64), units::bytes(left as f64));
        tracing::warn!("the analysis of this number of objects usually takes {usual} of memory, and {left} are left");
    }
    Ok(())
}

/// The usual need, if it is more than what is left.
fn judge(objects: u64, left: u64) -> Result<Option<u64>, TooLittleMemory> {
    let [need, usual] = [CERTAIN_BYTES, USUAL_BYTES].map(|bytes| objects.saturating_mul(bytes));
    if need > left { Err(TooLittleMemory { objects, need, left }) } else { Ok((usual > left).then_some(usual)) }
}

/// Bytes that the machine and the control groups above this process leave to it.
fn left() -> Option<u64> {
    let machine = Meminfo::current().ok().and_then(|memory| memory.mem_available);
    let groups = fs::read_to_string("/proc/self/cgroup").ok();
    let group = groups.as_deref().and_then(own_group).and_then(|own| left_in_groups(Path::new(GROUPS), &own));
    machine.into_iter().chain(group).min()
}

/// The path of the own group, version 2.
fn own_group(groups: &str) -> Option<PathBuf> {
    groups.lines().find_map(|line| line.strip_prefix("0::/")).map(PathBuf::from)
}

/// The least that a group from `own` up to the root leaves; files in memory can be dropped and do not count.
fn left_in_groups(root: &Path, own: &Path) -> Option<u64> {
    own.ancestors().filter_map(|group| left_in(&root.join(group))).min()
}

fn left_in(group: &Path) -> Option<u64> {
    let number = |file: &str| fs::read_to_string(group.join(file)).ok()?.trim().parse::<u64>().ok();
    let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let files = stat.lines().find_map(|line| line.strip_prefix("file ")?.parse::<u64>().ok()).unwrap_or(0);
    Some(number("memory.max")?.saturating_sub(number("memory.current")?.saturating_sub(files)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heap_that_cannot_fit_is_refused_and_one_that_may_not_fit_gives_a_warning() {
        const MANY: u64 = 1_000_000_000;
        assert_eq!(judge(MANY, 64 << 30), Ok(None));
        assert_eq!(judge(MANY, 24 << 30), Ok(Some(35 * MANY)));
        let text = judge(MANY, 8 << 30).unwrap_err().to_string();
        assert!(text.contains("1000.00M objects"), "{text}");
        assert!(text.contains("12.1 GB") && text.contains("8.0 GB are left"), "{text}");
        assert!(judge(u64::MAX, 1 << 40).is_err());
    }

    #[test]
    fn the_tightest_group_counts_and_files_in_memory_do_not() {
        let root = tempfile::tempdir().unwrap();
        let own = root.path().join("pod/box");
        fs::create_dir_all(&own).unwrap();
        let write = |group: &Path, max: &str, current: &str, file: u64| {
            fs::write(group.join("memory.max"), max).unwrap();
            fs::write(group.join("memory.current"), current).unwrap();
            fs::write(group.join("memory.stat"), format!("anon 1\nfile {file}\n")).unwrap();
        };
        write(&own, "max\n", "500\n", 100);
        assert_eq!(left_in_groups(root.path(), Path::new("pod/box")), None);
        write(&root.path().join("pod"), "1000\n", "700\n", 300);
        assert_eq!(left_in_groups(root.path(), Path::new("pod/box")), Some(600));
        write(&own, "550\n", "500\n", 100);
        assert_eq!(left_in_groups(root.path(), Path::new("pod/box")), Some(150));
        assert_eq!(own_group("12:cpu:/x\n0::/pod/box\n"), Some(PathBuf::from("pod/box")));
    }
}
