//! Checks of the documents: a number that a page states is the constant in the code, a link has a target, and every
//! option has its line.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::places;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn read(path: &str) -> String {
    fs::read_to_string(places::workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A page as one line, so that a sentence is found in spite of line breaks.
fn page(path: &str) -> String {
    read(path).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number of a constant, or of a field of a constant: durations in milliseconds, others unchanged.
fn constant(path: &str, name: &str) -> f64 {
    let source = read(path);
    let (start, field) = (format!("const {name}: "), format!("{name}: "));
    let mut lines = source.lines().map(str::trim_start);
    let whole =
        lines.clone().find(|line| line.contains(&start)).and_then(|line| line.split_once(" = ")?.1.split_once(';'));
    let value = whole.map(|(value, _)| value);
    // A declaration has a type behind the name of the field, a value has a number, a row of a table has both.
    let is_value = |text: &&str| number(text).is_some();
    let of_field = || {
        lines.find_map(|line| {
            let text = line.strip_prefix(&field)?;
            text.strip_suffix(',').or_else(|| text.split_once(" = ")?.1.split(',').next()).filter(is_value)
        })
    };
    let value = value.or_else(of_field);
    let value = value.unwrap_or_else(|| panic!("{path} has no constant {name}"));
    number(value).unwrap_or_else(|| panic!("{path}: {name} = {value} is no number that this test can read"))
}

fn number(text: &str) -> Option<f64> {
    let inner = |start: &str| text.strip_prefix(start).and_then(|rest| rest.strip_suffix(')'));
    if let Some(seconds) = inner("Duration::from_secs(") {
        return Some(number(seconds)? * 1e3);
    }
    if let Some(millis) = inner("Duration::from_millis(") {
        return number(millis);
    }
    if let Some((value, bits)) = text.split_once(" << ") {
        return Some(number(value)? * number(bits)?.exp2());
    }
    text.replace('_', "").parse().ok()
}

/// `4096` as `4,096`.
fn count(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut shown = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

fn plain(value: f64) -> String {
    value.to_string()
}

fn seconds(millis: f64) -> String {
    (millis / 1e3).to_string()
}

fn megabytes(bytes: f64) -> String {
    (bytes / 1_048_576.0).to_string()
}

fn word(value: f64) -> String {
    const WORDS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let known = WORDS.iter().enumerate().find(|(number, _)| plain(*number as f64) == plain(value));
    known.map_or_else(|| plain(value), |(_, word)| (*word).to_owned())
}

/// A sentence with `{}` in place of the number, and the format of the number on a page.
type Statement = (&'static str, &'static str, fn(f64) -> String);

/// Constants, and the sentences that state them.
struct Fact {
    source: &'static str,
    constant: &'static str,
    stated: &'static [Statement],
}

const SAFETY: &str = "docs/safety.md";
const SECURITY: &str = "SECURITY.md";
const WIRE: &str = "docs/wire-protocol.md";
const USING: &str = "docs/using.md";
const CI: &str = "docs/continuous-integration.md";
const CHANGES: &str = "CHANGELOG.md";
const COSTS: &str = "docs/overhead.md";
const RANKING: &str = "docs/ranking.md";
const TRENDS: &str = "docs/trends.md";

const BUDGET: &str = "agent/src/probe/budget.rs";
const CADENCE: &str = "agent/src/probe/cadence.rs";
const PLANNER: &str = "agent/src/probe/structure/planner.rs";
const TRACKER: &str = "agent/src/probe/schedule/tracker.rs";
const WATCHDOG: &str = "agent/src/capture/watchdog.rs";
const RATION: &str = "agent/src/session/ration.rs";
const HEADROOM: &str = "agent/src/room/headroom.rs";
const ANALYSIS: &str = "analyzer/src/session/analysis.rs";
const FOLLOWED: &str = "analyzer/src/session/followed.rs";
const RELATIONS: &str = "analyzer/src/relations/rules.rs";
const TRACKING: &str = "analyzer/src/tracking/thresholds.rs";

const FACTS: &[Fact] = &[
    Fact {
        source: "wire/src/lib.rs",
        constant: "PROTOCOL_VERSION",
        stated: &[(WIRE, "This is protocol version {}.", plain), (CHANGES, "Wire protocol {}:", plain)],
    },
    Fact {
        source: TRACKER,
        constant: "VISITS_A_TICK",
        stated: &[
            ("README.md", "visit one structure in this time, or {} that cost little", word),
            ("docs/lexicon.md", "one structure is visited, or {} that cost little", word),
            ("docs/decisions/0023-six-visits-a-tick.md", "One to {} visits every", word),
            (WIRE, "one a tick, and {} more while those read little", |visits| word(visits - 1.0)),
        ],
    },
    Fact {
        source: BUDGET,
        constant: "TICK_READS",
        stated: &[
            ("docs/decisions/0023-six-visits-a-tick.md", "have read {} references or less", plain),
            (COSTS, "while the tick's visits have read {} references or less", plain),
        ],
    },
    Fact {
        source: BUDGET,
        constant: "VISIT_READS",
        stated: &[
            (SAFETY, "reads of one visit | {}, or", count),
            (CHANGES, "A visit reads at most {} references", count),
        ],
    },
    Fact {
        source: "analyzer/src/session/analysis.rs",
        constant: "VISIT_BUDGET",
        stated: &[(SAFETY, "reads of one visit | {}, or", count)],
    },
    Fact {
        source: BUDGET,
        constant: "READS_A_SECOND",
        stated: &[
            (SAFETY, "reads of all visits | {} a second on average", count),
            (CHANGES, "all visits together {} a second on average", count),
        ],
    },
    Fact { source: BUDGET, constant: "READS_TO_LEARN", stated: &[(SAFETY, "and once {} to learn", count)] },
    Fact {
        source: BUDGET,
        constant: "LEAST_RESERVE",
        stated: &[
            (SAFETY, "single-visit counts | {} reads after an installation", count),
            (CHANGES, "may read {} million in all", |reads| format!("{:.0}", (reads / 1e6).floor())),
        ],
    },
    Fact {
        source: BUDGET,
        constant: "RESTS",
        stated: &[(SAFETY, "after an installation, {} of the time", |rests| match rests {
            3.0 => "a quarter".to_owned(),
            other => format!("1/{}", other + 1.0),
        })],
    },
    Fact {
        source: "wire/src/message/probe.rs",
        constant: "MOST_TANGLED_READS",
        stated: &[(WIRE, "reads at most {} references. Such a probe", count)],
    },
    Fact {
        source: "wire/src/message/marking.rs",
        constant: "MOST_ALIKE_LOCALS",
        stated: &[
            (WIRE, "at most {} objects are distinguished", word),
            ("README.md", "at most {} objects of its class are held like that", word),
        ],
    },
    Fact {
        source: WATCHDOG,
        constant: "LONGEST",
        stated: &[(SAFETY, "never beyond {} s", seconds), (WIRE, "the agent's own bound of {} s", seconds)],
    },
    Fact { source: WATCHDOG, constant: "SILENCE", stated: &[(SAFETY, "a child that records nothing | {} s", seconds)] },
    Fact { source: WATCHDOG, constant: "LOOK_EVERY", stated: &[(SAFETY, "the watchdog, every {} ms", plain)] },
    Fact {
        source: "analyzer/src/session/snapshots.rs",
        constant: "LEAST_DEADLINE_MS",
        stated: &[(SAFETY, "ten times its forecast, at least {} s", seconds)],
    },
    Fact {
        source: RATION,
        constant: "MOST_ORDERS",
        stated: &[
            (SAFETY, "a minute, and {} orders", plain),
            (SECURITY, "at most {} orders", plain),
            (WIRE, "{} orders within a minute", plain),
            (CHANGES, "at most {} orders", plain),
        ],
    },
    Fact {
        source: RATION,
        constant: "MOST_STOPPED_MS",
        stated: &[
            (SAFETY, "all pauses by marks and captures | {} s a minute", seconds),
            (SECURITY, "have paused it for {} s", seconds),
            (WIRE, "and {} s of pauses within a minute", seconds),
        ],
    },
    Fact {
        source: RATION,
        constant: "WINDOW",
        stated: &[(SECURITY, "within {} at most", |millis| match millis {
            60_000.0 => "a minute".to_owned(),
            other => format!("{} s", other / 1e3),
        })],
    },
    Fact {
        source: HEADROOM,
        constant: "LEAST_MARGIN_BYTES",
        stated: &[(SAFETY, "at least {} MB and at most", megabytes)],
    },
    Fact { source: HEADROOM, constant: "MOST_MARGIN_BYTES", stated: &[(SAFETY, "and at most {} MB.", megabytes)] },
    Fact {
        source: HEADROOM,
        constant: "MARGIN_SHARE",
        stated: &[(SAFETY, "The margin is {} of the limit", |share| match share {
            20.0 => "a twentieth".to_owned(),
            other => format!("1/{other}"),
        })],
    },
    Fact {
        source: "analyzer/src/ingest/handshake.rs",
        constant: "HELLO_TIMEOUT",
        stated: &[
            (SAFETY, "a peer has {} s for its `Hello`", seconds),
            (SECURITY, "A peer has {} seconds for its greeting", seconds),
            (WIRE, "a peer has {} seconds for its `Hello`", seconds),
        ],
    },
    Fact {
        source: "agent/src/link/connector.rs",
        constant: "GREETING_TIMEOUT",
        stated: &[(SECURITY, "A peer has {} seconds for its greeting", seconds)],
    },
    Fact {
        source: "analyzer/src/ingest/handshake.rs",
        constant: "WRITE_TIMEOUT",
        stated: &[
            (SAFETY, "a write is given up after {} s without progress", seconds),
            (WIRE, "gives up a write after {} seconds without progress", seconds),
        ],
    },
    Fact {
        source: "agent/src/link/socket.rs",
        constant: "WRITE_TIMEOUT",
        // Linux ends the first write that met a full buffer with a part, and only the second with an error.
        stated: &[(SAFETY, "a write is given up after {} s without progress", |millis| seconds(2.0 * millis))],
    },
    Fact {
        source: "analyzer/src/ingest/listener.rs",
        constant: "MOST_MEETINGS",
        stated: &[
            (SECURITY, "at most {} peers may be without one at once", plain),
            (WIRE, "{} peers may be without one at once", plain),
            (CHANGES, "At most {} peers at once", plain),
        ],
    },
    Fact {
        source: "wire/src/secret.rs",
        constant: "LEAST_TOKEN_BYTES",
        stated: &[
            (SECURITY, "at least {} characters", plain),
            (USING, "at least {} characters", plain),
            (WIRE, "at least {} characters", plain),
            (CHANGES, "at least {} characters", plain),
        ],
    },
    Fact {
        source: "agent/src/link/pace.rs",
        constant: "AFTER_A_MISFIT",
        stated: &[(WIRE, "It tries again after {} seconds, 8, 16", seconds)],
    },
    Fact {
        source: "agent/src/link/pace.rs",
        constant: "LONGEST",
        stated: &[(WIRE, "8, 16 …, up to every {} seconds", seconds)],
    },
    Fact {
        source: "agent/src/link/outbox.rs",
        constant: "QUEUE_MESSAGES",
        stated: &[(WIRE, "when {} messages wait already", plain)],
    },
    Fact {
        source: "agent/src/link/outbox.rs",
        constant: "ESSENTIAL_WAIT",
        stated: &[(WIRE, "Others wait up to {} seconds for room", seconds)],
    },
    Fact {
        source: "agent/src/session/work.rs",
        constant: "GC_PAUSE",
        stated: &[(WIRE, "after collections, at most {} a second", |millis| word(1e3 / millis))],
    },
    Fact {
        source: "agent/src/session/work.rs",
        constant: "HEARTBEAT",
        stated: &[(WIRE, "about every {} seconds after `Welcome`", |millis| word(millis / 1e3))],
    },
    Fact {
        source: "wire/src/codec.rs",
        constant: "DECODE_LIMIT_BYTES",
        stated: &[(WIRE, "Decoding allocates at most {} MiB", megabytes)],
    },
    Fact {
        source: "agent/src/sampling/window.rs",
        constant: "MOST_PROBES",
        stated: &[(WIRE, "for at most {} structures and two minutes", plain)],
    },
    Fact {
        source: "agent/src/stop.rs",
        constant: "KEPT_BACK",
        stated: &[(SAFETY, "{} of the time is kept for that", |share| match share {
            5.0 => "a fifth".to_owned(),
            other => format!("1/{other}"),
        })],
    },
    Fact {
        source: "analyzer/src/commands/program.rs",
        constant: "GRACE",
        stated: &[(USING, "SIGKILL after {} seconds", seconds)],
    },
    Fact {
        source: "analyzer/src/commands/program_output.rs",
        constant: "KEPT_BYTES",
        stated: &[(USING, "the last {} MB of each stream", megabytes)],
    },
    Fact {
        source: "analyzer/src/session/schedule.rs",
        constant: "MARK_AFTER",
        stated: &[
            ("README.md", "when the two snapshots are taken (default {} s", seconds),
            (USING, "`--mark-after` is {} s", seconds),
        ],
    },
    Fact {
        source: "analyzer/src/session/schedule.rs",
        constant: "CAPTURE_AFTER",
        stated: &[("README.md", ", then {} s)", seconds), (USING, "`--capture-after` is {} s", seconds)],
    },
    Fact {
        source: "analyzer/src/session/schedule.rs",
        constant: "TICK",
        stated: &[("README.md", "that cost little (default {} ms)", plain)],
    },
    Fact {
        source: "analyzer/src/ingest/backlog.rs",
        constant: "SHARED_BYTES",
        stated: &[
            ("ARCHITECTURE.md", "The analyzer holds {} MB of frames", megabytes),
            (CHANGES, "{} MB hold waiting frames", megabytes),
        ],
    },
    Fact {
        source: "analyzer/src/ingest/dump/unpacked.rs",
        constant: "LEFT_FREE_BYTES",
        stated: &[(CHANGES, "Unpacking leaves {} MB of the temporary folder free", megabytes)],
    },
    Fact {
        source: TRACKER,
        constant: "CHEAP_READS",
        stated: &[(COSTS, "visits that read {} or less last time go on", plain)],
    },
    Fact {
        source: TRACKER,
        constant: "VISITS_A_TICK",
        stated: &[(COSTS, "times the sample bias; {} more while", |visits| word(visits - 1.0))],
    },
    Fact {
        source: BUDGET,
        constant: "VISIT_READS",
        stated: &[
            (COSTS, "**reads of a visit**: {}, by a counter two or three", count),
            (RANKING, "the structure can be read with at most {} references", count),
        ],
    },
    Fact {
        source: BUDGET,
        constant: "READS_A_SECOND",
        stated: &[
            (COSTS, "**reads a second, all probes**: {} on average", count),
            (RANKING, "make at most {} reads a second on average", count),
        ],
    },
    Fact {
        source: BUDGET,
        constant: "READS_TO_LEARN",
        stated: &[
            (COSTS, "and once {} after an installation", count),
            (RANKING, "New probes may read {} more, once", count),
        ],
    },
    Fact {
        source: BUDGET,
        constant: "LEARNT_A_SECOND",
        stated: &[(COSTS, "at most {} a second", count), (RANKING, "at most {} a second, to learn counters", count)],
    },
    Fact {
        source: BUDGET,
        constant: "LEAST_RESERVE",
        stated: &[(COSTS, "in all {} after an installation", count), (RANKING, "and {} in single-visit counts", count)],
    },
    Fact { source: BUDGET, constant: "RESTS", stated: &[(COSTS, "then a rest of {} times", word)] },
    Fact {
        source: "wire/src/message/probe.rs",
        constant: "MOST_TANGLED_READS",
        stated: &[
            (COSTS, "**reads of a count of a mesh**: {},", count),
            (RANKING, "Such a count may read up to {} references", count),
        ],
    },
    Fact {
        source: "agent/src/probe/large/slots.rs",
        constant: "KNOWN",
        stated: &[(COSTS, "a probe**: {} slots", plain), (RANKING, "Otherwise {} slots, one of each stretch", plain)],
    },
    Fact {
        source: "agent/src/probe/members/known.rs",
        constant: "MOST",
        stated: &[(COSTS, "cursor's path, {} marks", plain), (RANKING, "Up to {} counted members a probe", plain)],
    },
    Fact {
        source: CADENCE,
        constant: "CHECK_READS",
        stated: &[
            (COSTS, "and checks of a counter, take {} a visit", plain),
            (RANKING, "would take more than {} references a visit", plain),
            (RANKING, "every {}nd visit tries it again where that takes 4,096 references", |reads| {
                plain(4_096.0 / reads)
            }),
            (RANKING, "after {} visits where a count takes 32,768 references", |reads| plain(32_768.0 / reads)),
        ],
    },
    Fact { source: PLANNER, constant: "SMALL", stated: &[(RANKING, "the structure has more than {} members", plain)] },
    Fact {
        source: CADENCE,
        constant: "CHECK_EVERY",
        stated: &[
            (RANKING, "Every {}th visit another method checks it", plain),
            (RANKING, "Another pass follows every {} visits", plain),
        ],
    },
    Fact { source: CADENCE, constant: "LONGEST", stated: &[(RANKING, "and then after 2, 4 … {} visits", plain)] },
    Fact {
        source: "agent/src/probe/counter/candidates.rs",
        constant: "DISTURBED_COUNT_SHARE",
        stated: &[(RANKING, "a candidate may be off by one in {}", plain)],
    },
    Fact {
        source: "analyzer/src/regions/plan/counters.rs",
        constant: "MOST",
        stated: &[(RANKING, "Candidates are at most {} `int` and `long` fields", plain)],
    },
    Fact {
        source: "agent/src/probe/schedule/bias.rs",
        constant: "UP",
        stated: &[(RANKING, "multiplied by {} if the region", plain)],
    },
    Fact {
        source: "agent/src/probe/schedule/bias.rs",
        constant: "QUIET",
        stated: &[(RANKING, "by {} if nothing had changed", plain)],
    },
    Fact {
        source: "agent/src/probe/schedule/bias.rs",
        constant: "REMOVAL",
        stated: &[(RANKING, "by {} if it had shrunk", plain)],
    },
    Fact {
        source: "agent/src/probe/schedule/bias.rs",
        constant: "FLOOR",
        stated: &[(RANKING, "it stays between {} and 1", plain), (WIRE, "clamped to {} … 1", plain)],
    },
    Fact { source: ANALYSIS, constant: "MAX_REPORTED", stated: &[(RANKING, "At most {} regions are reported", plain)] },
    Fact {
        source: FOLLOWED,
        constant: "MAX_TRACKED",
        stated: &[
            (RANKING, "regions are reported and {} followed", plain),
            (COSTS, "**regions followed**: {}", plain),
            (CHANGES, "{} regions are followed", plain),
        ],
    },
    Fact {
        source: FOLLOWED,
        constant: "MAX_INSIDE",
        stated: &[(RANKING, "at most {} are followed", word), (CHANGES, "is followed too, up to {} of", word)],
    },
    Fact {
        source: ANALYSIS,
        constant: "MAX_ROOTS",
        stated: &[
            (RANKING, "every metric of the {} best leak roots", plain),
            ("README.md", "print how the {} best ranks", plain),
        ],
    },
    Fact { source: RELATIONS, constant: "population", stated: &[(RANKING, "*population*: {} or more regions", word)] },
    Fact {
        source: RELATIONS,
        constant: "exception",
        stated: &[(RANKING, "it has less than {} times their mean", word)],
    },
    Fact { source: RELATIONS, constant: "much_larger", stated: &[(RANKING, "at least {} times its proxy-size", word)] },
    Fact {
        source: "analyzer/src/regions/buffers.rs",
        constant: "MOST",
        stated: &[(RANKING, "named path. {} are followed", |most| {
            let lower = word(most);
            lower[..1].to_uppercase() + &lower[1..]
        })],
    },
    Fact {
        source: "analyzer/src/regions/buffers.rs",
        constant: "LEAST_GAINED_BYTES",
        stated: &[(RANKING, "once it has gained {} KB", |bytes| plain(bytes / 1024.0))],
    },
    Fact {
        source: "analyzer/src/regions/buffers.rs",
        constant: "LEAST_GAINED_REFERENCES",
        stated: &[(RANKING, "once it has gained {} slots", plain)],
    },
    Fact {
        source: "analyzer/src/regions/plan/counters.rs",
        constant: "MOST_PARTS",
        stated: &[(RANKING, "at most {} parts", plain)],
    },
    Fact {
        source: "analyzer/src/session/snapshots.rs",
        constant: "PATH_MARKS",
        stated: &[(COSTS, "at most {} marks", count)],
    },
    Fact {
        source: "analyzer/src/session/snapshots.rs",
        constant: "WHOLE_HEAP",
        stated: &[(COSTS, "only where the heap has less than {}", count)],
    },
    Fact {
        source: "analyzer/src/session/snapshots.rs",
        constant: "LEAST_DEADLINE_MS",
        stated: &[(COSTS, "ten times the forecast and {} s at least", seconds)],
    },
    Fact { source: WATCHDOG, constant: "LONGEST", stated: &[(COSTS, "or {} s without a forecast", seconds)] },
    Fact {
        source: "analyzer/src/session/cycle.rs",
        constant: "FORKS",
        stated: &[(COSTS, "forks again, up to {} times", word)],
    },
    Fact { source: TRACKING, constant: "sure", stated: &[(TRENDS, "above 0 with a probability of {} (", plain)] },
    Fact {
        source: TRACKING,
        constant: "sure_of_chosen",
        stated: &[(TRENDS, "({} where the stretch was chosen", plain)],
    },
    Fact { source: TRACKING, constant: "min_growth", stated: &[(TRENDS, "It brought at least {} members", plain)] },
    Fact { source: TRACKING, constant: "min_steps", stated: &[(TRENDS, "members in at least {} sightings", plain)] },
    Fact { source: TRACKING, constant: "recent_s", stated: &[(TRENDS, "The last {} seconds are judged", plain)] },
    Fact {
        source: TRACKING,
        constant: "sure_enough_to_stay",
        stated: &[(TRENDS, "with a probability of {} and nothing", plain)],
    },
    Fact {
        source: TRACKING,
        constant: "min_span_in_flux_s",
        stated: &[(TRENDS, "growth must have lasted {} seconds", plain)],
    },
    Fact {
        source: TRACKING,
        constant: "stands_still_within",
        stated: &[(TRENDS, "if it stayed within {} % of its mean", |share| plain(share * 100.0))],
    },
    Fact {
        source: TRACKING,
        constant: "late_share",
        stated: &[(TRENDS, "brought less than {} % of the growth", |share| plain(share * 100.0))],
    },
    Fact { source: TRACKING, constant: "min_stop_s", stated: &[(TRENDS, "no progress for {} s or more", plain)] },
    Fact { source: TRACKING, constant: "longer", stated: &[(TRENDS, "longer than {} times any stop before", plain)] },
    Fact { source: TRACKING, constant: "slowed", stated: &[(TRENDS, "to {} of the first, by", plain)] },
    Fact {
        source: TRACKING,
        constant: "slowed_errors",
        stated: &[(TRENDS, "of the first, by {} standard errors", plain)],
    },
    Fact {
        source: TRACKING,
        constant: "presized_share",
        stated: &[(TRENDS, "of which at most {} % were filled", |share| plain(share * 100.0))],
    },
    Fact { source: TRACKING, constant: "least_slots", stated: &[(TRENDS, "The array has more than {} slots", plain)] },
    Fact {
        source: "analyzer/src/gate/comparison.rs",
        constant: "UNKNOWN_SHARE",
        stated: &[(CI, "Where a rate has no interval, {} of it", |share| match share {
            0.2 => "a fifth".to_owned(),
            other => plain(other),
        })],
    },
    Fact {
        source: "analyzer/src/commands/baseline.rs",
        constant: "ACCEPTED_DAYS",
        stated: &[(CI, "for {} days or `--until`", plain)],
    },
    Fact { source: TRACKING, constant: "soon", stated: &[(TRENDS, "it will be full within {} times", word)] },
];

#[test]
fn numbers_in_the_documents_are_those_of_the_code() {
    let mut wrong = Vec::new();
    for fact in FACTS {
        let value = constant(fact.source, fact.constant);
        for (path, sentence, shown) in fact.stated {
            let stated = sentence.replace("{}", &shown(value));
            if !page(path).contains(&stated) {
                wrong
                    .push(format!("{} in {} is {value}: {path} does not say \"{stated}\"", fact.constant, fact.source));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Default of the command line, in front of a field of the arguments.
fn default_of(field: &str) -> String {
    let source = read("analyzer/src/args.rs") + &read("analyzer/src/args/live.rs");
    let before = source.split_once(&format!("pub(crate) {field}: ")).expect("the argument exists").0;
    let attributes = before.rsplit_once("///").unwrap().1;
    let value = attributes.split_once("default_value").expect("it has a default").1;
    value.trim_start_matches("_t").trim_start_matches([' ', '=', '"']).split(['"', ',', ')']).next().unwrap().to_owned()
}

#[test]
fn defaults_in_the_documents_are_those_of_the_command_line() {
    let pause = default_of("max_pause").replace("ms", " ms");
    assert!(page("README.md").contains(&format!("never pause the program longer (default {pause};")), "{pause}");
    assert!(page(SAFETY).contains(&format!("`--max-pause`, {pause} by default")), "{pause}");
    assert!(page(CHANGES).contains(&format!("`--max-pause` is {pause} by default")), "{pause}");
    let jvms = word(default_of("max_jvms").parse().unwrap());
    assert!(page("README.md").contains(&format!("`watch` takes up to {jvms} at once")), "{jvms}");
    assert!(page(USING).contains(&format!("`watch` accepts {jvms} at once")), "{jvms}");
}

/// The options of the verbs that watch a JVM, by their long names.
fn options() -> Vec<String> {
    let source = read("analyzer/src/args.rs") + &read("analyzer/src/args/gate.rs");
    let mut found = Vec::new();
    for (start, _) in source.match_indices("#[arg(") {
        let attribute = source[start..].split("pub(crate) ").next().unwrap();
        let field = source[start..].split_once("pub(crate) ").unwrap().1.split_once(':').unwrap().0;
        let named = attribute.split_once("long = \"").map(|(_, rest)| rest.split_once('"').unwrap().0.to_owned());
        if attribute.contains("long") {
            found.push(format!("--{}", named.unwrap_or_else(|| field.replace('_', "-"))));
        }
    }
    found
}

#[test]
fn every_option_stands_in_the_readme_or_on_the_page_of_its_use() {
    let pages = page("README.md") + &page(USING) + &page("docs/heap-dumps.md") + &page(CI);
    // The pages name these by their letters.
    let short = |option: &String| ["--verbose", "--quiet", "--out"].contains(&option.as_str());
    let missing: Vec<_> = options().into_iter().filter(|option| !short(option) && !pages.contains(option)).collect();
    assert!(options().len() > 15, "the options are read: {:?}", options());
    assert!(missing.is_empty(), "not described: {missing:?}");
}

/// The project's pages.
fn pages() -> Vec<PathBuf> {
    let workspace = places::workspace();
    let mut found = Vec::new();
    for folder in ["", "docs", "docs/decisions"] {
        let entries = fs::read_dir(workspace.join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        found.extend(paths.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    found
}

/// A page without its blocks of output and commands.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Words that the lexicon replaced, and that are easy to fall back to.
#[test]
fn the_pages_keep_to_the_lexicon() {
    const OLD: [&str; 6] = [" told ", " tells ", " so many ", " program stood still", " nobody is ", " who adds"];
    // The lexicon lists them; the other pages are not rewritten yet.
    const SPARED: [&str; 4] = ["lexicon.md", "reading-a-report.md", "dump-reports.md", "safety-figures.md"];
    let mut found = Vec::new();
    for page in pages().iter().filter(|page| !SPARED.iter().any(|name| page.ends_with(name))) {
        let text = prose(&fs::read_to_string(page).unwrap());
        found.extend(OLD.iter().filter(|word| text.contains(*word)).map(|word| format!("{}:{word}", page.display())));
    }
    assert!(found.is_empty(), "docs/lexicon.md has better words: {}", found.join(", "));
}

/// Targets of the links of a page, with their anchors.
fn links(text: &str) -> Vec<(String, Option<String>)> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let own = targets.filter(|target| !target.contains("://"));
    own.map(|target| match target.split_once('#') {
        Some((path, anchor)) => (path.to_owned(), Some(anchor.to_owned())),
        None => (target.to_owned(), None),
    })
    .collect()
}

/// The anchors of a page's headings, as forges make them.
fn anchors(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).unwrap();
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches(['#', ' ']));
    let kept = |letter: &char| letter.is_alphanumeric() || *letter == ' ' || *letter == '-' || *letter == '_';
    headings.map(|heading| heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

#[test]
fn every_link_between_the_pages_leads_somewhere() {
    let mut wrong = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for (target, anchor) in links(&text) {
            let path = if target.is_empty() { page.clone() } else { page.parent().unwrap().join(&target) };
            let leads = path.exists() && anchor.as_ref().is_none_or(|anchor| anchors(&path).contains(anchor));
            if !leads {
                wrong.push(format!("{}: {target}#{}", page.display(), anchor.unwrap_or_default()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_decision_stands_in_their_index() {
    let index = read("docs/decisions/README.md");
    for page in pages().iter().filter(|page| page.parent().unwrap().ends_with("decisions")) {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(name == "README.md" || index.contains(&format!("({name})")), "{name} is not in the index");
    }
}

#[test]
fn the_architecture_is_short_and_names_every_room() {
    let text = read("ARCHITECTURE.md");
    let words = text.split_whitespace().count();
    assert!(words <= 1_500, "{words} words; a decision belongs under docs/decisions/");
    for src in ["agent/src", "analyzer/src"] {
        for entry in fs::read_dir(places::workspace().join(src)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            if entry.file_type().unwrap().is_dir() && name != "args" {
                let is_named = text.contains(&format!("`{name}/`")) || text.contains(&format!("`{name}`"));
                assert!(is_named, "{src}/{name} is not on the map");
            }
        }
    }
}

/// Fields of the structs of one file that its JSON has, by their names there.
fn json_fields(path: &str) -> Vec<String> {
    let source = read(path);
    let mut found = Vec::new();
    let (mut is_json, mut renamed, mut is_skipped) = (false, None, false);
    for line in source.lines() {
        if line.starts_with("#[derive(") {
            is_json = line.contains("Serialize");
        } else if line.contains("#[serde(skip)]") {
            is_skipped = true;
        } else if let Some((_, name)) = line.split_once("#[serde(rename = \"") {
            renamed = name.split('"').next().map(str::to_owned);
        } else if line.starts_with("impl ") {
            is_json = false;
        } else if let Some((name, _)) = line.strip_prefix("    pub ").and_then(|field| field.split_once(": ")) {
            let name = renamed.take().unwrap_or_else(|| name.to_owned());
            if is_json && !std::mem::take(&mut is_skipped) {
                found.push(name);
            }
        }
    }
    found
}

#[test]
fn each_field_of_a_comparison_is_on_its_page() {
    let text = page(CI);
    let fields = json_fields("analyzer/src/gate/comparison.rs");
    assert!(fields.len() > 15, "{fields:?}");
    let missing: Vec<&String> = fields.iter().filter(|field| !text.contains(&format!("`{field}`"))).collect();
    assert!(missing.is_empty(), "{CI} has no word on {missing:?}");
}

#[test]
fn each_field_of_the_report_has_its_line() {
    let page = read("docs/reading-a-report.md");
    let files = ["heap", "mod", "region", "sites", "snapshot"].map(|name| format!("analyzer/src/report/{name}.rs"));
    let fields: Vec<String> = files.iter().flat_map(|path| json_fields(path)).collect();
    assert!(fields.len() > 100, "{fields:?}");
    let missing: Vec<&String> = fields.iter().filter(|field| !page.contains(&format!("`{field}`"))).collect();
    assert!(missing.is_empty(), "docs/reading-a-report.md has no line on {missing:?}");
}
