//! `rootbound man`: one manual page for the program, and one for each verb.

use crate::args::{Cli, ManArgs};
use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::fs;
use std::io;
use std::process::ExitCode;

/// Writes the pages.
pub(crate) fn man(args: &ManArgs) -> anyhow::Result<ExitCode> {
    fs::create_dir_all(&args.folder).with_context(|| format!("cannot create {}", args.folder.display()))?;
    for (name, page) in pages().context("cannot render a manual page")? {
        let file = args.folder.join(name);
        fs::write(&file, page).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// File names and texts of all pages. The same program gives the same bytes.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let version = format!("rootbound {}", program.get_version().unwrap_or_default());
    let verbs = program.get_subcommands().cloned().collect::<Vec<_>>();
    std::iter::once(program).chain(verbs).map(|command| page(command, &version)).collect()
}

fn page(command: Command, version: &str) -> io::Result<(String, Vec<u8>)> {
    let has_verbs = command.has_subcommands();
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let man = Man::new(command).source(version).manual("Rootbound");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if has_verbs {
        man.render_subcommands_section(&mut text)?;
    }
    append(&mut text, &notes)?;
    Ok((man.get_filename(), text))
}

/// Appends the examples and what follows them line by line: a paragraph would lose their columns.
fn append(page: &mut Vec<u8>, notes: &str) -> io::Result<()> {
    let mut roff = Roff::new();
    for paragraph in notes.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
        let examples = paragraph.strip_prefix("Examples:\n").map(|lines| ("EXAMPLES", lines));
        let statuses = || paragraph.strip_prefix("Exit status: ").map(|lines| ("EXIT STATUS", lines));
        let (heading, lines) = examples.or_else(statuses).unwrap_or(("NOTES", paragraph));
        roff.control("SH", [heading]).control("nf", []);
        lines.lines().for_each(|line| {
            roff.text([roman(line)]);
        });
        roff.control("fi", []);
    }
    roff.to_writer(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_verb_has_a_page_with_its_options_and_examples() {
        let pages = pages().unwrap();
        let text = |name: &str| {
            let page = &pages.iter().find(|(file, _)| file == name).unwrap_or_else(|| panic!("no {name}")).1;
            String::from_utf8(page.clone()).unwrap()
        };
        for verb in Cli::command().get_subcommands() {
            let page = text(&format!("rootbound-{}.1", verb.get_name()));
            assert!(page.contains(".SH EXAMPLES"), "{page}");
            for option in verb.get_arguments().filter_map(clap::Arg::get_long) {
                assert!(page.contains(&format!("\\-\\-{}", option.replace('-', "\\-"))), "--{option}: {page}");
            }
        }
        assert!(text("rootbound.1").contains("rootbound\\-watch(1)"));
    }
}
