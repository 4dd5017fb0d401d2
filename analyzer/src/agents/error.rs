//! The reasons why there is no library for a JVM. Each has a remedy.

use super::elf::Release;
use super::libc::Libc;
use std::io;
use std::path::PathBuf;

/// The reason why no library was chosen.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The library that the user names.
    #[error("there is no agent library at {}; name it with --agent FILE", .0.display())]
    NoFile(PathBuf),
    /// None for this C library.
    #[error(
        "this build of Rootbound has no agent for JVMs with {libc}: there is no {}; released packages have one, or name \
         a library with --agent FILE",
        list(.looked)
    )]
    None {
        /// The JVM's C library.
        libc: Libc,
        /// Where it was looked for.
        looked: Vec<PathBuf>,
    },
    /// Linked with another C library.
    #[error("the agent library {} is linked with {linked}, and the JVM has {has}", path.display())]
    OtherLibc {
        /// The library.
        path: PathBuf,
        /// Its C library.
        linked: Libc,
        /// The JVM's.
        has: Libc,
    },
    /// The C library is too old.
    #[error(
        "the agent needs glibc {needs}, and the JVM has glibc {has}: take the library of a released package, or build \
         one on a system that is no newer than the JVM's"
    )]
    OldGlibc {
        /// The release that the library needs.
        needs: Release,
        /// The release that the JVM has.
        has: Release,
    },
    /// Another processor.
    #[error("the agent library is made for {library}, and the JVM for {jvm}: take the Rootbound for {jvm}")]
    OtherMachine {
        /// The processor of the library.
        library: &'static str,
        /// The processor of the JVM.
        jvm: &'static str,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// No folder for the unpacked library.
    #[error(
        "no folder can hold the agent library: {0}; set XDG_CACHE_HOME to one from which programs may run, or write the \
         library elsewhere with `rootbound unpack FOLDER` and name it with --agent FILE"
    )]
    NoFolder(String),
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" or ")
}
