//! One sampling from its beginning to its end: the environment that holds the JVM's sampler, the sampled classes, the
//! pace, and the searches of the structures. Dropping it undoes everything.

use super::owner::Owner;
use super::pace::{PERIOD, Pace};
use super::samples::{MOST_CLASSES, Sample, Samples};
use super::sampling_error::SamplingError;
use super::search::{Met, look_through};
use super::sites::{Looked, Moment, attributable, sites, unrelated};
use crate::jvmti::abi::FrameInfo;
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, Local};
use crate::jvmti::methods::Described;
use crate::jvmti::signature::source_name;
use crate::probe::route::traversal::DEPTH;
use crate::probe::schedule::tracker::Tracker;
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::{AllocationSites, ProbeSites, SamplingOrder, SamplingReceipt, SiteFrame};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// The longest window, even if more is asked for.
const LONGEST: Duration = Duration::from_secs(120);
/// Structures of one window.
const MOST_PROBES: usize = 16;
/// The first search of the structures, and the time between two.
const FIRST_LOOK: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// Reads of one search: 0.1 to 0.2 µs each. The last one reads more.
const READS: u32 = 1 << 16;
const READS_AT_LAST: u32 = 1 << 19;
/// References that a search makes in addition to those of the traversal.
const ROOM: usize = 1024;

/// An open window.
pub struct Window {
    owner: &'static dyn Owner,
    env: Env,
    probes: Vec<ProbeId>,
    /// Tags of the members' classes of each probe.
    classes: HashMap<ProbeId, HashSet<usize>>,
    class_tags: usize,
    begun: Instant,
    begun_ms: u64,
    until: Instant,
    pace: Pace,
    least_interval: u32,
    next_period: Instant,
    next_look: Instant,
    searched: Duration,
    /// Collections at the last search for collected samples.
    collections: u64,
}

impl Window {
    /// Acquires the JVM's sampler and switches it on.
    ///
    /// # Errors
    /// The reason why it cannot be had.
    pub fn open(owner: &'static dyn Owner) -> Result<Self, SamplingError> {
        let env = Env::sampler(owner.vm()).map_err(SamplingError::of_refusal)?;
        let (pace, now) = (Pace::default(), Instant::now());
        owner.samples().open(pace.brake_bytes());
        env.start_sampling(pace.interval_bytes())?;
        Ok(Self {
            owner,
            env,
            probes: Vec::new(),
            classes: HashMap::new(),
            class_tags: 0,
            begun: now,
            begun_ms: owner.at_ms(),
            until: now,
            pace,
            least_interval: pace.interval_bytes(),
            next_period: now + PERIOD,
            next_look: now + FIRST_LOOK,
            searched: Duration::ZERO,
            collections: 0,
        })
    }

    /// Goes on with these structures, for this time from now.
    pub fn follow(&mut self, jni: &Jni, tracker: &Tracker, order: &SamplingOrder) {
        let length = Duration::from_millis(u64::from(order.window_ms));
        self.until = (Instant::now() + length).min(self.begun + LONGEST);
        self.probes = order.probes.iter().copied().take(MOST_PROBES).collect();
        for probe in self.probes.clone() {
            if !self.classes.contains_key(&probe) {
                let classes = self.watch_classes(jni, tracker, probe);
                self.classes.insert(probe, classes);
            }
        }
    }

    /// Tags the classes of a structure's members, so that their allocations are recognized.
    fn watch_classes(&mut self, jni: &Jni, tracker: &Tracker, probe: ProbeId) -> HashSet<usize> {
        let mut tags = HashSet::new();
        let Some(installed) = tracker.installed(probe) else { return tags };
        let places = installed.places.iter().zip(&installed.route.places).filter(|(_, place)| place.counts);
        for (live, _) in places {
            let Some(class) = live.class.hold(jni) else { continue };
            let class = class.mirror();
            let known = usize::try_from(self.env.tag(class)).unwrap_or(0);
            let next = self.class_tags + 1;
            if known > 0 {
                tags.insert(known);
            } else if next <= MOST_CLASSES && self.env.set_tag(class, next as i64).is_ok() {
                self.class_tags = next;
                tags.insert(next);
            }
        }
        tags
    }

    /// The time of the next thing to do.
    pub fn due(&self) -> Instant {
        self.next_period.min(self.next_look).min(self.until)
    }

    /// Whether the window has lasted long enough.
    pub fn is_over(&self, now: Instant) -> bool {
        now >= self.until
    }

    /// Does what is due; returns the result of a search, when one was due.
    pub fn turn(&mut self, jni: &Jni, tracker: &Tracker, now: Instant) -> Option<AllocationSites> {
        if now >= self.next_period {
            self.end_period(now);
        }
        if now < self.next_look && !self.is_over(now) {
            return None;
        }
        // The last search cannot wait, and is made once.
        if !self.is_over(now) && !tracker.may_look(now) {
            self.next_look = now + PERIOD;
            return None;
        }
        self.next_look = now + LOOK_EVERY;
        let found = self.look(jni, tracker, self.is_over(now));
        tracker.has_looked();
        Some(found)
    }

    fn samples(&self) -> &'static Samples {
        self.owner.samples()
    }

    fn end_period(&mut self, now: Instant) {
        self.next_period = now + PERIOD;
        let period = self.samples().end_period(self.pace.brake_bytes());
        self.pace.next(period.events, period.was_braked);
        let bytes = self.pace.interval_bytes();
        self.least_interval = self.least_interval.min(bytes);
        // The environment holds the sampler: nothing else can fail here.
        let _set = self.env.set_sampling_interval(bytes);
    }

    /// Searches the structures for the samples, and reports the allocation sites of those inside.
    pub fn look(&mut self, jni: &Jni, tracker: &Tracker, is_over: bool) -> AllocationSites {
        let begun = Instant::now();
        let probes = jni.frame(DEPTH + ROOM, || self.look_at_all(jni, tracker, is_over)).unwrap_or_default();
        self.searched += begun.elapsed();
        let receipt = self.receipt();
        AllocationSites { at_ms: self.owner.at_ms(), is_over, refusal: None, probes, receipt }
    }

    fn look_at_all(&mut self, jni: &Jni, tracker: &Tracker, is_last: bool) -> Vec<ProbeSites> {
        self.drop_collected(jni);
        let alive = self.samples().all();
        let mut reads = if is_last { READS_AT_LAST } else { READS };
        let mut met: Vec<(ProbeId, Met)> = Vec::new();
        for (at, &probe) in self.probes.iter().enumerate() {
            let share = reads / (self.probes.len() - at) as u32;
            let installed = tracker.installed(probe);
            let looked = installed.and_then(|probe| look_through(jni, (&self.env, tracker.entered()), probe, share));
            reads -= looked.as_ref().map_or(0, |looked| looked.reads.min(reads));
            met.extend(looked.map(|looked| (probe, looked)));
        }
        let met_anywhere = met.iter().flat_map(|(_, met)| &met.tags).copied().collect();
        let now_ms = self.owner.at_ms();
        let moment = Moment { begun_ms: self.begun_ms, now_ms, collections: self.collections };
        let looked: Vec<Looked<'_>> = met
            .iter()
            .map(|(probe, met)| Looked {
                classes: &self.classes[probe],
                met: &met.tags,
                is_whole: met.is_whole,
                met_anywhere: &met_anywhere,
            })
            .collect();
        let mut names = Names { window: self, jni, platform: jni.platform_loader(), methods: HashMap::new() };
        let mut reports = Vec::with_capacity(met.len());
        for ((probe, _), looked) in met.iter().zip(&looked) {
            let (basis, samples) = attributable(&alive, *looked, moment);
            let count = samples.len() as u32;
            let stacks = samples.into_iter().map(|sample| names.stack(sample)).collect();
            reports.push(ProbeSites { probe: *probe, basis, samples: count, sites: sites(stacks) });
        }
        self.untag(jni, &unrelated(&alive, &looked, moment));
        reports
    }

    /// Removes the tags of samples that lie in no structure, and forgets them.
    fn untag(&self, jni: &Jni, unrelated: &HashSet<i64>) {
        let tags: Vec<i64> = unrelated.iter().copied().collect();
        for (_, object) in self.env.objects_with_tags(jni, &tags).unwrap_or_default() {
            // An object whose tag cannot be removed keeps it until the window ends.
            let _untagged = self.env.set_tag(&object, 0);
        }
        self.samples().retain(|tag| !unrelated.contains(&tag));
    }

    /// Samples whose objects have been collected make room. Only a collection can have changed anything.
    fn drop_collected(&mut self, jni: &Jni) {
        let collections = self.owner.collections();
        if collections == self.collections {
            return;
        }
        let tags: Vec<i64> = self.samples().all().iter().map(|sample| sample.tag).collect();
        if let Ok(alive) = self.env.objects_with_tags(jni, &tags) {
            let alive: HashSet<i64> = alive.into_iter().map(|(tag, _)| tag).collect();
            // Samples that came after the question are not in the answer.
            let newest = tags.iter().copied().max().unwrap_or(0);
            self.samples().retain(|tag| tag > newest || alive.contains(&tag));
        }
        self.collections = collections;
    }

    /// The cost of the window so far.
    pub fn receipt(&self) -> SamplingReceipt {
        let counts = self.samples().counts();
        SamplingReceipt {
            window_ms: self.begun.elapsed().as_millis() as u64,
            events: counts.events,
            samples: counts.samples,
            dropped: counts.dropped,
            callback_us: counts.nanos / 1000,
            search_us: self.searched.as_micros() as u64,
            interval_bytes: self.pace.interval_bytes(),
            least_interval_bytes: self.least_interval,
            tags: self.tags() as u32,
        }
    }

    /// Number of tags that exist: of samples, and of classes.
    pub fn tags(&self) -> usize {
        self.samples().len() + self.class_tags
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.env.stop_sampling();
        self.owner.samples().close();
    }
}

/// Frames as text; each method is looked up once a search.
struct Names<'w, 'j> {
    window: &'w Window,
    jni: &'j Jni,
    platform: Option<Local<'j>>,
    methods: HashMap<usize, Option<Described>>,
}

impl Names<'_, '_> {
    fn stack(&mut self, sample: &Sample) -> Vec<SiteFrame> {
        sample.frames[..sample.depth].iter().filter_map(|frame| self.frame(*frame)).collect()
    }

    /// `None` when the class of the method has been unloaded.
    fn frame(&mut self, frame: FrameInfo) -> Option<SiteFrame> {
        let (window, jni, platform) = (self.window, self.jni, self.platform.as_ref());
        let describe = || window.env.describe_method(jni, frame.method, platform);
        let method = self.methods.entry(frame.method).or_insert_with(describe).as_ref()?;
        Some(SiteFrame {
            class: source_name(&method.class),
            method: method.name.clone(),
            file: method.file.clone(),
            line: method.line(frame.location),
            is_application: !method.is_platform,
        })
    }
}
