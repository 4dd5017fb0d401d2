//! Where the library for a JVM comes from: the file that the user names, one beside this program or in its folder of
//! libraries, or the one within the program.

use super::error::AgentError;
use super::libc::Libc;
use super::packed::Packed;
use std::borrow::Cow;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Where packages put the libraries, seen from the program's folder.
const LIBRARIES: &str = "../lib/rootbound";

/// A library for a C library.
#[derive(Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Within this program.
    Packed(&'static Packed),
}

impl Source {
    /// The library that is asked for, or the one for this C library.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(libc: Libc, asked: Option<&Path>) -> Result<Self, AgentError> {
        if let Some(path) = asked {
            let found = path.canonicalize().ok().filter(|path| path.is_file());
            return found.map(Self::File).ok_or_else(|| AgentError::NoFile(path.to_owned()));
        }
        let looked = near(libc);
        // A file beside the program is a developer's newest build.
        let file = looked.iter().find_map(|path| path.canonicalize().ok().filter(|path| path.is_file()));
        let packed = || Packed::find(libc).map(Self::Packed);
        file.map(Self::File).or_else(packed).ok_or(AgentError::None { libc, looked })
    }

    /// The library's bytes.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn bytes(&self) -> Result<Cow<'static, [u8]>, AgentError> {
        let (path, bytes) = match self {
            Self::File(path) => (path.clone(), fs::read(path)),
            Self::Packed(packed) => (env::current_exe().unwrap_or_default(), packed.unpack()),
        };
        bytes.map(Cow::Owned).map_err(|source| AgentError::File { path, source })
    }
}

/// The files for this C library that may lie near this program.
fn near(libc: Libc) -> Vec<PathBuf> {
    let program = env::current_exe().unwrap_or_default();
    let folder = program.parent().unwrap_or(Path::new(""));
    vec![folder.join(libc.library()), folder.join(LIBRARIES).join(libc.library())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_asked_for_and_is_not_there_is_named() {
        let error = Source::find(Libc::Glibc, Some(Path::new("/nowhere/agent.so"))).unwrap_err().to_string();
        assert!(error.contains("/nowhere/agent.so") && error.contains("--agent"), "{error}");
    }

    #[test]
    fn it_is_looked_for_beside_the_program_and_in_its_folder_of_libraries() {
        let looked = near(Libc::Musl);
        assert!(looked[0].ends_with("librootbound_agent-musl.so"));
        assert!(looked[1].ends_with("../lib/rootbound/librootbound_agent-musl.so"));
        let error = AgentError::None { libc: Libc::Musl, looked }.to_string();
        assert!(error.contains("no agent for JVMs with musl") && error.contains("lib/rootbound"), "{error}");
    }
}
