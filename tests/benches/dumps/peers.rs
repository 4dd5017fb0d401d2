//! The programs that are compared: this one, and others from a registry.

use e2e::places;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments before the dump on its command line.
type Arguments = &'static [&'static str];

/// A program to compare.
pub struct Peer {
    /// Its name in the table.
    pub name: &'static str,
    file: PathBuf,
    arguments: Arguments,
}

impl Peer {
    /// The command for one dump.
    pub fn command(&self, dump: &Path) -> Command {
        let mut command = Command::new(&self.file);
        command.args(self.arguments).arg(dump);
        command
    }
}

/// Others, by the name of their package and their program.
const OTHERS: [(&str, &str, Arguments); 2] = [
    ("hprof-analyzer (dominators, suspects)", "hprof-analyzer", &[]),
    ("hprof-slurp (a histogram, no graph)", "hprof-slurp", &[]),
];

fn folder() -> PathBuf {
    places::target().join("peers")
}

/// Installs the missing ones.
pub fn install() {
    for (_, package, _) in OTHERS {
        let status = Command::new("cargo")
            .args(["install", "--quiet", "--locked", "--root"])
            .arg(folder())
            .arg(package)
            .status();
        if !status.is_ok_and(|status| status.success()) {
            eprintln!("{package} could not be installed");
        }
    }
}

/// Our own verbs; the others are compared with the first.
const OURS: [(&str, Arguments); 4] = [
    ("rootbound suspects", &["suspects"]),
    ("rootbound analyze (exact sizes of classes, too)", &["analyze"]),
    ("rootbound structures", &["structures"]),
    ("rootbound structures --by (a tree, too)", &["structures", "--by", "type, place, leaves(type)"]),
];

/// The programs at hand, ours first.
pub fn at_hand() -> Vec<Peer> {
    let ours = OURS.map(|(name, arguments)| Peer { name, file: places::rootbound(), arguments });
    let others =
        OTHERS.map(|(name, program, arguments)| Peer { name, file: folder().join("bin").join(program), arguments });
    ours.into_iter().chain(others.into_iter().filter(|peer| peer.file.is_file())).collect()
}
