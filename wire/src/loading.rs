//! The numbers that `Agent_OnAttach` returns: the reason why a load changed nothing.

/// The options have no meaning.
pub const BAD_OPTIONS: i32 = 1;
/// The JVM gives the agent no environment, or no events.
pub const NO_ENVIRONMENT: i32 = 2;
/// The agent writes a recording.
pub const RECORDS: i32 = 3;
/// The agent is just leaving.
pub const LEAVING: i32 = 4;
/// The agent panicked in this JVM.
pub const BROKEN: i32 = 5;
/// An analyzer watches the JVM: this number and its process id, 0 where that is unknown.
pub const WATCHED: i32 = 100;

/// The number for a JVM that an analyzer watches.
#[must_use]
pub fn watched_by(analyzer: u32) -> i32 {
    i32::try_from(analyzer).map_or(WATCHED, |analyzer| WATCHED.saturating_add(analyzer))
}

/// The process id of the analyzer that watches the JVM, 0 where it is unknown; `None` for other numbers.
#[must_use]
pub fn watcher(code: i32) -> Option<u32> {
    u32::try_from(code.checked_sub(WATCHED)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_analyzer_comes_back_from_the_number() {
        for analyzer in [0, 1, 4_194_304] {
            assert_eq!(watcher(watched_by(analyzer)), Some(analyzer));
        }
        assert_eq!([BAD_OPTIONS, BROKEN, -1].map(watcher), [None; 3]);
        assert_eq!(watched_by(u32::MAX), WATCHED);
    }
}
