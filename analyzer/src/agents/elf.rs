//! What an ELF file says of the C library that it needs or is. Any bytes are survived; bytes of another kind give
//! nothing.

use object::elf::{DT_NEEDED, EM_AARCH64, EM_X86_64, FileHeader64, Machine};
use object::read::elf::{Dyn, FileHeader, ProgramHeader, SectionTable};
use object::{Endianness, StringTable};
use std::fmt;

/// A release of glibc: 2.17.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(u32, u32);

impl Release {
    /// The oldest that is supported: RHEL 7 and Amazon Linux 2 have it, and all later systems a newer one.
    pub const OLDEST: Self = Self(2, 17);
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// A library's demands, or a C library's offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elf {
    /// The newest glibc that a symbol needs.
    pub needs: Option<Release>,
    /// The newest glibc whose symbols it defines.
    pub has: Option<Release>,
    /// Whether it needs musl's library.
    pub is_musl: bool,
    machine: Machine,
}

type Header = FileHeader64<Endianness>;
type Sections<'d> = SectionTable<'d, Header>;

impl Elf {
    /// Reads a whole file's bytes. `None` when they are no ELF file of 64 bits.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let header = Header::parse(bytes).ok()?;
        let endian = header.endian().ok()?;
        let sections = header.sections(endian, bytes).ok()?;
        Some(Self {
            needs: needed(&sections, endian, bytes),
            has: defined(&sections, endian, bytes),
            is_musl: needs_musl(&sections, endian, bytes),
            machine: header.e_machine(endian),
        })
    }

    /// The processor's name, for people.
    #[must_use]
    pub fn machine(&self) -> &'static str {
        match self.machine {
            EM_X86_64 => "x86-64",
            EM_AARCH64 => "aarch64",
            _ => "another processor",
        }
    }
}

/// The interpreter that the kernel starts a program with. The beginning of the file suffices.
#[must_use]
pub fn interpreter(head: &[u8]) -> Option<String> {
    let header = Header::parse(head).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, head).ok()?;
    let found = segments.iter().find_map(|segment| segment.interpreter(endian, head).ok()?)?;
    Some(String::from_utf8_lossy(found).into_owned())
}

fn needed(sections: &Sections<'_>, endian: Endianness, bytes: &[u8]) -> Option<Release> {
    let (files, link) = sections.gnu_verneed(endian, bytes).ok()??;
    let strings = sections.strings(endian, bytes, link).ok()?;
    let names = files.flatten().flat_map(|(_, names)| names.flatten());
    names.filter_map(|name| release(name.name(endian, strings).ok()?)).max()
}

fn defined(sections: &Sections<'_>, endian: Endianness, bytes: &[u8]) -> Option<Release> {
    let (definitions, link) = sections.gnu_verdef(endian, bytes).ok()??;
    let strings = sections.strings(endian, bytes, link).ok()?;
    let names = definitions.flatten().flat_map(|(_, names)| names.flatten());
    names.filter_map(|name| release(name.name(endian, strings).ok()?)).max()
}

/// Musl's library is `libc.so` for whoever links with it, and `libc.musl-x86_64.so.1` on Alpine.
fn needs_musl(sections: &Sections<'_>, endian: Endianness, bytes: &[u8]) -> bool {
    let libraries = libraries(sections, endian, bytes).unwrap_or_default();
    libraries.iter().any(|name| *name == b"libc.so" || name.starts_with(b"libc.musl-"))
}

fn libraries<'d>(sections: &Sections<'d>, endian: Endianness, bytes: &'d [u8]) -> Option<Vec<&'d [u8]>> {
    let (entries, link) = sections.dynamic(endian, bytes).ok()??;
    let strings: StringTable<'d> = sections.strings(endian, bytes, link).ok()?;
    let needed = entries.iter().filter(|entry| entry.d_tag(endian) == DT_NEEDED);
    Some(needed.filter_map(|entry| strings.get(u32::try_from(entry.d_val(endian)).ok()?).ok()).collect())
}

/// `GLIBC_2.17` is 2.17. Private symbols have no release.
fn release(version: &[u8]) -> Option<Release> {
    let text = std::str::from_utf8(version).ok()?.strip_prefix("GLIBC_")?;
    let mut numbers = text.split('.').map(str::parse);
    Some(Release(numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn own() -> Vec<u8> {
        std::fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    #[test]
    fn releases_are_compared_as_numbers() {
        assert!(release(b"GLIBC_2.9") < release(b"GLIBC_2.17") && release(b"GLIBC_2.3.4") == Some(Release(2, 3)));
        assert_eq!(release(b"GLIBC_PRIVATE"), None);
        assert_eq!(Release(2, 17).to_string(), "2.17");
    }

    #[test]
    fn this_test_needs_the_c_library_that_its_interpreter_belongs_to() {
        let (bytes, elf) = (own(), Elf::of(&own()).unwrap());
        let is_musl = interpreter(&bytes).is_some_and(|path| path.contains("musl"));
        assert_eq!(elf.needs.is_none(), is_musl || interpreter(&bytes).is_none());
        assert_eq!((elf.has, elf.is_musl), (None, is_musl));
    }

    #[test]
    fn other_files_are_none() {
        assert_eq!(Elf::of(b""), None);
        assert_eq!(Elf::of(b"#!/bin/sh\n"), None);
        assert_eq!(interpreter(b"\x7fELF"), None);
    }

    /// The C library of this process: it is small, and defines versions.
    fn c_library() -> Vec<u8> {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let files: Vec<_> = maps.lines().filter_map(|line| Some(line[line.find('/')?..].into())).collect();
        std::fs::read(crate::agents::libc::Libc::among(&files).expect("a test has a C library").1).unwrap()
    }

    #[test]
    fn damaged_files_are_survived() {
        let whole = c_library();
        assert_eq!(Elf::of(&whole).map(|elf| elf.machine()), Elf::of(&own()).map(|elf| elf.machine()));
        let damage = (any::<prop::sample::Index>(), 0usize..4096, any::<u8>());
        let mut runner = proptest::test_runner::TestRunner::default();
        let survived = runner.run(&damage, |(at, near, byte)| {
            let mut bytes = whole.clone();
            // Headers are near the beginning, sections near the end.
            let end = bytes.len() - 1;
            (bytes[near], bytes[end - near]) = (byte, byte);
            let kept = &bytes[..at.index(end)];
            let _ = (Elf::of(&bytes), interpreter(&bytes), Elf::of(kept), interpreter(kept));
            Ok(())
        });
        survived.expect("no damage is a panic");
    }
}
