//! Packs the agent's libraries into the program: those in the folder `ROOTBOUND_AGENTS`, one for each C library.
//! Without the variable the program holds none, and looks for them beside itself.

use flate2::Compression;
use flate2::write::GzEncoder;
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
    let mut table = String::new();
    if let Some(folder) = env::var_os(VARIABLE) {
        for (libc, name) in FILES {
            let packed = out.join(format!("{name}.gz"));
            pack(&Path::new(&folder).join(name), &packed)?;
            table += &format!("    Packed {{ libc: Libc::{libc}, bytes: include_bytes!({packed:?}) }},\n");
        }
    }
    fs::write(out.join("packed.rs"), format!("static PACKED: &[Packed] = &[\n{table}];\n"))
}

/// Neither time nor name goes into the packed file, so that equal libraries give equal programs.
fn pack(library: &Path, packed: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", library.display());
    let bytes = fs::read(library).map_err(|error| io::Error::other(format!("{}: {error}", library.display())))?;
    let mut encoder = GzEncoder::new(File::create(packed)?, Compression::best());
    encoder.write_all(&bytes)?;
    encoder.finish()?;
    Ok(())
}
