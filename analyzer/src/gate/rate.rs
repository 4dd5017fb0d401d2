//! A rate of growth as people write it: `10MB/h`.

use crate::units;
use std::fmt;
use std::str::FromStr;

/// Growth in bytes an hour, above zero.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rate(f64);

/// The reason why a text is no rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    /// It has no unit of time.
    #[error("a rate needs a unit of time: write 10MB/h; s, min, h and d are known")]
    NoTime,
    /// Its size is none.
    #[error("a rate begins with a size: write 10MB/h or 512K/min")]
    NoSize,
    /// It is zero.
    #[error("a rate must be greater than zero")]
    Zero,
}

impl Rate {
    /// Bytes an hour.
    #[must_use]
    pub fn bytes_per_hour(self) -> f64 {
        self.0
    }
}

/// Reads `10MB/h`, `1.5 MB / min`, `512K/s`, `2G/d`: sizes are powers of 1024, as everywhere in reports.
impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Self, RateError> {
        let (size, unit) = text.rsplit_once('/').ok_or(RateError::NoTime)?;
        let per_hour = match unit.trim() {
            "s" => 3_600.0,
            "min" => 60.0,
            "h" => 1.0,
            "d" => 1.0 / 24.0,
            _ => return Err(RateError::NoTime),
        };
        let bytes = parse_size::Config::new().with_binary().parse_size(size.trim()).map_err(|_| RateError::NoSize)?;
        if bytes == 0 { Err(RateError::Zero) } else { Ok(Self(bytes as f64 * per_hour)) }
    }
}

/// `10.0 MB/h`.
impl fmt::Display for Rate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&units::bytes_per_hour(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_size_in_a_unit_of_time() {
        let rates = ["10MB/h", "1.5 MB / min", "1K/s", "24 G/d", "5/h"].map(|text| text.parse::<Rate>().unwrap().0);
        assert_eq!(rates, [10_485_760.0, 94_371_840.0, 3_686_400.0, 1_073_741_824.0, 5.0]);
        assert_eq!("10MB/h".parse::<Rate>().unwrap().to_string(), "10.0 MB/h");
    }

    #[test]
    fn what_is_no_rate_is_refused_with_its_reason() {
        for (text, error) in [
            ("10MB", RateError::NoTime),
            ("10MB/week", RateError::NoTime),
            ("/h", RateError::NoSize),
            ("much/h", RateError::NoSize),
            ("-1MB/h", RateError::NoSize),
            ("0MB/h", RateError::Zero),
        ] {
            assert_eq!(text.parse::<Rate>(), Err(error), "{text}");
        }
    }
}
