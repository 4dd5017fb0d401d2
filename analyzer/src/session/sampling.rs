//! Allocation sites of growers' members: when allocations are worth sampling, and the result. The agent samples; this
//! module decides which structures, how often, and for how long.

use crate::report::{AllocationSampling, AllocationSite, Basis, Frame};
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::{
    AllocationSites, ProbeSites, SampledSite, SamplingOrder, SamplingReceipt, SiteBasis, SiteFrame, ToAgent,
};
use std::collections::HashMap;

/// Growers are confirmed within seconds of each other: one window serves them all.
const GATHER_MS: u64 = 2_000;
/// Length of a window in milliseconds. Members are rare among a program's allocations, so it is long; its cost is
/// bounded by the number of events, not by its length.
const WINDOW_MS: u64 = 60_000;
/// An agent that has not reported the end of a window this many milliseconds after it will not.
const LATE_MS: u64 = 10_000;
/// Number of samples that suffice. Shares of 75 and 25 % have a standard error of 8 % then.
const ENOUGH: u32 = 30;
/// Windows for one structure at most, and milliseconds from the first to the second; each next wait is twice as long.
const ROUNDS: u32 = 5;
const PATIENCE_MS: u64 = 120_000;
/// Structures in one window, those of the highest rank.
const STRUCTURES: usize = 8;

/// A region that grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grower {
    pub(super) probe: ProbeId,
    pub(super) rank: f64,
    /// Number of samples from which its sites are known.
    pub(super) samples: u32,
}

/// Sampling over the whole session.
#[derive(Debug, Default)]
pub(super) struct Sampling {
    is_off: bool,
    asked: HashMap<ProbeId, Asked>,
    /// Time at which the first structure without a request was observed.
    gathering_since_ms: Option<u64>,
    /// Latest end of the open window, if one is open.
    open_until_ms: Option<u64>,
    rounds: u32,
    refusal: Option<String>,
    /// Costs of the windows that are over.
    spent: SamplingReceipt,
    /// Costs of the latest window.
    latest: SamplingReceipt,
}

#[derive(Clone, Copy, Debug)]
struct Asked {
    rounds: u32,
    again_ms: u64,
}

impl Sampling {
    pub(super) fn new(is_off: bool) -> Self {
        Self { is_off, ..Self::default() }
    }

    /// The request to send to the agent now, if any.
    pub(super) fn due(&mut self, now_ms: u64, mut growers: Vec<Grower>) -> Option<ToAgent> {
        if self.is_off {
            return None;
        }
        if self.open_until_ms.is_some_and(|until_ms| now_ms > until_ms + LATE_MS) {
            self.end_window();
        }
        growers.retain(|grower| grower.samples < ENOUGH);
        let is_open = self.open_until_ms.is_some();
        if !growers.iter().any(|grower| self.wants(grower.probe, now_ms, is_open)) {
            self.gathering_since_ms = None;
            return None;
        }
        if now_ms < *self.gathering_since_ms.get_or_insert(now_ms) + GATHER_MS {
            return None;
        }
        self.gathering_since_ms = None;
        growers.sort_by(|a, b| b.rank.total_cmp(&a.rank));
        growers.truncate(STRUCTURES);
        Some(self.ask(now_ms, &growers))
    }

    /// Whether a structure is a reason for a request. A new one always is; one that was requested before only after
    /// some time, and not while a window is open.
    fn wants(&self, probe: ProbeId, now_ms: u64, is_open: bool) -> bool {
        self.asked.get(&probe).is_none_or(|asked| !is_open && asked.rounds < ROUNDS && now_ms >= asked.again_ms)
    }

    fn ask(&mut self, now_ms: u64, growers: &[Grower]) -> ToAgent {
        let until_ms = now_ms + WINDOW_MS;
        for grower in growers {
            let rounds = self.asked.get(&grower.probe).map_or(0, |asked| asked.rounds);
            let again_ms = until_ms + (PATIENCE_MS << rounds.min(ROUNDS));
            self.asked.insert(grower.probe, Asked { rounds: rounds + 1, again_ms });
        }
        self.rounds += u32::from(self.open_until_ms.is_none());
        self.open_until_ms = Some(until_ms);
        let probes = growers.iter().map(|grower| grower.probe).collect();
        ToAgent::SampleAllocations(SamplingOrder { probes, window_ms: WINDOW_MS as u32 })
    }

    /// Takes in a report of the agent. Returns the reason when it could not sample.
    pub(super) fn reported(&mut self, sites: &AllocationSites) -> Option<String> {
        self.latest = sites.receipt;
        // In a replay no request was counted.
        self.rounds = self.rounds.max(1);
        if sites.is_over {
            self.end_window();
        }
        self.refusal.clone_from(&sites.refusal);
        sites.refusal.as_ref().map(|reason| format!("allocation sites are not known: {reason}"))
    }

    fn end_window(&mut self) {
        self.open_until_ms = None;
        let latest = std::mem::take(&mut self.latest);
        self.spent = sum(&self.spent, &latest);
    }

    /// The receipt, once a window was requested.
    pub(super) fn report(&self) -> Option<AllocationSampling> {
        let all = sum(&self.spent, &self.latest);
        (self.rounds > 0).then(|| AllocationSampling {
            windows: self.rounds,
            is_on: self.open_until_ms.is_some(),
            window_s: all.window_ms as f64 / 1e3,
            events: all.events,
            samples: all.samples,
            dropped: all.dropped,
            callback_ms: all.callback_us as f64 / 1e3,
            search_ms: all.search_us as f64 / 1e3,
            least_interval_bytes: (all.window_ms > 0).then_some(u64::from(all.least_interval_bytes)),
            refusal: self.refusal.clone(),
        })
    }
}

fn sum(one: &SamplingReceipt, other: &SamplingReceipt) -> SamplingReceipt {
    let least = match (one.window_ms, other.window_ms) {
        (0, _) => other.least_interval_bytes,
        (_, 0) => one.least_interval_bytes,
        _ => one.least_interval_bytes.min(other.least_interval_bytes),
    };
    SamplingReceipt {
        window_ms: one.window_ms + other.window_ms,
        events: one.events + other.events,
        samples: one.samples + other.samples,
        dropped: one.dropped + other.dropped,
        callback_us: one.callback_us + other.callback_us,
        search_us: one.search_us + other.search_us,
        interval_bytes: other.interval_bytes,
        least_interval_bytes: least,
        tags: other.tags,
    }
}

/// Allocation sites of the members of one region.
#[derive(Clone, Debug, Default)]
pub(super) struct Sites {
    /// Best result of the windows that are over.
    best: Option<ProbeSites>,
    /// Latest result of the open window.
    current: Option<ProbeSites>,
}

impl Sites {
    /// Takes in a result of the agent. A later window with fewer samples changes nothing.
    pub(super) fn take(&mut self, reported: &ProbeSites, is_over: bool) {
        self.current = Some(reported.clone());
        if is_over {
            self.best = self.shown().cloned();
            self.current = None;
        }
    }

    fn shown(&self) -> Option<&ProbeSites> {
        // Of two results with equally many samples the newer is taken.
        self.best.iter().chain(&self.current).max_by_key(|sites| sites.samples)
    }

    /// Number of samples on which the shares are based; `None` when none were requested.
    pub(super) fn samples(&self) -> Option<u32> {
        self.shown().map(|sites| sites.samples)
    }

    /// For the report: the sites, and the basis on which the samples are known to be members.
    pub(super) fn report(&self) -> Vec<AllocationSite> {
        let Some(shown) = self.shown() else { return Vec::new() };
        let all = f64::from(shown.samples.max(1));
        let site = |site: &SampledSite| {
            let upper = site.frames.iter().position(|frame| frame.is_application).unwrap_or(0);
            let (through, frames) = site.frames.split_at(upper);
            let reported = |frames: &[SiteFrame]| frames.iter().map(frame).collect();
            AllocationSite {
                share: f64::from(site.samples) / all,
                samples: u64::from(site.samples),
                frames: reported(frames),
                through: reported(through),
            }
        };
        shown.sites.iter().map(site).collect()
    }

    pub(super) fn basis(&self) -> Option<Basis> {
        self.shown().filter(|sites| sites.samples > 0).map(|sites| match sites.basis {
            SiteBasis::Found => Basis::Found,
            SiteBasis::Survived => Basis::Survived,
        })
    }
}

fn frame(frame: &SiteFrame) -> Frame {
    Frame { class: frame.class.clone(), method: frame.method.clone(), file: frame.file.clone(), line: frame.line }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grower(probe: u32, samples: u32) -> Grower {
        Grower { probe: ProbeId(probe), rank: f64::from(probe), samples }
    }

    /// Seconds at which a request is sent, each with its probes.
    fn orders(mut sampling: Sampling, seconds: u64, growers: impl Fn(u64) -> Vec<Grower>) -> Vec<(u64, Vec<u32>)> {
        let mut orders = Vec::new();
        let mut until = None;
        for s in 0..seconds {
            if until == Some(s) {
                let receipt = SamplingReceipt { window_ms: 60_000, ..SamplingReceipt::default() };
                sampling.reported(&AllocationSites { is_over: true, receipt, ..AllocationSites::default() });
            }
            if let Some(ToAgent::SampleAllocations(order)) = sampling.due(s * 1000, growers(s)) {
                until = Some(s + u64::from(order.window_ms) / 1000);
                orders.push((s, order.probes.iter().map(|probe| probe.0).collect()));
            }
        }
        orders
    }

    #[test]
    fn growers_are_gathered_and_one_that_comes_later_joins() {
        let growers = |s| match s {
            0..10 => vec![],
            10..11 => vec![grower(1, 0)],
            11..30 => vec![grower(1, 0), grower(2, 0)],
            _ => vec![grower(1, 0), grower(2, 40), grower(3, 0)],
        };
        assert_eq!(orders(Sampling::new(false), 100, growers), [(12, vec![2, 1]), (32, vec![3, 1])]);
        assert_eq!(orders(Sampling::new(true), 100, growers), []);
    }

    #[test]
    fn what_was_not_found_is_looked_for_again_ever_more_seldom_and_not_for_ever() {
        let begun: Vec<u64> =
            orders(Sampling::new(false), 20_000, |_| vec![grower(1, 0)]).into_iter().map(|o| o.0).collect();
        assert_eq!(begun.len(), ROUNDS as usize);
        assert!(begun.windows(3).all(|w| w[2] - w[1] > w[1] - w[0]), "{begun:?}");
        assert_eq!(orders(Sampling::new(false), 20_000, |s| vec![grower(1, s as u32)]).len(), 1);
    }

    #[test]
    fn a_window_whose_end_is_not_reported_ends_all_the_same() {
        let mut sampling = Sampling::new(false);
        assert!(sampling.due(0, vec![grower(1, 0)]).is_none());
        assert!(sampling.due(GATHER_MS, vec![grower(1, 0)]).is_some());
        assert!(sampling.report().unwrap().is_on);
        sampling.due(GATHER_MS + WINDOW_MS + LATE_MS + 1, vec![grower(1, 0)]);
        assert!(!sampling.report().unwrap().is_on);
    }

    #[test]
    fn sums_of_all_windows_are_reported_and_a_refusal_is_a_sentence() {
        let mut sampling = Sampling::new(false);
        let receipt = SamplingReceipt {
            window_ms: 500,
            events: 7,
            least_interval_bytes: 64,
            callback_us: 1500,
            ..SamplingReceipt::default()
        };
        for is_over in [false, true, true] {
            let sites = AllocationSites { is_over, receipt, ..AllocationSites::default() };
            assert_eq!(sampling.reported(&sites), None);
        }
        let report = sampling.report().unwrap();
        assert_eq!((report.events, report.window_s, report.callback_ms), (14, 1.0, 3.0));
        assert_eq!(report.least_interval_bytes, Some(64));
        let refusal = Some("another agent holds it".to_owned());
        let said = sampling.reported(&AllocationSites { refusal, is_over: true, ..AllocationSites::default() });
        assert_eq!(said.as_deref(), Some("allocation sites are not known: another agent holds it"));
        assert!(sampling.report().unwrap().refusal.is_some());
    }

    #[test]
    fn frames_read_like_java_and_the_jdk_stands_behind() {
        let frame = |class: &str, file: Option<&str>, line, is_application| SiteFrame {
            class: class.to_owned(),
            method: "add".to_owned(),
            file: file.map(str::to_owned),
            line,
            is_application,
        };
        let stack = vec![
            frame("java.Map", Some("Map.java"), Some(627), false),
            frame("shop.Cart", Some("Cart.java"), Some(88), true),
            frame("shop.Stub", None, None, true),
        ];
        let mut sites = Sites::default();
        let reported = |samples, all| ProbeSites {
            probe: ProbeId(1),
            basis: SiteBasis::Found,
            samples: all,
            sites: vec![SampledSite { samples, frames: stack.clone() }],
        };
        sites.take(&reported(7, 9), false);
        sites.take(&reported(6, 8), true);
        sites.take(&reported(1, 2), false);
        let [site] = &sites.report()[..] else { panic!("one site") };
        assert_eq!((site.share, site.samples), (0.75, 6));
        let read = |frames: &[Frame]| frames.iter().map(Frame::to_string).collect::<Vec<_>>();
        assert_eq!(read(&site.frames), ["shop.Cart.add(Cart.java:88)", "shop.Stub.add(unknown source)"]);
        assert_eq!(read(&site.through), ["java.Map.add(Map.java:627)"]);
        assert_eq!(sites.basis(), Some(Basis::Found));
        assert_eq!(Sites::default().basis(), None);
    }
}
