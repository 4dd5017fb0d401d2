//! Values of options: durations and counts as people write them.

use std::ops::RangeInclusive;
use std::time::Duration;

/// The reason why a text is no value of its option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ValueError {
    #[error("not a duration with a unit; write 500ms, 10s, 5m or 1h 30m")]
    NoDuration,
    #[error("must be greater than zero")]
    NoTime,
    #[error("it must be at least 1")]
    Zero,
    #[error("it must be a number")]
    NoNumber,
    #[error("it must be a size, for instance 64K or 1.5M")]
    NoSize,
    #[error("it must be a range of addresses: 0xLOW-0xHIGH")]
    NoRange,
}

/// A duration above zero; zero is a mistake here.
pub(super) fn some_time(text: &str) -> Result<Duration, ValueError> {
    match any_time(text) {
        Ok(duration) if duration.is_zero() => Err(ValueError::NoTime),
        other => other,
    }
}

/// A duration with its unit.
pub(super) fn any_time(text: &str) -> Result<Duration, ValueError> {
    humantime::parse_duration(text).map_err(|_| ValueError::NoDuration)
}

/// At least one.
pub(super) fn some(text: &str) -> Result<usize, ValueError> {
    match text.parse() {
        Ok(0) => Err(ValueError::Zero),
        Ok(count) => Ok(count),
        Err(_) => Err(ValueError::NoNumber),
    }
}

/// `4096`, `64K`, `1.5M`, `2GB`: in powers of 1024.
pub(super) fn size(text: &str) -> Result<u64, ValueError> {
    parse_size::Config::new().with_binary().parse_size(text.trim()).map_err(|_| ValueError::NoSize)
}

/// `0x7f3a1000-0x7f3a2000`: both ends belong to it.
pub(super) fn addresses(text: &str) -> Result<RangeInclusive<u64>, ValueError> {
    let address = |text: &str| u64::from_str_radix(text.trim().trim_start_matches("0x"), 16).ok();
    let ends = text.split_once('-').and_then(|(low, high)| address(low).zip(address(high)));
    ends.filter(|(low, high)| low <= high).map(|(low, high)| low..=high).ok_or(ValueError::NoRange)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_addresses_has_two_ends_in_order() {
        assert_eq!(addresses("0x10-0x20"), Ok(0x10..=0x20));
        assert_eq!(addresses("a0 - b0"), Ok(0xa0..=0xb0));
        assert!(["", "0x10", "0x20-0x10", "x-y"].iter().all(|text| addresses(text) == Err(ValueError::NoRange)));
    }

    #[test]
    fn sizes_are_read_in_any_common_way() {
        assert_eq!(
            ["0", "4096", "64K", "512k", "1.5M", "2GB", "2g", " 1.5 mb ", "1KiB", "10B"]
                .map(|text| size(text).unwrap()),
            [0, 4096, 65_536, 524_288, 1_572_864, 2 << 30, 2 << 30, 1_572_864, 1024, 10]
        );
        assert!(["", "much", "-1", "K", "inf", "1e30"].iter().all(|text| size(text).is_err()));
    }
}
