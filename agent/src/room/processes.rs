//! Whether the kernel would allow one more process: the limit of the user and those of the control groups. Texts in,
//! reasons out; the caller reads the files. (Filters of system calls are not read: a fork that they refuse fails with
//! an error of the kernel, and the capture falls back.)

use super::files::Files;
use super::headroom::{ancestry, group};

/// A fork takes one, and the program shall not find the last one gone.
const MARGIN: u64 = 16;
/// The place of the limits of tasks in both versions of control groups: mount, controller.
const VERSIONS: [(&str, &str); 2] = [("/sys/fs/cgroup", ""), ("/sys/fs/cgroup/pids", "pids")];

/// The reason why a fork would be refused; for people. `tasks_of_user` counts the threads of all processes of a user,
/// which takes a read of each; it is called only where the user has a limit.
pub fn obstacle(files: &impl Files, tasks_of_user: impl Fn(u32) -> u64) -> Option<String> {
    of_user(files, tasks_of_user).or_else(|| of_groups(files))
}

fn of_user(files: &impl Files, tasks_of_user: impl Fn(u32) -> u64) -> Option<String> {
    let limit = soft_limit(&files.text("/proc/self/limits")?)?;
    let (user, effective) = users(&files.text("/proc/self/status")?)?;
    // The superuser has no limit.
    let used = (effective != 0).then(|| tasks_of_user(user))?;
    full(used, limit).then(|| format!("the user may have {limit} processes and threads (RLIMIT_NPROC), and has {used}"))
}

fn of_groups(files: &impl Files) -> Option<String> {
    let own = files.text("/proc/self/cgroup").unwrap_or_default();
    VERSIONS.iter().find_map(|&(mount, controller)| {
        ancestry(group(&own, controller)?).into_iter().find_map(|group| {
            let number = |name: &str| files.text(&format!("{mount}{group}/{name}"))?.trim().parse::<u64>().ok();
            let (limit, used) = (number("pids.max")?, number("pids.current")?);
            full(used, limit).then(|| format!("the control group may have {limit} tasks (pids.max), and has {used}"))
        })
    })
}

fn full(used: u64, limit: u64) -> bool {
    used.saturating_add(MARGIN) > limit
}

/// `None` when it is unlimited.
fn soft_limit(limits: &str) -> Option<u64> {
    limits.lines().find_map(|line| line.strip_prefix("Max processes")?.split_whitespace().next()?.parse().ok())
}

/// Real and effective user.
fn users(status: &str) -> Option<(u32, u32)> {
    let mut ids = status.lines().find_map(|line| line.strip_prefix("Uid:"))?.split_whitespace().map(str::parse);
    Some((ids.next()?.ok()?, ids.next()?.ok()?))
}

/// The threads of a process, when it is that user's.
pub fn tasks(status: &str, user: u32) -> Option<u64> {
    (users(status)?.0 == user)
        .then(|| status.lines().find_map(|line| line.strip_prefix("Threads:")?.trim().parse().ok()))?
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str = "Name:\tjava\nUid:\t1000\t1000\t1000\t1000\nThreads:\t23\n";

    fn refusal(status: &'static str, limits: &'static str, group: &'static str, used: u64) -> Option<String> {
        let files = move |path: &str| {
            let text = match path {
                "/proc/self/status" => status,
                "/proc/self/limits" => limits,
                "/proc/self/cgroup" => "0::/shop/java\n",
                "/sys/fs/cgroup/shop/pids.max" => group,
                "/sys/fs/cgroup/shop/pids.current" => "100\n",
                _ => return None,
            };
            Some(text.to_owned())
        };
        obstacle(&files, |user| if user == 1000 { used } else { 0 })
    }

    #[test]
    fn a_user_at_the_limit_forks_no_more() {
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax processes             128                  256       processes\n";
        assert_eq!(refusal(STATUS, limits, "max\n", 100), None);
        let reason = refusal(STATUS, limits, "max\n", 120).expect("a reason");
        assert!(reason.contains("128") && reason.contains("120"), "{reason}");
        assert_eq!(refusal("Uid:\t0\t0\t0\t0\n", limits, "max\n", 120), None, "the superuser");
        assert_eq!(refusal(STATUS, "Max processes  unlimited  unlimited  processes\n", "max\n", 1 << 20), None);
    }

    #[test]
    fn a_control_group_at_its_limit_forks_no_more() {
        assert_eq!(refusal(STATUS, "", "200\n", 0), None);
        assert!(refusal(STATUS, "", "110\n", 0).is_some_and(|reason| reason.contains("pids.max")));
    }

    #[test]
    fn threads_count_for_their_user() {
        assert_eq!((tasks(STATUS, 1000), tasks(STATUS, 0), tasks("", 0)), (Some(23), None, None));
    }
}
