//! The times of captures without an analyzer: often at first, then ever more rarely, and never so often that the
//! program feels it.

use crate::options::Recording;
use std::time::Duration;

/// Least time between two captures, unless the user asks for less.
const LEAST: Duration = Duration::from_secs(15);
/// Most time between two captures: a day has at least 24.
const MOST: Duration = Duration::from_secs(3600);
/// The time between two captures, as a part of the time since the load. Ten minutes have some twenty captures, a day
/// some sixty.
const PART_OF_AGE: u32 = 6;
/// Least captures that each of several files is to have.
const A_FILE: u32 = 12;
/// Captures pause the program for at most half a percent of the time, …
const PAUSE_SHARE: u32 = 200;
/// … and take at most a hundredth of a processor.
const WORK_SHARE: u32 = 100;
/// The least of both where the user set the time between two captures: a program is never captured all the time.
const ASKED_SHARE: u32 = 10;

/// The cost of one capture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Time for which the program was paused.
    pub pause: Duration,
    /// Processor time that it took.
    pub work: Duration,
}

/// The schedule of one recording.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    first: Duration,
    second: Duration,
    every: Option<Duration>,
    rotates: Option<Duration>,
}

impl Schedule {
    /// The schedule that the options ask for.
    pub fn of(asked: &Recording) -> Self {
        let Recording { mark_after, capture_after, recapture_every, rotate_every, .. } = asked;
        Self { first: *mark_after, second: *capture_after, every: *recapture_every, rotates: *rotate_every }
    }

    /// Time from the load to the first capture.
    pub fn first(&self) -> Duration {
        self.first
    }

    /// Time from the end of the latest capture to the next. `captures` is their number in this file, `age` the time
    /// since the load.
    pub fn gap(&self, captures: u32, age: Duration, spent: Spent) -> Duration {
        let bearable = match self.every {
            Some(_) => (spent.pause + spent.work) * ASKED_SHARE,
            None => (spent.pause * PAUSE_SHARE).max(spent.work * WORK_SHARE),
        };
        self.wanted(captures, age).max(bearable)
    }

    fn wanted(&self, captures: u32, age: Duration) -> Duration {
        if captures == 1 {
            return self.second;
        }
        self.every.unwrap_or_else(|| {
            let most = self.rotates.map_or(MOST, |every| MOST.min(every / A_FILE));
            (age / PART_OF_AGE).min(most).max(LEAST)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const CHEAP: Spent = Spent { pause: Duration::from_millis(5), work: Duration::from_millis(50) };

    fn recording() -> Recording {
        Recording::to(PathBuf::from("shop.rootbound"))
    }

    /// Seconds at which captures begin, of those that need no time.
    fn times(asked: &Recording, spent: Spent, until_s: u64) -> Vec<u64> {
        let schedule = Schedule::of(asked);
        let (mut at, mut times) = (schedule.first(), Vec::new());
        while at.as_secs() < until_s {
            times.push(at.as_secs());
            at += schedule.gap(times.len() as u32, at, spent);
        }
        times
    }

    #[test]
    fn captures_become_rarer_but_a_day_has_many() {
        let ten_minutes = times(&recording(), CHEAP, 600);
        assert_eq!(ten_minutes[..4], [10, 25, 40, 55]);
        assert_eq!(ten_minutes.len(), 18);
        assert!((50..70).contains(&times(&recording(), CHEAP, 86_400).len()));
        let week = times(&recording(), CHEAP, 7 * 86_400);
        assert!(week.windows(2).all(|pair| pair[1] - pair[0] <= 3600));
    }

    #[test]
    fn expensive_captures_are_rare() {
        let slow = Spent { pause: Duration::from_secs(2), work: Duration::from_secs(2) };
        assert_eq!(times(&recording(), slow, 1_000), [10, 410, 810], "a pause of 2 s, and 400 s without");
        let long_child = Spent { pause: Duration::from_millis(10), work: Duration::from_secs(3) };
        assert_eq!(times(&recording(), long_child, 1_000), [10, 310, 610, 910]);
    }

    #[test]
    fn what_was_asked_for_is_done_unless_it_is_unbearable() {
        let asked = Recording { recapture_every: Some(Duration::from_secs(60)), ..recording() };
        assert_eq!(times(&asked, CHEAP, 200), [10, 25, 85, 145]);
        let slow = Spent { pause: Duration::from_secs(4), work: Duration::from_secs(4) };
        assert_eq!(times(&asked, slow, 250), [10, 90, 170]);
    }

    #[test]
    fn each_of_several_files_has_captures_enough_for_a_trend() {
        let hourly = Recording { rotate_every: Some(Duration::from_secs(3600)), ..recording() };
        let late: Vec<u64> = times(&hourly, CHEAP, 86_400).into_iter().filter(|&at| at >= 82_800).collect();
        assert_eq!(late.len(), 12);
    }
}
