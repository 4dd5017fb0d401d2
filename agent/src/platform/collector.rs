//! The kind of the JVM's collector, found without running Java code.

use std::fs;
use std::sync::OnceLock;

fn thread_names() -> Vec<String> {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten().map(|entry| entry.path());
    tasks.filter_map(|task| fs::read_to_string(task.join("comm")).ok()).map(|name| name.trim().to_owned()).collect()
}

/// Whether the collector moves objects while the program runs, and so traverses the heap to iterate over it. That
/// takes ten times as long as a pass from one object to the next.
pub fn traverses_to_iterate() -> bool {
    matches!(gc(), "ZGC" | "Shenandoah")
}

/// The collector, recognized by its threads. They are read once: the program may have thousands.
pub fn gc() -> &'static str {
    static KNOWN: OnceLock<&str> = OnceLock::new();
    KNOWN.get_or_init(|| collector(&thread_names()))
}

/// The kernel keeps 15 characters of a thread's name.
fn collector(threads: &[String]) -> &'static str {
    let any = |prefix: &str| threads.iter().any(|name| name.starts_with(prefix));
    match () {
        // X in 21, where the generational one had taken the Z.
        () if ["ZDirector", "ZDriver", "XDirector", "XDriver"].iter().any(|prefix| any(prefix)) => "ZGC",
        () if any("Shenandoah") => "Shenandoah",
        () if any("G1 ") => "G1",
        () if any("GC Thread#") || any("ParGC Thread") => "Parallel",
        () if any("VM Thread") => "Serial",
        () => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_collector_shows_in_the_threads() {
        let guess = |names: &[&str]| collector(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        assert_eq!(guess(&["VM Thread", "G1 Main Marker", "GC Thread#0"]), "G1");
        assert_eq!(guess(&["VM Thread", "GC Thread#0"]), "Parallel");
        assert_eq!(guess(&["VM Thread", "ZDriver"]), "ZGC");
        assert_eq!(guess(&["VM Thread", "XDriver"]), "ZGC");
        assert_eq!(guess(&["VM Thread"]), "Serial");
    }
}
