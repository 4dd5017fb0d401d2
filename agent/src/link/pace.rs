//! The time of the next connection: each second while there is no listener, ever more rarely while there is one that
//! the agent must not talk to.

use std::time::Duration;

const SHORTEST: Duration = Duration::from_secs(1);
const AFTER_A_MISFIT: Duration = Duration::from_secs(4);
const LONGEST: Duration = Duration::from_secs(60);

/// Number of attempts in a row that met a listener that the agent must not talk to.
#[derive(Debug, Default)]
pub struct Pace {
    misfits: u32,
}

impl Pace {
    /// The wait after an attempt.
    pub fn after(&mut self, is_misfit: bool) -> Duration {
        if !is_misfit {
            self.misfits = 0;
            return SHORTEST;
        }
        let wait = AFTER_A_MISFIT.saturating_mul(2_u32.saturating_pow(self.misfits)).min(LONGEST);
        self.misfits = self.misfits.saturating_add(1);
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_is_asked_ever_more_rarely_and_a_missing_listener_each_second() {
        let mut pace = Pace::default();
        let mut after = |is_misfit| pace.after(is_misfit).as_secs();
        assert_eq!([true; 6].map(&mut after), [4, 8, 16, 32, 60, 60]);
        assert_eq!([false; 2].map(&mut after), [1, 1]);
        assert_eq!(after(true), 4);
        (0..100).for_each(|_| assert!(after(true) <= 60));
    }
}
