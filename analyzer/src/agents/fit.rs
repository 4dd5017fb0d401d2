//! Whether a JVM can load a library: both must be made for one processor, and the library must not need more than the
//! JVM's C library has. What cannot be read is no obstacle: the JVM's own words follow.

use super::elf::Elf;
use super::error::AgentError;
use super::libc::Libc;
use std::path::Path;

/// The reason why a JVM with this C library, whose bytes are `theirs`, cannot load the library.
#[must_use]
pub fn obstacle(library: &[u8], path: &Path, libc: Libc, theirs: &[u8]) -> Option<AgentError> {
    let (library, theirs) = (Elf::of(library)?, Elf::of(theirs)?);
    if library.machine() != theirs.machine() {
        return Some(AgentError::OtherMachine { library: library.machine(), jvm: theirs.machine() });
    }
    let linked = if library.is_musl { Libc::Musl } else { Libc::Glibc };
    if linked != libc {
        return Some(AgentError::OtherLibc { path: path.to_owned(), linked, has: libc });
    }
    let (needs, has) = (library.needs?, theirs.has?);
    (needs > has).then_some(AgentError::OldGlibc { needs, has })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn own_libc() -> (Vec<u8>, Libc) {
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        let files: Vec<_> = maps.lines().filter_map(|line| Some(line[line.find('/')?..].into())).collect();
        let (libc, file) = Libc::among(&files).expect("a test has a C library");
        (fs::read(file).unwrap(), libc)
    }

    #[test]
    fn a_library_fits_the_c_library_that_it_was_linked_with_and_no_other() {
        let own = fs::read(std::env::current_exe().unwrap()).unwrap();
        let (theirs, libc) = own_libc();
        let other = if libc == Libc::Glibc { Libc::Musl } else { Libc::Glibc };
        assert!(obstacle(&own, Path::new("a"), libc, &theirs).is_none());
        assert!(matches!(obstacle(&own, Path::new("a"), other, &theirs), Some(AgentError::OtherLibc { .. })));
        assert!(obstacle(b"", Path::new("a"), libc, &theirs).is_none(), "what cannot be read is no obstacle");
    }

    #[test]
    fn a_library_for_another_processor_is_refused() {
        let own = fs::read(std::env::current_exe().unwrap()).unwrap();
        let (mut theirs, libc) = own_libc();
        // The processor's number stands in the header's bytes 18 and 19.
        theirs[18] = theirs[18].wrapping_add(1);
        let found = obstacle(&own, Path::new("a"), libc, &theirs).unwrap().to_string();
        assert!(found.contains("made for"), "{found}");
    }
}
