//! How much memory may still be used, as the kernel's texts say: of the machine, of each control group above this process,
//! and of what the kernel promises. Texts in, numbers out; who reads the files is the caller's.

/// Reads a file; `None` when there is none.
pub trait Files {
    /// The text of the file.
    fn text(&self, path: &str) -> Option<String>;
}

impl<F: Fn(&str) -> Option<String>> Files for F {
    fn text(&self, path: &str) -> Option<String> {
        self(path)
    }
}

/// The files of one version of control groups.
struct Groups {
    mount: &'static str,
    /// The field of `/proc/self/cgroup` that names the group.
    controller: &'static str,
    limits: &'static [&'static str],
    usage: &'static str,
    /// In `memory.stat`: the page cache that can be given up.
    reclaimable: &'static str,
}

const VERSIONS: [Groups; 2] = [
    Groups {
        mount: "/sys/fs/cgroup",
        controller: "",
        limits: &["memory.max", "memory.high"],
        usage: "memory.current",
        reclaimable: "inactive_file ",
    },
    Groups {
        mount: "/sys/fs/cgroup/memory",
        controller: "memory",
        limits: &["memory.limit_in_bytes"],
        usage: "memory.usage_in_bytes",
        reclaimable: "total_inactive_file ",
    },
];

/// Bytes that may still be used: of the machine or of a control group, whichever is least.
pub fn headroom(files: &impl Files) -> Option<u64> {
    let machine = files.text("/proc/meminfo").and_then(|text| kilobytes(&text, "MemAvailable:"));
    let own = files.text("/proc/self/cgroup").unwrap_or_default();
    let groups = VERSIONS.iter().filter_map(|version| {
        let group = group(&own, version.controller)?;
        ancestry(group).into_iter().filter_map(|group| version.room(files, group)).min()
    });
    machine.into_iter().chain(groups).min()
}

/// The group of this process under a controller; the one without a name is version 2's.
pub(super) fn group<'t>(own: &'t str, controller: &str) -> Option<&'t str> {
    own.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        controllers.split(',').any(|name| name == controller).then_some(group)
    })
}

/// The group and all above it. In a container the names may be those outside, then only the root is found.
pub(super) fn ancestry(group: &str) -> Vec<&str> {
    let mut all = vec![group.trim_end_matches('/')];
    while let Some((above, _)) = all.last().and_then(|last| last.rsplit_once('/')) {
        all.push(above);
    }
    all
}

impl Groups {
    fn room(&self, files: &impl Files, group: &str) -> Option<u64> {
        let text = |name: &str| files.text(&format!("{}{group}/{name}", self.mount));
        let limit = self.limits.iter().filter_map(|name| text(name)?.trim().parse::<u64>().ok()).min()?;
        let used: u64 = text(self.usage)?.trim().parse().ok()?;
        let stat = text("memory.stat").unwrap_or_default();
        let cache = stat.lines().find_map(|line| line.strip_prefix(self.reclaimable)?.trim().parse::<u64>().ok());
        Some(limit.saturating_sub(used.saturating_sub(cache.unwrap_or_default())))
    }
}

/// Where the kernel promises no more memory than it has (mode 2), a fork needs a promise for all that the process may
/// write: the bytes that lack, if any do.
pub fn lacking_promise(files: &impl Files) -> Option<u64> {
    const NEVER: &str = "2";
    if files.text("/proc/sys/vm/overcommit_memory")?.trim() != NEVER {
        return None;
    }
    let meminfo = files.text("/proc/meminfo")?;
    let free = kilobytes(&meminfo, "CommitLimit:")?.saturating_sub(kilobytes(&meminfo, "Committed_AS:")?);
    let wanted = kilobytes(&files.text("/proc/self/status")?, "VmData:")?;
    wanted.checked_sub(free).filter(|&lacking| lacking > 0)
}

/// A figure of `/proc/self/status`, in bytes.
pub fn own(files: &impl Files, key: &str) -> Option<u64> {
    kilobytes(&files.text("/proc/self/status")?, key)
}

fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let figure = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(figure.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &'static [(&'static str, &'static str)]) -> impl Files {
        |path: &str| texts.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
    }

    const MEMINFO: (&str, &str) = (
        "/proc/meminfo",
        "MemTotal: 9000 kB\nMemAvailable:   8000 kB\nCommitLimit:   5000 kB\nCommitted_AS:    2000 kB\n",
    );

    #[test]
    fn without_groups_the_machine_decides() {
        assert_eq!(headroom(&files(&[MEMINFO])), Some(8000 << 10));
        assert_eq!(headroom(&files(&[])), None);
    }

    #[test]
    fn the_tightest_group_of_version_2_decides_whatever_its_level() {
        let room = headroom(&files(&[
            MEMINFO,
            ("/proc/self/cgroup", "0::/shop/web\n"),
            ("/sys/fs/cgroup/shop/web/memory.max", "max\n"),
            ("/sys/fs/cgroup/shop/web/memory.high", "7000000\n"),
            ("/sys/fs/cgroup/shop/web/memory.current", "1000000\n"),
            ("/sys/fs/cgroup/shop/memory.max", "5000000\n"),
            ("/sys/fs/cgroup/shop/memory.current", "4000000\n"),
            ("/sys/fs/cgroup/shop/memory.stat", "anon 1\ninactive_file 500000\nactive_file 9\n"),
        ]));
        assert_eq!(room, Some(1_500_000));
    }

    #[test]
    fn version_1_is_read_where_the_memory_controller_is_mounted() {
        let room = headroom(&files(&[
            MEMINFO,
            ("/proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/docker/0123\n0::/\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000\n"),
            ("/sys/fs/cgroup/memory/memory.usage_in_bytes", "2500000\n"),
            ("/sys/fs/cgroup/memory/memory.stat", "inactive_file 7\ntotal_inactive_file 100000\n"),
        ]));
        assert_eq!(room, Some(600_000), "in a container the own group is the root");
    }

    #[test]
    fn a_group_that_is_over_its_limit_has_no_room() {
        let room = headroom(&files(&[
            ("/proc/self/cgroup", "0::/\n"),
            ("/sys/fs/cgroup/memory.max", "10\n"),
            ("/sys/fs/cgroup/memory.current", "20\n"),
        ]));
        assert_eq!(room, Some(0));
    }

    #[test]
    fn only_mode_2_asks_for_promises() {
        let wanting = |mode, data: &'static str| {
            let texts = [MEMINFO, ("/proc/sys/vm/overcommit_memory", mode), ("/proc/self/status", data)];
            lacking_promise(&move |path: &str| {
                texts.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
            })
        };
        assert_eq!(wanting("0\n", "VmData: 9000 kB\n"), None);
        assert_eq!(wanting("1\n", "VmData: 9000 kB\n"), None);
        assert_eq!(wanting("2\n", "VmData: 9000 kB\n"), Some(6000 << 10));
        assert_eq!(wanting("2\n", "VmData: 3000 kB\n"), None);
    }
}
