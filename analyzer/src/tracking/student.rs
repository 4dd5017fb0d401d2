//! Student's distribution for whole degrees of freedom, exactly: few paces have two or three.

use std::f64::consts::PI;

/// Steps of the search for a quantile.
const HALVINGS: u32 = 60;
/// Greatest score that is searched: beyond all that two degrees of freedom need.
const MOST: f64 = 1e4;

/// Probability of a score below this one (Abramowitz and Stegun 26.7.3 and 26.7.4).
pub(super) fn cdf(score: f64, freedom: u32) -> f64 {
    let angle = (score / f64::from(freedom).sqrt()).atan();
    let (sine, cosine) = (angle.sin(), angle.cos());
    // Odd: terms cos, cos³·2/3, cos⁵·2·4/(3·5) …; even: 1, cos²·1/2, cos⁴·1·3/(2·4) …
    let is_odd = freedom % 2 == 1;
    let (mut term, mut sum, mut at) = (if is_odd { cosine } else { 1.0 }, 0.0, if is_odd { 1 } else { 0 });
    while at + 1 < freedom {
        sum += term;
        at += 2;
        term *= cosine * cosine * f64::from(at - 1) / f64::from(at);
    }
    let within = if is_odd { 2.0 / PI * (angle + sine * sum) } else { sine * sum };
    0.5 + within / 2.0
}

/// The score below which a share of more than a half lies.
pub(super) fn quantile(share: f64, freedom: u32) -> f64 {
    let (mut low, mut high) = (0.0, MOST);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if cdf(middle, freedom) < share { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_quantiles_are_those_of_the_tables() {
        for (freedom, score) in [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042)]
        {
            assert!((quantile(0.975, freedom) - score).abs() < 5e-4, "{freedom}: {}", quantile(0.975, freedom));
        }
        assert!((cdf(-4.303, 2) - 0.025).abs() < 1e-5);
    }
}
