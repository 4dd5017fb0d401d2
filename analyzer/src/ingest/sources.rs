//! The user's source files: finds the file of a class by its package, so that findings lead to a line of code.

use crate::gate::{SourceLine, Wanted};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Entries of the folders that are visited at most: a wrong folder must not be searched for hours.
const MOST_ENTRIES: usize = 1_000_000;

/// Endings of source files of JVM languages.
const ENDINGS: [&str; 4] = ["java", "kt", "scala", "groovy"];

/// Source files by their names.
#[derive(Debug, Default)]
pub struct Sources {
    files: BTreeMap<String, Vec<PathBuf>>,
}

impl Sources {
    /// The source files below the folders. Links are not followed, and hidden folders are left out. Paths become
    /// relative to `here` where they are below it.
    #[must_use]
    pub fn below(folders: &[PathBuf], here: Option<&Path>) -> Self {
        let mut sources = Self::default();
        let entries = folders.iter().flat_map(|folder| {
            // The folder itself may be `.`, which is no hidden one.
            let walk = WalkDir::new(folder).into_iter();
            walk.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry)).filter_map(Result::ok)
        });
        for entry in entries.take(MOST_ENTRIES).filter(|entry| entry.file_type().is_file()) {
            let is_source = entry.path().extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
            if let Some(name) = entry.file_name().to_str().filter(|_| is_source) {
                sources.files.entry(name.to_owned()).or_default().push(relative(entry.path(), here));
            }
        }
        sources
    }

    /// The wanted line or file; `None` where no file, or more than one, fits.
    #[must_use]
    pub fn line_of(&self, wanted: &Wanted<'_>) -> Option<SourceLine> {
        match wanted {
            Wanted::Line(frame) => {
                let file = self.file(&frame.class, frame.file.as_deref()?)?;
                Some(SourceLine { file, line: frame.line })
            }
            Wanted::Class(class) => {
                let outer = class.rsplit('.').next()?.split('$').next()?;
                let mut found = ENDINGS.iter().filter_map(|ending| self.file(class, &format!("{outer}.{ending}")));
                let file = found.next().filter(|_| found.next().is_none())?;
                Some(SourceLine { file, line: None })
            }
        }
    }

    /// The only file of this name in a folder that ends with the package of the class.
    fn file(&self, class: &str, name: &str) -> Option<String> {
        let package = class.rsplit_once('.').map_or("", |(package, _)| package).replace('.', "/");
        let in_package =
            |path: &&PathBuf| path.parent().is_some_and(|parent| package.is_empty() || parent.ends_with(&package));
        let mut found = self.files.get(name)?.iter().filter(in_package);
        let file = found.next().filter(|_| found.next().is_none())?;
        file.to_str().map(str::to_owned)
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().to_str().is_none_or(|name| name.starts_with('.'))
}

fn relative(path: &Path, here: Option<&Path>) -> PathBuf {
    let path = path.strip_prefix(".").unwrap_or(path);
    here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Frame;
    use std::fs;

    fn tree(files: &[&str]) -> (tempfile::TempDir, Sources) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let sources = Sources::below(&[folder.path().to_owned()], Some(folder.path()));
        (folder, sources)
    }

    fn line(sources: &Sources, class: &str, file: Option<&str>) -> Option<String> {
        let frame =
            Frame { class: class.to_owned(), method: "add".to_owned(), file: file.map(str::to_owned), line: Some(8) };
        sources.line_of(&Wanted::Line(&frame)).map(|found| format!("{}:{}", found.file, found.line.unwrap()))
    }

    #[test]
    fn a_frame_leads_to_the_only_file_of_its_package() {
        let (_folder, sources) = tree(&[
            "shop/src/main/java/com/example/Shop.java",
            "other/src/main/java/org/example/Shop.java",
            "Main.java",
            ".git/com/example/Cart.java",
            "shop/src/main/java/com/example/notes.txt",
        ]);
        let found = |class, file| line(&sources, class, Some(file));
        assert_eq!(found("com.example.Shop$Cart", "Shop.java").unwrap(), "shop/src/main/java/com/example/Shop.java:8");
        assert_eq!(found("Main", "Main.java").unwrap(), "Main.java:8");
        for (class, file) in [
            ("net.example.Shop", "Shop.java"),
            ("com.example.Cart", "Cart.java"),
            ("com.example.notes", "notes.txt"),
            ("com.example.Shop", "../Shop.java"),
        ] {
            assert_eq!(found(class, file), None, "{class}");
        }
        assert_eq!(line(&sources, "com.example.Shop", None), None);
    }

    #[test]
    fn two_files_that_fit_are_no_answer() {
        let (_folder, sources) = tree(&["a/com/example/Shop.java", "b/com/example/Shop.java"]);
        assert_eq!(line(&sources, "com.example.Shop", Some("Shop.java")), None);
    }

    #[test]
    fn a_class_leads_to_its_file() {
        let (_folder, sources) = tree(&["src/com/example/Shop.java", "src/com/example/Cart.kt"]);
        let file = |class: &str| sources.line_of(&Wanted::Class(class)).map(|found| found.file);
        assert_eq!(file("com.example.Shop$Item").unwrap(), "src/com/example/Shop.java");
        assert_eq!(file("com.example.Cart").unwrap(), "src/com/example/Cart.kt");
        assert_eq!(file("com.example.Order"), None);
    }
}
