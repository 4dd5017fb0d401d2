//! The limits on the process itself (`ulimit`): of its address space and of its data. A walk's requests to malloc
//! beyond them are refused, and a JVM that is refused memory ends itself.

use super::files::{Files, kilobytes};

/// A limit and the figure that counts against it.
const LIMITS: [(&str, &str, &str); 2] = [
    ("Max address space", "VmSize:", "of its address space (RLIMIT_AS)"),
    ("Max data size", "VmData:", "of its data (RLIMIT_DATA)"),
];

/// The room left below the tightest limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Bytes.
    pub bytes: u64,
    /// The limit's name, for people.
    pub of: &'static str,
}

/// `None` where the process has no such limit.
pub fn room(files: &impl Files) -> Option<Room> {
    let (limits, status) = (files.text("/proc/self/limits")?, files.text("/proc/self/status")?);
    let rooms = LIMITS.iter().filter_map(|&(limit, used, of)| {
        let soft =
            limits.lines().find_map(|line| line.strip_prefix(limit)?.split_whitespace().next()?.parse::<u64>().ok())?;
        Some(Room { bytes: soft.saturating_sub(kilobytes(&status, used)?), of })
    });
    rooms.min_by_key(|room| room.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tightest(limits: &'static str) -> Option<Room> {
        room(&move |path: &str| match path {
            "/proc/self/limits" => Some(limits.to_owned()),
            "/proc/self/status" => Some("VmSize:\t 2000 kB\nVmData:\t 500 kB\n".to_owned()),
            _ => None,
        })
    }

    #[test]
    fn the_tightest_limit_of_the_process_is_reported() {
        let limits = "Max data size             1024000              unlimited            bytes     \n\
                      Max address space         4096000              unlimited            bytes     \n";
        assert_eq!(tightest(limits), Some(Room { bytes: 512_000, of: LIMITS[1].2 }));
        let limits = "Max address space         1000              unlimited            bytes     \n";
        assert_eq!(tightest(limits), Some(Room { bytes: 0, of: LIMITS[0].2 }));
        assert_eq!(tightest("Max address space         unlimited            unlimited            bytes     \n"), None);
    }
}
