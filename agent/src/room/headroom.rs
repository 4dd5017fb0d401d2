//! The memory that may still be used, from the kernel's texts: of the machine, of each control group above this
//! process, and of the kernel's promises.
//!
//! The groups with a limit are looked up once. Then a reading costs two or three small files a group, so that it can
//! be made many times a second while a child runs.

use super::files::{Files, kilobytes, own};

/// The files of one version of control groups.
struct Groups {
    mount: &'static str,
    /// The field of `/proc/self/cgroup` that names the group.
    controller: &'static str,
    limits: &'static [&'static str],
    usage: &'static str,
    /// In `memory.stat`: the page cache that can be dropped.
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

/// Memory that is kept for the program at any need of the agent: a twentieth of the limit, within these bounds.
const LEAST_MARGIN_BYTES: u64 = 32 << 20;
const MOST_MARGIN_BYTES: u64 = 256 << 20;
const MARGIN_SHARE: u64 = 20;

/// A limit of memory that this process is under.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Limit {
    /// All memory of the machine, in bytes.
    Machine(u64),
    /// A control group's.
    Group {
        bytes: u64,
        /// The folder of its figures.
        folder: String,
        version: usize,
        /// Whether the kernel ends all of the group when its memory runs out.
        ends_all: bool,
    },
}

/// The limits of memory above this process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headroom {
    limits: Vec<Limit>,
}

/// The memory left below the tightest limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Bytes that may be taken and leave the margin.
    pub bytes: u64,
    /// Whether even the margin is touched.
    pub is_short: bool,
}

/// The memory of a control group with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Container {
    /// Its limit in bytes.
    pub limit_bytes: u64,
    /// Bytes that count against it, without page cache that can be dropped; at most the limit.
    pub used_bytes: u64,
}

impl Headroom {
    /// Looks up the existing limits.
    pub fn find(files: &impl Files) -> Self {
        let machine = files.text("/proc/meminfo").and_then(|text| kilobytes(&text, "MemTotal:")).map(Limit::Machine);
        let own = files.text("/proc/self/cgroup").unwrap_or_default();
        let groups = VERSIONS
            .iter()
            .enumerate()
            .filter_map(|(at, version)| Some((at, version, group(&own, version.controller)?)));
        let limits = groups.flat_map(|(at, version, group)| {
            ancestry(group).into_iter().filter_map(move |group| version.limit(files, at, group))
        });
        Self { limits: machine.into_iter().chain(limits).collect() }
    }

    /// The memory left now; `None` where no limit is known.
    pub fn left(&self, files: &impl Files) -> Option<Left> {
        let left = |limit: &Limit| {
            let (free, margin) = (limit.free(files)?, limit.margin());
            Some(Left { bytes: free.saturating_sub(margin), is_short: free < margin })
        };
        self.limits.iter().filter_map(left).min_by_key(|left| (!left.is_short, left.bytes))
    }

    /// The control group with the least memory left: the container, as a rule. `None` where no group has a limit.
    pub fn container(&self, files: &impl Files) -> Option<Container> {
        let of = |limit: &Limit| match limit {
            Limit::Machine(_) => None,
            Limit::Group { bytes, .. } => {
                Some(Container { limit_bytes: *bytes, used_bytes: bytes.saturating_sub(limit.free(files)?) })
            }
        };
        self.limits.iter().filter_map(of).min_by_key(|group| group.limit_bytes - group.used_bytes)
    }

    /// Whether the kernel ends the program together with a child that takes too much.
    pub fn ends_all(&self) -> bool {
        self.limits.iter().any(|limit| matches!(limit, Limit::Group { ends_all: true, .. }))
    }
}

impl Limit {
    /// Where a child that takes too much ends the program too, the margin is doubled.
    fn margin(&self) -> u64 {
        let (bytes, times) = match *self {
            Self::Machine(bytes) => (bytes, 1),
            Self::Group { bytes, ends_all, .. } => (bytes, 1 + u64::from(ends_all)),
        };
        times * (bytes / MARGIN_SHARE).clamp(LEAST_MARGIN_BYTES, MOST_MARGIN_BYTES)
    }

    fn free(&self, files: &impl Files) -> Option<u64> {
        match self {
            Self::Machine(_) => kilobytes(&files.text("/proc/meminfo")?, "MemAvailable:"),
            Self::Group { bytes, folder, version, .. } => VERSIONS.get(*version)?.free(files, folder, *bytes),
        }
    }
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
    fn limit(&self, files: &impl Files, version: usize, group: &str) -> Option<Limit> {
        let folder = format!("{}{group}", self.mount);
        let text = |name: &str| files.text(&format!("{folder}/{name}"));
        let bytes = self.limits.iter().filter_map(|name| text(name)?.trim().parse::<u64>().ok()).min()?;
        let ends_all = text("memory.oom.group").is_some_and(|text| text.trim() == "1");
        // Version 1 writes "no limit" as a number beyond every machine.
        (bytes < NO_LIMIT_BYTES).then_some(Limit::Group { bytes, folder, version, ends_all })
    }

    fn free(&self, files: &impl Files, folder: &str, limit: u64) -> Option<u64> {
        let text = |name: &str| files.text(&format!("{folder}/{name}"));
        let used: u64 = text(self.usage)?.trim().parse().ok()?;
        let stat = text("memory.stat").unwrap_or_default();
        let cache = stat.lines().find_map(|line| line.strip_prefix(self.reclaimable)?.trim().parse::<u64>().ok());
        Some(limit.saturating_sub(used.saturating_sub(cache.unwrap_or_default())))
    }
}

const NO_LIMIT_BYTES: u64 = 1 << 60;

/// Where the kernel promises no more memory than it has (mode 2), a fork needs a promise for all that the process may
/// write. Returns the missing bytes, if any. `spared` of them a fork leaves out.
pub fn lacking_promise(files: &impl Files, spared: u64) -> Option<u64> {
    const NEVER: &str = "2";
    if files.text("/proc/sys/vm/overcommit_memory")?.trim() != NEVER {
        return None;
    }
    let meminfo = files.text("/proc/meminfo")?;
    let free = kilobytes(&meminfo, "CommitLimit:")?.saturating_sub(kilobytes(&meminfo, "Committed_AS:")?);
    let wanted = own(files, "VmData:")?.saturating_sub(spared);
    wanted.checked_sub(free).filter(|&lacking| lacking > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &'static [(&'static str, &'static str)]) -> impl Files {
        |path: &str| texts.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
    }

    const MEMINFO: (&str, &str) = (
        "/proc/meminfo",
        "MemTotal: 9000000 kB\nMemAvailable:   8000000 kB\nCommitLimit:   5000 kB\nCommitted_AS:    2000 kB\n",
    );
    const MB: u64 = 1_000_000;

    fn left(texts: &'static [(&'static str, &'static str)]) -> Option<Left> {
        let files = files(texts);
        Headroom::find(&files).left(&files)
    }

    #[test]
    fn without_groups_the_machine_decides() {
        let bytes = (8_000_000 << 10) - MOST_MARGIN_BYTES;
        assert_eq!(left(&[MEMINFO]), Some(Left { bytes, is_short: false }));
        assert_eq!(left(&[]), None);
    }

    #[test]
    fn the_tightest_group_of_version_2_decides_whatever_its_level() {
        let texts: &[(&str, &str)] = &[
            MEMINFO,
            ("/proc/self/cgroup", "0::/shop/web\n"),
            ("/sys/fs/cgroup/shop/web/memory.max", "max\n"),
            ("/sys/fs/cgroup/shop/web/memory.high", "7000000000\n"),
            ("/sys/fs/cgroup/shop/web/memory.current", "1000000000\n"),
            ("/sys/fs/cgroup/shop/memory.max", "2000000000\n"),
            ("/sys/fs/cgroup/shop/memory.current", "1500000000\n"),
            ("/sys/fs/cgroup/shop/memory.stat", "anon 1\ninactive_file 100000000\nactive_file 9\n"),
        ];
        assert_eq!(left(texts), Some(Left { bytes: 500 * MB, is_short: false }), "600 MB less a twentieth of 2 GB");
        assert!(!Headroom::find(&files(texts)).ends_all());
    }

    #[test]
    fn the_container_is_the_group_with_the_least_left() {
        let texts: &[(&str, &str)] = &[
            MEMINFO,
            ("/proc/self/cgroup", "0::/pod/shop\n"),
            ("/sys/fs/cgroup/pod/shop/memory.max", "800000000\n"),
            ("/sys/fs/cgroup/pod/shop/memory.current", "500000000\n"),
            ("/sys/fs/cgroup/pod/shop/memory.stat", "anon 1\ninactive_file 100000000\n"),
            ("/sys/fs/cgroup/pod/memory.max", "900000000\n"),
            ("/sys/fs/cgroup/pod/memory.current", "750000000\n"),
        ];
        let container = |texts: &'static [(&'static str, &'static str)]| {
            let files = files(texts);
            Headroom::find(&files).container(&files)
        };
        let pod = Container { limit_bytes: 900 * MB, used_bytes: 750 * MB };
        assert_eq!(container(texts), Some(pod), "150 MB are left in the pod, 400 MB in the container");
        assert_eq!(container(&[MEMINFO]), None);
        let over: &[(&str, &str)] = &[
            ("/proc/self/cgroup", "0::/\n"),
            ("/sys/fs/cgroup/memory.max", "1000\n"),
            ("/sys/fs/cgroup/memory.current", "2000\n"),
        ];
        assert_eq!(container(over), Some(Container { limit_bytes: 1000, used_bytes: 1000 }));
    }

    #[test]
    fn version_1_is_read_where_the_memory_controller_is_mounted() {
        let texts = &[
            MEMINFO,
            ("/proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/docker/0123\n0::/\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000000\n"),
            ("/sys/fs/cgroup/memory/memory.usage_in_bytes", "2500000000\n"),
            ("/sys/fs/cgroup/memory/memory.stat", "inactive_file 7\ntotal_inactive_file 100000000\n"),
        ];
        let found = left(texts);
        assert_eq!(found, Some(Left { bytes: 450 * MB, is_short: false }), "in a container the own group is the root");
    }

    #[test]
    fn a_group_without_a_limit_is_none_of_version_1() {
        let texts = &[
            MEMINFO,
            ("/proc/self/cgroup", "4:memory:/\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("/sys/fs/cgroup/memory/memory.usage_in_bytes", "2500000000\n"),
        ];
        assert_eq!(Headroom::find(&files(texts)).limits, [Limit::Machine(9_000_000 << 10)]);
    }

    #[test]
    fn a_group_that_is_over_its_limit_is_short_of_memory() {
        let texts = &[
            ("/proc/self/cgroup", "0::/\n"),
            ("/sys/fs/cgroup/memory.max", "1000000000\n"),
            ("/sys/fs/cgroup/memory.current", "2000000000\n"),
        ];
        assert_eq!(left(texts), Some(Left { bytes: 0, is_short: true }));
    }

    #[test]
    fn where_the_kernel_ends_the_whole_group_the_margin_is_doubled() {
        let texts: &[(&str, &str)] = &[
            ("/proc/self/cgroup", "0::/\n"),
            ("/sys/fs/cgroup/memory.max", "2000000000\n"),
            ("/sys/fs/cgroup/memory.current", "1000000000\n"),
            ("/sys/fs/cgroup/memory.oom.group", "1\n"),
        ];
        assert_eq!(left(texts), Some(Left { bytes: 800 * MB, is_short: false }));
        assert!(Headroom::find(&files(texts)).ends_all());
    }

    #[test]
    fn only_mode_2_asks_for_promises() {
        let wanting = |mode, data: &'static str| {
            let texts = [MEMINFO, ("/proc/sys/vm/overcommit_memory", mode), ("/proc/self/status", data)];
            let files =
                move |path: &str| texts.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
            lacking_promise(&files, 0)
        };
        assert_eq!(wanting("0\n", "VmData: 9000 kB\n"), None);
        assert_eq!(wanting("1\n", "VmData: 9000 kB\n"), None);
        assert_eq!(wanting("2\n", "VmData: 9000 kB\n"), Some(6000 << 10));
        assert_eq!(wanting("2\n", "VmData: 3000 kB\n"), None);
    }
}
