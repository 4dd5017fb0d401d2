//! Checks of the design: permitted dependencies, operations that the core never performs, and texts that no file
//! contains.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::places;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// One source file of the project.
struct Source {
    /// Relative to the workspace.
    path: PathBuf,
    text: String,
}

impl Source {
    /// Lines of code: no comment lines, and nothing from the file's unit tests on.
    fn working_lines(&self) -> impl Iterator<Item = &str> {
        let lines = self.text.lines().take_while(|line| !line.contains("#[cfg(test)]"));
        lines.filter(|line| !line.trim_start().starts_with("//"))
    }

    /// Lines of code that contain one of `words`, each with its place.
    fn saying(&self, words: &[&str]) -> Vec<String> {
        let found = self.working_lines().filter(|line| words.iter().any(|word| line.contains(word)));
        found.map(|line| format!("{}: {}", self.path.display(), line.trim())).collect()
    }
}

/// Files under `folder` with one of `endings`; built and hidden ones are left out.
fn sources(folder: &str, endings: &[&str]) -> Vec<Source> {
    let workspace = places::workspace();
    let mut found = Vec::new();
    let mut folders = vec![workspace.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().into_string().unwrap();
            let hidden = name.starts_with('.') && name != ".ci";
            if entry.file_type().unwrap().is_dir() {
                if !hidden && name != "target" {
                    folders.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending))
                && let Ok(text) = fs::read_to_string(&path)
            {
                found.push(Source { path: relative(&path, &workspace), text });
            }
        }
    }
    found
}

fn relative(path: &Path, workspace: &Path) -> PathBuf {
    path.strip_prefix(workspace).unwrap().to_owned()
}

fn rust(folder: &str) -> Vec<Source> {
    sources(folder, &[".rs"])
}

/// Every module of the analyzer that `source` names, by `crate::` or, in the program, by `rootbound::`, alone or in a
/// list.
fn modules_used(source: &Source) -> Vec<String> {
    let code: String = source.working_lines().collect::<Vec<_>>().join("\n");
    let mut used = Vec::new();
    for prefix in ["crate::", "rootbound::"] {
        for (at, _) in code.match_indices(prefix) {
            let rest = &code[at + prefix.len()..];
            match rest.strip_prefix('{') {
                Some(list) => used.extend(heads_of_list(list)),
                None => used.push(first_word(rest)),
            }
        }
    }
    used
}

/// The first word of each entry of a `{…}` list, whose opening brace is already read.
fn heads_of_list(list: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let mut depth = 0;
    let mut entry_begins = true;
    for (at, letter) in list.char_indices() {
        match letter {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => entry_begins = true,
            _ if entry_begins && !letter.is_whitespace() => {
                heads.push(first_word(&list[at..]));
                entry_begins = false;
            }
            _ => {}
        }
    }
    heads
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

/// The agent's rooms, from the ground to the roof.
const AGENT: [&str; 17] = [
    "random",
    "stop",
    "os",
    "faults",
    "options",
    "guard",
    "jvmti",
    "platform",
    "room",
    "identity",
    "link",
    "capture",
    "probe",
    "sampling",
    "session",
    "assertions",
    "entry",
];

/// So there is no cycle of folders either.
#[test]
fn no_room_of_the_agent_uses_one_above_it() {
    let mut rooms = modules_of("agent/src");
    rooms.sort();
    let mut known = AGENT.map(str::to_owned).to_vec();
    known.sort();
    assert_eq!(rooms, known, "each room has its place in the order");
    let mut wrong = Vec::new();
    for (floor, name) in AGENT.iter().enumerate() {
        for source in files_of("agent/src", name) {
            let above = |used: &String| AGENT[floor + 1..].contains(&used.as_str());
            let found = modules_used(&source).into_iter().filter(above);
            wrong.extend(found.map(|used| format!("{} uses {used}", source.path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Modules of the analyzer.
fn modules() -> Vec<String> {
    modules_of("analyzer/src")
}

/// Modules of a crate: the folders and files of its `src`.
fn modules_of(src: &str) -> Vec<String> {
    let entries = fs::read_dir(places::workspace().join(src)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.map(|name| name.trim_end_matches(".rs").to_owned()).collect();
    names.sort();
    names.dedup();
    names.retain(|name| name != "lib" && name != "main");
    names
}

/// The files of an analyzer module, be it a folder or one file.
fn module(name: &str) -> Vec<Source> {
    files_of("analyzer/src", name)
}

/// The files of a module, be it a folder or one file.
fn files_of(src: &str, name: &str) -> Vec<Source> {
    let (folder, file) = (PathBuf::from(src).join(name), format!("{src}/{name}.rs"));
    let mine = |source: &Source| source.path.starts_with(&folder) || source.path == Path::new(&file);
    rust(src).into_iter().filter(mine).filter(|source| !is_test(source)).collect()
}

/// Whether the whole file is one of tests.
fn is_test(source: &Source) -> bool {
    let name = source.path.file_name().unwrap().to_string_lossy();
    name == "tests.rs" || name == "samples.rs" || name.ends_with("_tests.rs")
}

/// Other modules that each module of the analyzer uses, by its name.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let modules = modules();
    let used = |name: &String| {
        let all = module(name).iter().flat_map(modules_used).collect::<BTreeSet<String>>();
        all.into_iter().filter(|used| used != name && modules.contains(used)).collect()
    };
    modules.iter().map(|name| (name.clone(), used(name))).collect()
}

#[test]
fn the_analyzers_arrows_point_one_way() {
    let allowed: &[(&str, &[&str])] = &[
        ("naming", &[]),
        ("units", &[]),
        ("heap", &[]),
        ("graph", &["heap"]),
        ("marking", &["heap", "graph"]),
        ("matching", &["heap", "graph", "naming"]),
        ("ranking", &["heap", "graph"]),
        ("relations", &["heap", "graph", "naming"]),
        ("regions", &["heap", "graph", "marking", "ranking", "relations", "naming"]),
        ("tracking", &["heap", "graph", "ranking", "regions", "naming"]),
        ("suspects", &["heap", "graph"]),
        ("heap_roots", &["heap", "graph"]),
        ("structure_size", &["heap", "graph", "naming"]),
        ("structures", &["heap", "graph", "matching", "naming"]),
        ("ways", &["heap", "graph", "naming"]),
        ("holders", &["heap", "graph", "naming"]),
        ("rounds", &["heap", "graph", "matching", "regions", "naming", "report", "structures"]),
        ("report", &["naming", "tracking", "units"]),
        ("growing", &["heap", "graph", "matching", "naming", "report", "structures", "units"]),
        (
            "dump_reports",
            &[
                "heap",
                "graph",
                "matching",
                "suspects",
                "heap_roots",
                "structure_size",
                "structures",
                "ways",
                "holders",
                "growing",
                "naming",
                "report",
                "units",
            ],
        ),
        ("gate", &["naming", "report", "units"]),
        ("view", &["gate", "naming", "report", "units"]),
        ("agents", &[]),
        ("attach", &["agents"]),
        ("ingest", &["gate", "heap", "units"]),
        (
            "session",
            &[
                "heap",
                "graph",
                "marking",
                "matching",
                "ranking",
                "relations",
                "regions",
                "structures",
                "growing",
                "tracking",
                "naming",
                "report",
                "units",
            ],
        ),
        ("args", &["dump_reports", "gate", "growing", "heap", "naming", "rounds", "session", "structures"]),
        (
            "commands",
            &[
                "agents",
                "args",
                "attach",
                "dump_reports",
                "gate",
                "growing",
                "heap",
                "ingest",
                "naming",
                "report",
                "rounds",
                "session",
                "structures",
                "units",
                "view",
            ],
        ),
    ];
    let allowed: BTreeMap<&str, &[&str]> = allowed.iter().copied().collect();
    let mut wrong = Vec::new();
    for (name, used) in arrows() {
        match allowed.get(name.as_str()) {
            Some(others) => {
                let beyond = used.iter().filter(|used| !others.contains(&used.as_str()));
                wrong.extend(beyond.map(|used| format!("{name} uses {used}")));
            }
            None => wrong.push(format!("{name} has no arrows here")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_two_modules_of_the_analyzer_use_each_other() {
    assert_eq!(circle(arrows()), BTreeMap::new());
}

/// Removes modules that use none of the remaining ones, again and again: the result is empty, or a circle.
fn circle(mut left: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    while let Some(ground) = left.iter().find(|(_, used)| used.is_empty()).map(|(name, _)| name.clone()) {
        left.remove(&ground);
        left.values_mut().for_each(|used| {
            used.remove(&ground);
        });
    }
    left
}

/// Folders side by side, at any depth, of every crate.
#[test]
fn no_folders_use_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for src in CRATES {
        let mut arrows: BTreeMap<PathBuf, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for source in rust(src).iter().filter(|source| !is_test(source)) {
            for (parent, from, to) in folders_used(source, src) {
                let beside = arrows.entry(parent).or_default();
                beside.entry(to.clone()).or_default();
                beside.entry(from).or_default().insert(to);
            }
        }
        let found = arrows.into_iter().map(|(parent, beside)| (parent, circle(beside)));
        circles.extend(found.filter(|(_, circle)| !circle.is_empty()));
    }
    assert_eq!(circles, []);
}

/// The folders that a file uses next to a folder that contains it: their parent, its own folder there, and the other.
fn folders_used(source: &Source, src: &str) -> Vec<(PathBuf, String, String)> {
    let module = module_path(&source.path, src);
    let mut found = Vec::new();
    for used in paths_used(source, &module) {
        let common = module.iter().zip(&used).take_while(|(own, other)| own == other).count();
        let parent = module[..common].iter().fold(PathBuf::from(src), |path, part| path.join(part));
        let is_folder =
            |part: Option<&String>| part.is_some_and(|part| places::workspace().join(&parent).join(part).is_dir());
        if is_folder(module.get(common)) && is_folder(used.get(common)) {
            found.push((parent, module[common].clone(), used[common].clone()));
        }
    }
    found
}

/// `agent/src/probe/chain/frontier.rs` → `probe`, `chain`, `frontier`.
fn module_path(file: &Path, src: &str) -> Vec<String> {
    let within = file.strip_prefix(src).unwrap().with_extension("");
    let mut parts: Vec<String> = within.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.pop_if(|last| last == "mod" || last == "lib" || last == "main");
    parts
}

/// Paths that a file names by `crate::` or `super::`, from the crate's root on.
fn paths_used(source: &Source, module: &[String]) -> Vec<Vec<String>> {
    let code: String = source.working_lines().collect::<Vec<_>>().join("\n");
    let begins = |prefix: &'static str| code.match_indices(prefix).map(move |(at, _)| at);
    let mut found = Vec::new();
    for at in begins("crate::").chain(begins("super::").filter(|&at| !code[..at].ends_with("::"))) {
        let mut path = module.to_vec();
        let mut rest = &code[at..];
        while let Some((head, behind)) = rest.split_once("::").filter(|(head, _)| first_word(head) == *head) {
            match head {
                "crate" => path.clear(),
                "super" => drop(path.pop()),
                name => path.push(name.to_owned()),
            }
            rest = behind;
        }
        let heads = rest.strip_prefix('{').map_or_else(|| vec![first_word(rest)], heads_of_list);
        found.extend(heads.into_iter().map(|head| [path.clone(), vec![head]].concat()));
    }
    found
}

/// Text for people is made at the very end: a decision based on it would depend on its typography.
#[test]
fn the_engine_never_sees_what_people_see() {
    let mut found = Vec::new();
    for name in CORE.iter().chain(&["ingest"]) {
        let sources = module(name);
        let using = sources.iter().filter(|source| modules_used(source).iter().any(|used| used == "view"));
        found.extend(using.map(|source| source.path.display().to_string()));
    }
    assert!(found.is_empty(), "these use view:\n{}", found.join("\n"));
}

/// Reports are values. Their text is not parsed again, except to fit it to a terminal.
#[test]
fn no_text_of_a_report_is_read_back() {
    const PARTS: &[&str] = &[
        ".split(",
        ".split_once(",
        ".rsplit",
        ".strip_prefix(",
        ".strip_suffix(",
        ".find(\"",
        ".find('",
        ".starts_with(\"",
        ".starts_with('",
        ".ends_with(\"",
        ".ends_with('",
        ".contains('",
        ".contains(\"",
    ];
    let found: Vec<String> = ["session", "tracking", "regions", "relations", "report", "dump_reports"]
        .iter()
        .flat_map(|name| module(name))
        // Descriptors of fields are the JVM's.
        .filter(|source| !source.path.ends_with("regions/plan/counters.rs"))
        // Reads JSON from another process: only the sentences are there. A report in memory has its values.
        .filter(|source| !source.path.ends_with("report/sentences.rs"))
        .flat_map(|source| source.saying(PARTS))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

const CORE: [&str; 19] = [
    "heap",
    "graph",
    "marking",
    "matching",
    "ranking",
    "relations",
    "regions",
    "tracking",
    "suspects",
    "heap_roots",
    "structure_size",
    "structures",
    "ways",
    "holders",
    "dump_reports",
    "gate",
    "naming",
    "report",
    "session",
];

/// A heap is built from the wire's records, a probe plan is written in its routes, and tracking takes in its sightings.
/// Everything between works on indexes alone.
#[test]
fn graph_ranking_and_view_know_nothing_of_the_wire() {
    let may_know = |path: &std::path::Path| path.components().any(|part| part.as_os_str() == "plan");
    let found: Vec<String> = ["graph", "matching", "ranking", "regions", "relations", "view"]
        .iter()
        .flat_map(|name| module(name))
        .filter(|source| !may_know(&source.path))
        .flat_map(|source| source.saying(&["rootbound_wire"]))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_core_has_no_files_no_sockets_no_clock_no_threads_and_no_locks() {
    const OUTSIDE: &[&str] = &[
        "std::fs",
        "std::net",
        "std::io",
        "Instant::",
        "time::Instant",
        "SystemTime",
        "std::thread",
        "Mutex",
        "RwLock",
        "println!",
    ];
    let found: Vec<String> =
        CORE.iter().flat_map(|name| module(name)).flat_map(|source| source.saying(OUTSIDE)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Several threads share work with the same result whatever their number; no other part is parallel. See
/// docs/decisions/0046-two-processors-for-an-analysis.md.
#[test]
fn only_these_parts_are_parallel() {
    const PARALLEL: &[&str] = &[
        "analyzer/src/graph/mod.rs",
        "analyzer/src/graph/newness.rs",
        "analyzer/src/heap/addresses",
        "analyzer/src/heap/atomics.rs",
        "analyzer/src/heap/dumped",
        "analyzer/src/marking/strata.rs",
        "analyzer/src/ranking/attributes.rs",
        "analyzer/src/regions/collect.rs",
        "analyzer/src/regions/plan/all.rs",
        "analyzer/src/session/analysis.rs",
    ];
    let found: Vec<String> = rust("analyzer/src")
        .iter()
        .filter(|source| !PARALLEL.iter().any(|parallel| source.path.starts_with(parallel)))
        .flat_map(|source| source.saying(&["rayon"]))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Callers cannot tell such errors apart, and tests must search words. See docs/decisions/0032-errors-as-enums.md.
#[test]
fn no_error_is_a_text() {
    let is_borrowed = |error: &str| error.starts_with('&') && error.ends_with("str");
    let is_text = |error: &String| error == "String" || error.starts_with("Cow<") || is_borrowed(error);
    let mut found = Vec::new();
    for source in CRATES.iter().flat_map(|src| rust(src)).filter(|source| !is_test(source)) {
        let texts = errors_of(&source).into_iter().filter(is_text);
        found.extend(texts.map(|error| format!("{}: an error is a {error}", source.path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

const CRATES: [&str; 4] = ["wire/src", "agent/src", "analyzer/src", "tests/src"];

/// The error types of every `Result` that a file names, and of its `FromStr`.
fn errors_of(source: &Source) -> Vec<String> {
    let code: String = source.working_lines().collect::<Vec<_>>().join(" ").replace("->", "");
    let results = code.match_indices("Result<").filter_map(|(at, word)| second_argument(&code[at + word.len()..]));
    let parsed = code.split("type Err =").skip(1).filter_map(|rest| rest.split(';').next());
    results.chain(parsed).map(|error| error.trim().to_owned()).collect()
}

/// The second of a type's arguments, whose opening bracket is already read.
fn second_argument(text: &str) -> Option<&str> {
    let (mut depth, mut begins) = (0, None);
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' if depth == 0 => return begins.map(|begins: usize| text[begins..at].trim().trim_end_matches(',')),
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 && begins.is_none() => begins = Some(at + 1),
            _ => {}
        }
    }
    None
}

#[test]
fn texts_as_errors_are_found() {
    let text = "fn a() -> Result<\n    Vec<(u8, u8)>,\n    &'static str,\n>;\n\
                fn b() -> Result<(), Option<Result<u8, String>>>;\n\
                type Err = Cow<'static, str>;";
    let source = Source { path: PathBuf::new(), text: text.to_owned() };
    let expected = ["&'static str", "Option<Result<u8, String>>", "String", "Cow<'static, str>"];
    assert_eq!(errors_of(&source), expected);
}

#[test]
fn agent_and_analyzer_meet_only_on_the_wire() {
    let read = |path: &str| fs::read_to_string(places::workspace().join(path)).unwrap();
    let dependencies = |manifest: &str| manifest.split_once("[dependencies]").unwrap().1.to_owned();
    let agent = dependencies(&read("agent/Cargo.toml"));
    let names = agent.lines().map(first_word_of_key);
    assert!(!names.into_iter().any(|name| name == "rootbound"), "the agent depends on the analyzer");
    assert!(
        !dependencies(&read("analyzer/Cargo.toml")).contains("rootbound-agent"),
        "the analyzer depends on the agent"
    );
    let wire = dependencies(&read("wire/Cargo.toml"));
    assert!(!wire.contains("rootbound"), "the wire depends on one of its users");
}

/// The name of a dependency: the text before `=` or `.`.
fn first_word_of_key(line: &str) -> &str {
    line.split(['=', '.', ' ']).next().unwrap_or("")
}

#[test]
fn unsafe_lives_at_the_border_and_in_os() {
    const ALLOWED: [&str; 3] = ["agent/src/jvmti", "agent/src/os", "agent/src/entry.rs"];
    let found: Vec<String> = ["wire", "agent", "analyzer", "tests"]
        .iter()
        .flat_map(|folder| rust(folder))
        .filter(|source| !ALLOWED.iter().any(|place| source.path.starts_with(place)))
        .flat_map(|source| source.saying(&["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern", "allow(unsafe"]))
        .filter(|line| !line.starts_with("tests/tests/structure.rs"))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_file_names_a_path_of_somebodys_machine_or_leaves_a_todo() {
    // Assembled here, so that this file does not find itself.
    let banned = ["/ro+ot/", "/wo+rk/", "/ho+me/", "TO+DO", "FIX+ME"].map(|word| word.replace('+', ""));
    let mut found = Vec::new();
    for source in sources("", &[".rs", ".toml", ".md", ".java", "/run", "setup", "demo", "test", "run"]) {
        let lines = source.text.lines().filter(|line| banned.iter().any(|word| line.contains(word.as_str())));
        found.extend(lines.map(|line| format!("{}: {line}", source.path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn analysis_and_agent_know_no_class_by_name() {
    // Container classes of the JDK and of the test apps: ranking or probing by name would be fitted to the tests.
    const NAMES: &[&str] = &[
        "simpleleaker",
        "ActiveOrders",
        "EditorManager",
        "WorkbenchPage",
        "SymbolTable",
        "BoundedCache",
        "HashMap$",
        "java.util.",
        "java/util/",
        "Ljava/util",
        // The module on the JDK's collections is for names that people read.
        "naming::collections",
        "collections::is_",
        "collections::members",
    ];
    let mut found = Vec::new();
    for source in ["marking", "ranking", "regions", "relations", "tracking"]
        .iter()
        .flat_map(|name| module(name))
        .chain(rust("agent/src"))
    {
        if !source.path.ends_with("tests.rs") && !source.path.components().any(|part| part.as_os_str() == "tests") {
            found.extend(source.saying(NAMES));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_source_file_opens_by_saying_what_it_is() {
    let silent: Vec<String> = ["wire", "agent", "analyzer", "tests"]
        .iter()
        .flat_map(|folder| rust(folder))
        .filter(|source| !source.text.starts_with("//!"))
        .map(|source| source.path.display().to_string())
        .collect();
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
