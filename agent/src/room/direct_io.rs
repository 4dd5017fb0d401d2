//! Files that are written past the page cache. Before Linux 6.3 such a write that is under way while the process forks
//! may leave the device's data in the child's copy of a page, so that the program misses it (open(2), `O_DIRECT`).

/// The kernel that fixed the last case: pinned pages are copied at the fork (5.12 to 6.3).
const MENDED_IN: (u32, u32) = (6, 3);

/// The reason why the process must not be forked; for people. `flags` are the open files' flags from
/// `/proc/self/fdinfo`.
pub fn obstacle(release: &str, mut flags: impl Iterator<Item = u32>) -> Option<String> {
    let direct = libc::O_DIRECT as u32;
    let is_mended = version(release).is_some_and(|version| version >= MENDED_IN);
    (!is_mended && flags.any(|flags| flags & direct != 0)).then(|| {
        format!(
            "the program writes past the page cache (O_DIRECT), which must not run beside a fork before Linux {}.{}",
            MENDED_IN.0, MENDED_IN.1
        )
    })
}

/// `6.1.0-18-amd64` is 6.1.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// The flags of an open file, from the text of its `fdinfo`.
pub fn flags(text: &str) -> Option<u32> {
    u32::from_str_radix(text.lines().find_map(|line| line.strip_prefix("flags:"))?.trim(), 8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direct_writes_forbid_a_fork_on_older_kernels() {
        let plain = flags("pos:\t0\nflags:\t0100002\nmnt_id:\t9\n").expect("flags");
        let direct = plain | libc::O_DIRECT as u32;
        assert!(obstacle("6.1.0-18-amd64", [plain, direct].into_iter()).is_some_and(|text| text.contains("O_DIRECT")));
        assert_eq!(obstacle("6.1.0-18-amd64", [plain].into_iter()), None);
        assert_eq!(obstacle("6.3.1", [direct].into_iter()), None);
        assert!(obstacle("unheard of", [direct].into_iter()).is_some());
    }
}
