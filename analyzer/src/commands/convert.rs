//! `rootbound convert FILE --to FORMAT -o OUT`: a heap from any input, written for other tools. The output appears
//! under its name when it is whole, and never in the place of the input.

use crate::args::{ConvertArgs, DumpFormat};
use crate::commands::dump::read_file;
use crate::commands::naming::is_plain_target;
use anyhow::{Context, bail};
use rootbound::heap::{DumpRules, Heap};
use rootbound::ingest::dump::write;
use std::fs::{self, File, Permissions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::ExitCode;

const BUFFER_BYTES: usize = 1 << 20;

/// Reads, writes, and reports the losses.
pub(crate) fn convert(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    if are_one_file(&args.file, &args.out) {
        bail!("{} is the input: it cannot be written to", args.out.display());
    }
    if args.out.is_dir() {
        bail!("cannot write {}: it is a directory", args.out.display());
    }
    let rules = DumpRules { keeps_all: args.keep_weak, ..DumpRules::default() };
    let read = read_file(&args.file, rules)?;
    for warning in &read.warnings {
        tracing::warn!("{}: {warning}", args.file.display());
    }
    let format = match args.to {
        DumpFormat::Hprof => write::Format::Hprof,
        DumpFormat::IbmText => write::Format::IbmText,
        DumpFormat::InsaneXml => write::Format::InsaneXml,
    };
    put(&read.heap, format, &args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    tracing::info!("{} objects of {} written to {}", read.heap.object_count(), read.format, args.out.display());
    Ok(ExitCode::SUCCESS)
}

/// Whether both names lead to the same file.
fn are_one_file(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| fs::metadata(path).ok().map(|file| (file.dev(), file.ino()));
    id(one).is_some_and(|one| Some(one) == id(other))
}

fn put(heap: &Heap, format: write::Format, path: &Path) -> anyhow::Result<()> {
    if !is_plain_target(path) {
        return fill(heap, format, &File::options().write(true).open(path)?);
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Its mode results from the umask, like that of any file.
    let draft = tempfile::Builder::new()
        .prefix(".rootbound-dump-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    fill(heap, format, draft.as_file())?;
    draft.as_file().sync_all()?;
    draft.persist(path)?;
    Ok(())
}

fn fill(heap: &Heap, format: write::Format, file: &File) -> anyhow::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, file);
    write::write(heap, format, &mut out)?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const DUMP: &str = "0x1018f030 [32] java/lang/String 0x1018f050\n0x1018f050 [24] array of char\n";

    fn args(file: PathBuf, out: PathBuf) -> ConvertArgs {
        ConvertArgs { file, to: DumpFormat::InsaneXml, out, keep_weak: false }
    }

    #[test]
    fn a_dump_is_converted_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let (file, out) = (folder.path().join("a.txt"), folder.path().join("b.xml"));
        fs::write(&file, DUMP).unwrap();
        convert(&args(file, out.clone())).unwrap();
        assert!(fs::read_to_string(out).unwrap().contains("type='java.lang.String' size='32'"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn the_input_is_never_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.txt"), folder.path().join("link.txt"));
        fs::write(&file, DUMP).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(convert(&args(file.clone(), link)).unwrap_err().to_string().contains("input"));
        assert_eq!(fs::read_to_string(file).unwrap(), DUMP);
    }

    #[test]
    fn what_is_no_dump_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let (file, out) = (folder.path().join("a.txt"), folder.path().join("b.xml"));
        fs::write(&file, "hello").unwrap();
        assert!(convert(&args(file, out)).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
