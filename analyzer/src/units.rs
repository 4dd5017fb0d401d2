//! Numbers for people. The only place that rounds.

/// Text for a value that is not known.
pub const UNKNOWN: &str = "–";

/// `8100`, `81.0k`, `5.03M`: exact while it is short.
#[must_use]
pub fn count(value: u64) -> String {
    match value {
        0..10_000 => value.to_string(),
        10_000..1_000_000 => format!("{:.1}k", value as f64 / 1e3),
        _ => format!("{:.2}M", value as f64 / 1e6),
    }
}

/// `8,100`, `812,400`, `5.03M`: for sentences and tables of numbers that people count themselves.
#[must_use]
pub fn grouped(value: u64) -> String {
    match value {
        0..1_000 => value.to_string(),
        1_000..1_000_000 => format!("{},{:03}", value / 1_000, value % 1_000),
        _ => count(value),
    }
}

/// A change a minute in the unit that suits it: the number without its sign, and `a minute` or `an hour`. Changes below
/// one a minute are given by the hour.
#[must_use]
pub fn pace(per_min: f64) -> (String, &'static str) {
    let magnitude = per_min.abs();
    let (value, unit) = if magnitude < 0.995 { (magnitude * 60.0, "an hour") } else { (magnitude, "a minute") };
    let text = if value < 9.95 {
        let text = format!("{value:.1}");
        text.strip_suffix(".0").unwrap_or(&text).to_owned()
    } else {
        grouped(value.round() as u64)
    };
    (text, unit)
}

/// `1 object`, `8100 objects`.
#[must_use]
pub fn counted(value: u64, what: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {what}{plural}", count(value))
}

/// ` ×3`; empty for a single one.
#[must_use]
pub fn times(alike: u64) -> String {
    if alike < 2 { String::new() } else { format!(" ×{}", count(alike)) }
}

/// `512 B`, `1.4 MB`: in powers of 1024, like the JVM's own options.
#[must_use]
pub fn bytes(value: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KB", "MB", "GB", "TB"];
    let mut scaled = value;
    let mut unit = 0;
    while scaled.abs() >= 1023.5 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    let digits = if unit == 0 || scaled.abs() >= 99.5 { 0 } else { 1 };
    format!("{scaled:.digits$} {}", UNITS[unit])
}

/// `+212/min`, `-3.5/min`, `0/min`.
#[must_use]
pub fn rate_per_min(value: f64) -> String {
    format!("{}/min", signed(value))
}

/// The most that an estimate may be in either direction, where its interval includes both: then its sign is not known.
#[must_use]
pub fn undirected(low: Option<f64>, high: Option<f64>) -> Option<f64> {
    let (low, high) = (low?, high?);
    (low < 0.0 && high > 0.0).then(|| high.max(-low))
}

/// `1.4 MB/h`.
#[must_use]
pub fn bytes_per_hour(value: f64) -> String {
    format!("{}/h", bytes(value))
}

/// `480 ms`, `9 s`, `2 min 5 s`, `9 h`, `12 days`: two units while the first is small.
#[must_use]
pub fn duration_s(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    let rounded = |unit: u64| (whole + unit / 2) / unit;
    match whole {
        0 if seconds >= 0.001 => milliseconds(seconds * 1000.0),
        0..60 => format!("{whole} s"),
        60..600 => minutes_and_seconds(whole),
        600..5_400 => format!("{} min", whole / 60),
        5_400..172_800 => format!("{} h", rounded(3_600)),
        172_800..63_115_200 => format!("{} days", rounded(86_400)),
        _ => format!("{} years", rounded(31_557_600)),
    }
}

fn minutes_and_seconds(seconds: u64) -> String {
    match (seconds / 60, seconds % 60) {
        (minutes, 0) => format!("{minutes} min"),
        (minutes, rest) => format!("{minutes} min {rest} s"),
    }
}

/// `0.4 ms`, `320 ms`, `1.25 s`.
#[must_use]
pub fn milliseconds(value: f64) -> String {
    match value {
        v if v < 10.0 => format!("{v:.1} ms"),
        v if v < 1000.0 => format!("{v:.0} ms"),
        v => format!("{:.2} s", v / 1000.0),
    }
}

/// `93 %` of a share in [0, 1].
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// `93 %` of a probability in [0, 1]; no finite evidence makes it 100 %.
#[must_use]
pub fn confidence(probability: f64) -> String {
    if probability > 0.99 { "> 99 %".to_owned() } else { percent(probability) }
}

/// A region rank, as LeakBot prints it: `10.554`.
#[must_use]
pub fn rank(value: f64) -> String {
    format!("{value:.3}")
}

fn signed(value: f64) -> String {
    let magnitude = value.abs();
    let digits = if magnitude >= 9.95 { 0 } else { 1 };
    let text = format!("{magnitude:.digits$}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    match text {
        "0" => "0".to_owned(),
        _ if value < 0.0 => format!("-{text}"),
        _ => format!("+{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_while_they_are_short() {
        assert_eq!([0, 9_999, 81_000, 5_025_606].map(count), ["0", "9999", "81.0k", "5.03M"]);
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 6_000, 812_400, 5_025_606].map(grouped), ["0", "999", "6,000", "812,400", "5.03M"]);
    }

    #[test]
    fn a_slow_change_is_reported_by_the_hour() {
        let reported = |per_min| {
            let (number, unit) = pace(per_min);
            format!("{number} {unit}")
        };
        let texts = [6_000.4, 2.5, -3.0, 0.5, 0.0].map(reported);
        assert_eq!(texts, ["6,000 a minute", "2.5 a minute", "3 a minute", "30 an hour", "0 an hour"]);
    }

    #[test]
    fn one_of_a_thing_is_no_plural() {
        assert_eq!([counted(1, "thread"), counted(81_000, "object")], ["1 thread", "81.0k objects"]);
    }

    #[test]
    fn bytes_keep_two_or_three_digits() {
        assert_eq!([0.0, 1000.0, 1500.0, 1_468_006.0].map(bytes), ["0 B", "1000 B", "1.5 KB", "1.4 MB"]);
        assert_eq!([139_890_120.0, 1024.0 * 1023.9, -2048.0].map(bytes), ["133 MB", "1.0 MB", "-2.0 KB"]);
    }

    #[test]
    fn rates_carry_their_sign() {
        assert_eq!(
            [212.3, 4.04, -3.5, 0.01, -0.01].map(rate_per_min),
            ["+212/min", "+4/min", "-3.5/min", "0/min", "0/min"]
        );
    }

    #[test]
    fn durations_lose_what_does_not_matter() {
        let texts = [0.0, 0.25, 9.2, 125.0, 601.0, 5_399.0, 32_400.0, 1_036_800.0, 157_852_800.0].map(duration_s);
        assert_eq!(texts, ["0 s", "250 ms", "9 s", "2 min 5 s", "10 min", "89 min", "9 h", "12 days", "5 years"]);
    }

    #[test]
    fn pauses_below_ten_milliseconds_keep_a_decimal() {
        assert_eq!([0.44, 320.0, 1250.0].map(milliseconds), ["0.4 ms", "320 ms", "1.25 s"]);
    }
}
