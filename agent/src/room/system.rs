//! Whether the system grants what a method needs, by all that bounds a process: its memory, its control group, its
//! limits.

use super::files::Files;
use super::headroom::{Headroom, Left};
use super::limits::{self, Room};

/// Resources that the system still grants.
pub struct System {
    left: Option<Left>,
    limit: Option<Room>,
    ends_all: bool,
}

impl System {
    /// As the system's files state it now.
    pub fn find(files: &impl Files) -> Self {
        let headroom = Headroom::find(files);
        Self { left: headroom.left(files), limit: limits::room(files), ends_all: headroom.ends_all() }
    }

    /// Memory that is left; `None` where it is not known.
    pub fn left_bytes(&self) -> Option<u64> {
        self.left.map(|left| left.bytes)
    }

    /// The reason why a method that needs this number of bytes must not be begun.
    pub fn obstacle(&self, what: &str, need: u64) -> Option<String> {
        let Some(left) = self.left else { return Some("it is not known how much memory is left".to_owned()) };
        let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
        let refusal = |bytes: u64, of: &str| {
            (bytes < need).then(|| {
                let (need, left) = (megabytes(need), bytes >> 20);
                format!("{what} may need {need} MB, and only {left} MB are left{of}")
            })
        };
        let all = if self.ends_all { ", less a margin: the kernel would end all of the control group" } else { "" };
        refusal(left.bytes, all)
            .or_else(|| self.limit.and_then(|limit| refusal(limit.bytes, &format!(" {}", limit.of))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_begun_that_needs_more_than_is_left() {
        let left = |bytes| Some(Left { bytes, is_short: false });
        let system = System { left: left(1 << 30), limit: None, ends_all: false };
        assert_eq!(system.obstacle("a forked child", 500 << 20), None);
        assert!(system.obstacle("a forked child", 1152 << 20).is_some_and(|text| text.contains("1152 MB")));
        let limit = Some(Room { bytes: 100 << 20, of: "of its address space" });
        let obstacle = System { limit, ..system }.obstacle("a walk", 200 << 20);
        assert!(obstacle.is_some_and(|text| text.contains("only 100 MB are left of its address space")));
        let obstacle = System { left: left(0), limit: None, ends_all: true }.obstacle("a walk", 1);
        assert!(obstacle.is_some_and(|text| text.contains("all of the control group")));
        assert!(System { left: None, limit: None, ends_all: false }.obstacle("a walk", 1).is_some());
    }
}
