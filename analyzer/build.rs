//! Packs the agent's libraries into the program: those in the folder `ROOTBOUND_AGENTS`, one for each C library.
//! Without the variable the program holds none, and looks for them beside itself.

use lzma_rust2::{LzipOptions, LzipWriter};
use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const VARIABLE: &str = "ROOTBOUND_AGENTS";
/// The variants of `Libc`, and the library's file for each.
const FILES: [(&str, &str); 2] = [("Glibc", "librootbound_agent.so"), ("Musl", "librootbound_agent-musl.so")];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?);
    let (mut table, mut all) = (String::new(), Vec::new());
    if let Some(folder) = env::var_os(VARIABLE) {
        for (libc, name) in FILES {
            let from = all.len();
            all.extend(read(&Path::new(&folder).join(name))?);
            table += &format!("    Packed {{ libc: Libc::{libc}, place: {from}..{} }},\n", all.len());
        }
    }
    let stream = out.join("agents.lz");
    pack(&all, &stream)?;
    let stream = format!("static STREAM: &[u8] = include_bytes!({stream:?});\n");
    fs::write(out.join("packed.rs"), format!("{stream}static PACKED: &[Packed] = &[\n{table}];\n"))
}

fn read(library: &Path) -> io::Result<Vec<u8>> {
    println!("cargo::rerun-if-changed={}", library.display());
    fs::read(library).map_err(|error| io::Error::other(format!("{}: {error}", library.display())))
}

/// Neither time nor name goes into the packed file, so that equal libraries give equal programs. The dictionary of this
/// preset, 8 MiB, holds all of them; larger ones cost memory when they are unpacked.
fn pack(all: &[u8], packed: &Path) -> io::Result<()> {
    let mut encoder = LzipWriter::new(File::create(packed)?, LzipOptions::with_preset(6));
    encoder.write_all(all)?;
    encoder.finish()?;
    Ok(())
}
