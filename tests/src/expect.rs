//! Expected report on a test app (`expect.toml`), and the differences of a report from it, in sentences.

use crate::java::Program;
use crate::jvms::{self, Jvm};
use crate::places;
use crate::report::{Region, Report};
use serde::Deserialize;
use std::fs;

/// Tolerance of a rate after the usual 25 seconds, on a machine that runs several JVMs and has two processors: a slow
/// structure gains only 20 members in that time.
const SHORT_TOLERANCE: f64 = 0.35;
/// The same after nearly a minute.
const LONG_TOLERANCE: f64 = 0.10;

/// Tolerance of the share of an allocation site: three standard errors of some thirty samples.
const SHARE_TOLERANCE: f64 = 0.25;

/// The expectation of one app.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The app's folder.
    pub name: String,
    /// Whether it leaks.
    pub kind: Kind,
    /// Main class.
    pub main: String,
    /// More arguments for its JVM.
    #[serde(default)]
    pub jvm_args: Vec<String>,
    /// The oldest Java release that it runs on; any that the tests run on when not given.
    pub min_java: Option<u32>,
    /// Arguments of `rootbound run` in addition to the duration; the usual snapshot times when not given.
    pub rootbound_args: Option<Vec<String>>,
    /// Seconds that it must be watched, when the usual time is too short.
    pub watched_seconds: Option<u64>,
    /// Kind of memory outside the heap that must be reported as growing.
    pub native_grows: Option<String>,
    /// Whether the report must state that nothing grows, neither in the heap nor outside it.
    #[serde(default)]
    pub no_native_growth: bool,
    /// Duration of tracking of its regions.
    #[serde(default)]
    pub tracked: Tracked,
    /// Rows of the trend table.
    #[serde(default, rename = "region")]
    pub regions: Vec<ExpectedRegion>,
    /// File of descriptions of its data structures, in its folder.
    pub dsl: Option<String>,
    /// Data structures that grow between two heap dumps.
    #[serde(default, rename = "structure")]
    pub structures: Vec<ExpectedStructure>,
}

/// A data structure that grows in a known way.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedStructure {
    /// Class of its head.
    pub class: String,
    /// Its place.
    pub place: String,
    /// Its pattern.
    pub pattern: String,
    /// Classes of leaves that come.
    pub leaf_types: Vec<String>,
    /// Portion of the heap's growth, in percent, that its retained size has.
    pub retained_hgp: f64,
    /// Another place whose structure has its leaves, too.
    pub also_contained_in: Option<String>,
}

/// Whether an app leaks.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// At least one structure grows without bound.
    Leaking,
    /// No structure does, but memory outside the heap.
    Native,
    /// Nothing grows.
    Healthy,
}

/// Duration of tracking, which determines the tolerance of the rates.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Tracked {
    /// 25 seconds.
    #[default]
    Short,
    /// Nearly a minute.
    Long,
}

/// One row that a report must, or may, have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedRegion {
    /// Accepted classes of the leak root.
    pub leak_root_classes: Vec<String>,
    /// Accepted classes of the owner-proxy.
    pub owner_classes: Vec<String>,
    /// Accepted classes of the change-proxy.
    pub member_classes: Vec<String>,
    /// Accepted trends.
    pub trend: Trends,
    /// True growth a minute in change-proxies, or in their contents.
    pub rate_per_min: Option<f64>,
    /// A word in the path, to distinguish structures of the same classes.
    pub path_contains: Option<String>,
    /// Whether it must come before all other growers.
    #[serde(default)]
    pub first: bool,
    /// Whether its absence is a mismatch.
    #[serde(default = "yes")]
    pub required: bool,
    /// All places that add members.
    #[serde(default, rename = "site")]
    pub sites: Vec<ExpectedSite>,
}

/// A place in the program's code that adds members.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedSite {
    /// Beginning of the uppermost frame of the application.
    pub at: String,
    /// The share of the members that it adds.
    pub share: f64,
}

/// One trend, or several that are equally acceptable.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Trends {
    /// Just this one.
    One(String),
    /// Any of these.
    Any(Vec<String>),
}

fn yes() -> bool {
    true
}

/// No JVM is new enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no JVM of release {oldest} or later is there; scripts/jdks fetches some")]
pub struct NoJvm {
    oldest: u32,
}

impl Expectation {
    /// Reads the expectation of the app in `java-test-apps/FOLDER`, for instance `leaking/orders`.
    pub fn of_app(folder: &str) -> Self {
        let file = places::workspace().join("java-test-apps").join(folder).join("expect.toml");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("cannot read {file:?}: {error}"));
        toml::from_str(&text).unwrap_or_else(|error| panic!("{file:?}: {error}"))
    }

    /// Compiles the app.
    pub fn program(&self, folder: &str) -> Program {
        let source = places::workspace().join("java-test-apps").join(folder).join("Main.java");
        Program::compiled(&self.name, &source, &self.main)
    }

    /// The JVM in which the app must run when the default one is not suitable.
    ///
    /// # Errors
    /// When there is no such JVM.
    pub fn other_jvm(&self) -> Result<Option<Jvm>, NoJvm> {
        let Some(oldest) = self.min_java else { return Ok(None) };
        jvms::at_least(oldest).map(Some).ok_or(NoJvm { oldest })
    }

    /// All differences of `report` from the expectation; empty when it is right.
    pub fn mismatches(&self, report: &Report) -> Vec<String> {
        let mut found = self.missing_rows(report);
        for region in report.regions.iter().filter(|region| region.grows() && !self.expects_grower(region)) {
            found.push(format!("a grower that nobody expects: {}", describe(region)));
        }
        let leaking = self.kind == Kind::Leaking;
        let verdict = report.verdict.as_ref().and_then(|verdict| verdict.leaking);
        if verdict != Some(leaking) {
            found.push(format!("the verdict says leaking = {verdict:?}, the truth is {leaking}"));
        }
        let first = report.regions.iter().find(|region| region.grows());
        if let Some(first) = first.filter(|first| leaking && !self.expects_first(first)) {
            found.push(format!("the first grower is not the expected one: {}", describe(first)));
        }
        found.extend(self.native_mismatches(report));
        if report.schema.as_deref() != Some("rootbound.report/1") {
            found.push(format!("the report calls its schema {:?}", report.schema));
        }
        found
    }

    /// Differences in memory outside the heap. Where no growth is expected, none may be reported.
    fn native_mismatches(&self, report: &Report) -> Vec<String> {
        let mut found = Vec::new();
        let grows = report.native.as_ref().and_then(|native| native.grows.clone());
        if grows != self.native_grows {
            found.push(format!(
                "beside the heap {grows:?} grows, the truth is {:?}: {:?}",
                self.native_grows, report.native
            ));
        }
        let growth = report.verdict.as_ref().and_then(|verdict| verdict.growth.as_deref());
        let truth = match self.kind {
            Kind::Leaking => Some("heap"),
            Kind::Native => Some("native"),
            Kind::Healthy => self.no_native_growth.then_some("none"),
        };
        if truth.is_some() && growth != truth {
            found.push(format!("the verdict says growth = {growth:?}, the truth is {truth:?}"));
        }
        found
    }

    fn expects_grower(&self, region: &Region) -> bool {
        self.regions.iter().any(|expected| expected.trend.accepts("grower") && expected.is_about(region))
    }

    /// Any expected grower may come first, unless one of them must.
    fn expects_first(&self, region: &Region) -> bool {
        match self.regions.iter().find(|expected| expected.first) {
            Some(expected) => expected.is_about(region),
            None => self.expects_grower(region),
        }
    }

    fn rate_tolerance(&self) -> f64 {
        match self.tracked {
            Tracked::Short => SHORT_TOLERANCE,
            Tracked::Long => LONG_TOLERANCE,
        }
    }

    /// Rows that are missing or wrong. Each expected row claims one region of its own.
    fn missing_rows(&self, report: &Report) -> Vec<String> {
        let mut found = Vec::new();
        let mut claimed = vec![false; report.regions.len()];
        for expected in &self.regions {
            let about: Vec<usize> =
                (0..claimed.len()).filter(|&at| !claimed[at] && expected.is_about(&report.regions[at])).collect();
            let right = about.iter().copied().find(|&at| expected.has_trend(&report.regions[at]));
            match right.or(about.first().copied()) {
                Some(at) => {
                    claimed[at] = true;
                    found.extend(expected.faults_of(&report.regions[at], self.rate_tolerance()));
                }
                None if expected.required => found.push(expected.sentence_of_absence(report)),
                None => {}
            }
        }
        found
    }
}

impl ExpectedRegion {
    /// Whether root, owner and member of `region` are all the expected ones.
    fn is_about(&self, region: &Region) -> bool {
        let accepted = |classes: &[String], class: &Option<String>| {
            class.as_ref().is_some_and(|class| classes.iter().any(|accepted| accepted == class))
        };
        let in_path =
            |word: &String| region.path.iter().chain(&region.owner_proxy.path).any(|step| step.contains(word.as_str()));
        accepted(&self.leak_root_classes, &region.leak_root.class)
            && accepted(&self.owner_classes, &region.owner_proxy.class)
            && accepted(&self.member_classes, &region.change_proxy.class)
            && self.path_contains.as_ref().is_none_or(in_path)
    }

    fn has_trend(&self, region: &Region) -> bool {
        region.trend.as_ref().is_some_and(|trend| self.trend.accepts(trend))
    }

    /// Faults of the region that this row is about. A row that may be absent may also have no trend yet.
    fn faults_of(&self, region: &Region, tolerance: f64) -> Vec<String> {
        let mut faults = Vec::new();
        if !self.has_trend(region) && (self.required || region.trend.is_some()) {
            faults.push(format!("the trend should be {:?}: {}", self.trend, describe(region)));
        }
        if let Some(truth) = self.rate_per_min {
            let near = region.rate_per_min.is_some_and(|rate| (rate - truth).abs() <= tolerance * truth);
            if !near {
                faults.push(format!("the true rate is {truth}/min: {}", describe(region)));
            }
        }
        faults.extend(self.faults_of_sites(region));
        faults
    }

    /// Faults of the sites; none when no site is expected, otherwise exactly these sites must be there.
    fn faults_of_sites(&self, region: &Region) -> Vec<String> {
        let mut faults = Vec::new();
        let share_at =
            |at: &str| region.allocation_sites.iter().find(|site| site.begins_with(at)).map(|site| site.share);
        for expected in &self.sites {
            let share = share_at(&expected.at).flatten();
            if !share.is_some_and(|share| (share - expected.share).abs() <= SHARE_TOLERANCE) {
                let found = &region.allocation_sites;
                faults.push(format!("{} adds {}, not {share:?}: {found:?}", expected.at, expected.share));
            }
        }
        for site in region.allocation_sites.iter().filter(|_| !self.sites.is_empty()) {
            if !self.sites.iter().any(|expected| site.begins_with(&expected.at)) {
                faults.push(format!("nobody adds at {site:?}"));
            }
        }
        faults
    }

    fn sentence_of_absence(&self, report: &Report) -> String {
        let rows: Vec<String> = report.regions.iter().take(12).map(describe).collect();
        format!(
            "no row with root {:?}, owner {:?}, member {:?}, path {:?}; there are: {}",
            self.leak_root_classes,
            self.owner_classes,
            self.member_classes,
            self.path_contains.as_deref().unwrap_or("any"),
            if rows.is_empty() { "none".to_owned() } else { rows.join("; ") }
        )
    }
}

impl Trends {
    fn accepts(&self, trend: &str) -> bool {
        match self {
            Self::One(only) => only == trend,
            Self::Any(accepted) => accepted.iter().any(|accepted| accepted == trend),
        }
    }
}

/// A region in one line.
fn describe(region: &Region) -> String {
    let [root, owner, member, trend] = region.row();
    let rate = region.rate_per_min.map_or_else(|| "?".to_owned(), |rate| format!("{rate:.1}"));
    format!("{root} → {owner} → {member}, {trend}, {rate}/min, by {}", region.path.join(" "))
}

#[cfg(test)]
mod tests {
    use super::{Expectation, Report};

    const ORDERS: &str = r#"
        name = "orders"
        kind = "leaking"
        main = "orders.Main"
        [[region]]
        leak_root_classes = ["Orders"]
        owner_classes = ["Vector"]
        member_classes = ["CD"]
        path_contains = "active"
        trend = "grower"
        rate_per_min = 100
        [[region]]
        leak_root_classes = ["Orders"]
        owner_classes = ["Vector"]
        member_classes = ["Book"]
        trend = ["oscillator", "flatliner"]
        required = false
    "#;

    fn report(regions: &str, leaking: bool) -> Report {
        let text = format!(
            r#"{{"schema": "rootbound.report/1", "regions": [{regions}],
                "verdict": {{"leaking": {leaking}, "growth": "heap"}}}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn region(member: &str, trend: &str, rate: f64) -> String {
        format!(
            r#"{{"leak_root": {{"class": "Orders"}}, "owner_proxy": {{"class": "Vector", "path": "static Orders.active"}},
                "change_proxy": {{"class": "{member}"}}, "trend": "{trend}", "rate_per_min": {rate}}}"#
        )
    }

    fn mismatches(regions: &str, leaking: bool) -> Vec<String> {
        toml::from_str::<Expectation>(ORDERS).unwrap().mismatches(&report(regions, leaking))
    }

    #[test]
    fn a_report_that_says_what_is_expected_has_no_mismatch() {
        assert_eq!(mismatches(&region("CD", "grower", 70.0), true), Vec::<String>::new());
    }

    #[test]
    fn a_missing_grower_is_reported_with_what_is_there_instead() {
        let found = mismatches(&region("Book", "oscillator", 0.0), true);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("no row") && found[0].contains("Orders → Vector → Book, oscillator"), "{found:?}");
    }

    #[test]
    fn a_rate_that_is_far_off_and_a_wrong_trend_are_reported() {
        assert!(mismatches(&region("CD", "grower", 300.0), true)[0].contains("true rate is 100/min"));
        assert!(mismatches(&region("CD", "flatliner", 100.0), true)[0].contains("trend should be"));
    }

    #[test]
    fn after_long_tracking_rates_must_be_nearer() {
        let said = |rate: f64| {
            let long = ORDERS.replacen("[[region]]", "tracked = \"long\"\n[[region]]", 1);
            toml::from_str::<Expectation>(&long).unwrap().mismatches(&report(&region("CD", "grower", rate), true))
        };
        assert_eq!(said(91.0), Vec::<String>::new());
        assert!(said(89.0)[0].contains("true rate is 100/min"));
    }

    #[test]
    fn the_grower_that_must_be_first_is_no_other() {
        let text = r#"
            name = "two"
            kind = "leaking"
            main = "two.Main"
            [[region]]
            leak_root_classes = ["Orders"]
            owner_classes = ["Vector"]
            member_classes = ["CD"]
            trend = "grower"
            first = true
            [[region]]
            leak_root_classes = ["Orders"]
            owner_classes = ["Vector"]
            member_classes = ["Book"]
            trend = "grower"
        "#;
        let said = |first: &str, second: &str| {
            let rows = [region(first, "grower", 5.0), region(second, "grower", 5.0)].join(",");
            toml::from_str::<Expectation>(text).unwrap().mismatches(&report(&rows, true))
        };
        assert_eq!(said("CD", "Book"), Vec::<String>::new());
        assert!(said("Book", "CD")[0].starts_with("the first grower is not"));
    }

    #[test]
    fn an_unexpected_grower_is_reported_even_if_an_optional_row_names_it() {
        let rows = [region("Book", "grower", 5.0), region("CD", "grower", 100.0)].join(",");
        let found = mismatches(&rows, true);
        assert!(found.iter().any(|sentence| sentence.starts_with("a grower that nobody expects")), "{found:?}");
        assert!(found.iter().any(|sentence| sentence.starts_with("the first grower is not")), "{found:?}");
    }

    #[test]
    fn growth_beside_the_heap_that_nobody_expects_is_reported() {
        let mut report = report(&region("CD", "grower", 100.0), true);
        report.native = serde_json::from_str(r#"{"grows": "metaspace"}"#).unwrap();
        let found = toml::from_str::<Expectation>(ORDERS).unwrap().mismatches(&report);
        assert!(found.len() == 1 && found[0].starts_with("beside the heap"), "{found:?}");
    }

    #[test]
    fn wrong_allocation_sites_are_reported() {
        let expected = r#"
            leak_root_classes = ["Orders"]
            owner_classes = ["Vector"]
            member_classes = ["CD"]
            trend = "grower"
            site = [{ at = "A.a(", share = 0.7 }, { at = "B.b(", share = 0.3 }]
        "#;
        let expected: super::ExpectedRegion = toml::from_str(expected).unwrap();
        let faults = |sites: &str| {
            let region = region("CD", "grower", 1.0).replacen('{', &format!(r#"{{"allocation_sites": {sites}, "#), 1);
            expected.faults_of(&report(&region, true).regions[0], super::SHORT_TOLERANCE).len()
        };
        let site = |frame: &str, share: f64| format!(r#"{{"share": {share}, "frames": ["{frame}"]}}"#);
        assert_eq!(faults(&format!("[{}, {}]", site("A.a(A:1)", 0.6), site("B.b(B:1)", 0.4))), 0);
        assert_eq!(faults(&format!("[{}]", site("A.a(A:1)", 0.9))), 1);
        assert_eq!(faults(&format!("[{}, {}]", site("A.a(A:1)", 0.7), site("C.c(C:1)", 0.3))), 2);
        assert_eq!(faults("[]"), 2);
    }

    #[test]
    fn a_wrong_verdict_is_reported() {
        assert!(mismatches(&region("CD", "grower", 100.0), false)[0].contains("the truth is true"));
    }
}
