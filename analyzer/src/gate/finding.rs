//! One structure that grows, and whether it makes the run fail.

use super::Condition;
use super::known::KnownLeak;
use crate::naming::class::{is_array, is_platform, short_name};
use crate::report::{Frame, Region};
use crate::units;

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// Path with `/`, relative to the folder in which Rootbound runs, if the file is below it.
    pub file: String,
    /// Line from 1 on; `None` where only the file is known.
    pub line: Option<u32>,
}

/// A structure that grows, in the eyes of the check.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The structure; without its history.
    pub region: Region,
    /// Its standing before the check.
    pub standing: Standing,
    /// Reasons for which it makes the run fail; none where it does not.
    pub reasons: Vec<Reason>,
    /// The code that adds to it, or else the class that holds it, in the user's sources.
    pub source: Option<SourceLine>,
}

/// Standing of a structure before the check.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// Nothing excuses it.
    Unlisted,
    /// It grew in the earlier run, too.
    Grew,
    /// A known leak.
    Known(KnownLeak),
    /// A known leak whose entry has expired.
    Expired(KnownLeak),
    /// A known leak that grows faster than its entry allows.
    TooFast(KnownLeak),
}

/// Reason for which a structure makes the run fail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// It meets a condition.
    Met(Condition),
    /// The entry that excused it has expired.
    Expired,
    /// It grows faster than its entry allows.
    TooFast,
}

impl Finding {
    /// Whether it makes the run fail.
    #[must_use]
    pub fn fails(&self) -> bool {
        !self.reasons.is_empty()
    }

    /// The entry that excuses it.
    #[must_use]
    pub fn accepted(&self) -> Option<&KnownLeak> {
        match &self.standing {
            Standing::Known(leak) => Some(leak),
            _ => None,
        }
    }

    /// `com.example.Shop.sessions (HashMap)`: its place and the class of its owner.
    #[must_use]
    pub fn structure(&self) -> String {
        structure(&self.region)
    }

    /// `com.example.Shop.sessions (HashMap) gains 600 Session a minute, 6.3 MB/h`.
    #[must_use]
    pub fn sentence(&self) -> String {
        sentence(&self.region)
    }

    /// The uppermost frame of the program that adds to it.
    #[must_use]
    pub fn added_at(&self) -> Option<&Frame> {
        added_at(&self.region)
    }
}

/// The uppermost frame of the program that adds to a structure, of its most frequent site.
#[must_use]
pub(super) fn added_at(region: &Region) -> Option<&Frame> {
    let frames = &region.allocation_sites.first()?.frames;
    frames.iter().find(|frame| frame.line.is_some() && !is_platform(&frame.class)).or(frames.first())
}

/// Place of a structure and the class of its owner, from texts that every report has.
#[must_use]
pub(super) fn structure(region: &Region) -> String {
    let place = region.owner_proxy.path.to_string();
    let bare = place.strip_prefix("static ").unwrap_or(&place);
    let times = if region.alike > 1 { format!("{} × ", region.alike) } else { String::new() };
    format!("{bare} ({times}{})", short_name(&region.owner_proxy.class))
}

/// What a structure gains.
#[must_use]
pub(super) fn sentence(region: &Region) -> String {
    let (structure, element) = (structure(region), element(region));
    let bytes = region.bytes_per_hour.map_or_else(String::new, |rate| format!(", {}", units::bytes_per_hour(rate)));
    match region.rate_per_min {
        Some(rate) => {
            let (number, unit) = units::pace(rate);
            format!("{structure} gains {number} {element} {unit}{bytes}")
        }
        None => format!("{structure} gains {element}{bytes}"),
    }
}

/// Class of the elements. A node of the JDK is none: instead of it the first member that is the program's, or the class
/// at the end of the leak trace.
pub(super) fn element(region: &Region) -> String {
    let counted = region.counted_class();
    if region.buffer_slots.is_some() {
        return format!("slots of its {}", short_name(counted));
    }
    if region.entry.is_some() || !is_platform(counted) || !counted.contains('$') {
        return short_name(counted);
    }
    if let Some(own) = region.members.iter().find(|class| !is_platform(class) && !is_array(class)) {
        return short_name(own);
    }
    let last = region.route.lines().pop().map(|line| line.text.trim().to_owned());
    short_name(
        &last.filter(|text| !text.is_empty() && !text.contains(char::is_whitespace)).unwrap_or(counted.to_owned()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::figure_5;

    #[test]
    fn a_node_of_the_jdk_is_no_element() {
        let mut region = figure_5().regions[0].clone();
        region.change_proxy.class = "java.util.HashMap$Node".to_owned();
        assert_eq!(element(&region), "Integer", "the end of its trace");
        region.members = vec!["java.lang.String".to_owned(), "byte[]".to_owned(), "com.example.Session".to_owned()];
        assert_eq!(element(&region), "Session");
        region.change_proxy.class = "com.example.Shop$Entry".to_owned();
        assert_eq!(element(&region), "Entry", "a node of the program is one");
    }

    #[test]
    fn several_structures_are_one_sentence() {
        let region = Region { alike: 3, bytes_per_hour: None, rate_per_min: None, ..figure_5().regions[0].clone() };
        assert_eq!(sentence(&region), "com.example.leaky.SimpleLeaker.integers (3 × Vector) gains Integer");
    }
}
