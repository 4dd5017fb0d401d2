//! Flags by which a JVM forbids to load an agent, from all places where HotSpot reads them, in its order.

use super::jvm::Jvm;
use std::path::Path;

/// Options that take the next argument as their value, before the main class.
const WITH_VALUE: &[&str] = &[
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--enable-native-access",
    "--add-reads",
    "--add-exports",
    "--add-opens",
    "--limit-modules",
    "--patch-module",
    "-d",
    "--describe-module",
    "--source",
];

/// The flag that forbids it; the last word on each counts.
#[must_use]
pub fn forbids_agents(jvm: &Jvm) -> Option<&'static str> {
    let mut options: Vec<String> = Vec::new();
    let of_variable = |name: &str| jvm.variable(name).map(|text| words(&text)).unwrap_or_default();
    options.extend(of_variable("JAVA_TOOL_OPTIONS"));
    options.extend(of_variable("JDK_JAVA_OPTIONS"));
    options.extend(own_options(&jvm.arguments, |file| argument_file(jvm, file)).0);
    options.extend(of_variable("_JAVA_OPTIONS"));
    forbidding(&options)
}

/// The main class, or the file name of the jar; arguments of the program are never looked at.
#[must_use]
pub fn main_name(jvm: &Jvm) -> String {
    let main = own_options(&jvm.arguments, |file| argument_file(jvm, file)).1;
    let name = main.or_else(|| jvm.arguments.first().cloned()).unwrap_or_default();
    name.rsplit('/').next().unwrap_or_default().to_owned()
}

fn argument_file(jvm: &Jvm, file: &str) -> Option<String> {
    jvm.files().ok()?.text(&jvm.working_folder()?.join(Path::new(file)))
}

fn forbidding(options: &[String]) -> Option<&'static str> {
    let last = |on: &str, off: &str| options.iter().rev().find(|option| [on, off].contains(&option.as_str())).cloned();
    let (disabled, enabled) = ("-XX:+DisableAttachMechanism", "-XX:-DisableAttachMechanism");
    if last(disabled, enabled).as_deref() == Some(disabled) {
        return Some(disabled);
    }
    let (off, on) = ("-XX:-EnableDynamicAgentLoading", "-XX:+EnableDynamicAgentLoading");
    (last(on, off).as_deref() == Some(off)).then_some(off)
}

/// The options before the main class, and the main class (`module/class`, or the jar).
fn own_options(arguments: &[String], read: impl Fn(&str) -> Option<String>) -> (Vec<String>, Option<String>) {
    let mut rest: Vec<String> = Vec::new();
    for argument in arguments.iter().skip(1) {
        // The launcher reads files only before the main class; a file behind it is harmless here.
        match argument.strip_prefix('@').and_then(&read) {
            Some(text) => rest.extend(words(&text)),
            None => rest.push(argument.clone()),
        }
    }
    let (mut options, mut rest) = (Vec::new(), rest.into_iter());
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "-jar" | "-m" | "--module" => return (options, rest.next()),
            with_value if WITH_VALUE.contains(&with_value) => drop(rest.next()),
            option if option.starts_with('-') => options.push(argument),
            _ => return (options, Some(argument)),
        }
    }
    (options, None)
}

/// Words between white space; quotes hold them together.
fn words(text: &str) -> Vec<String> {
    let (mut all, mut word, mut quote) = (Vec::new(), String::new(), None);
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None if letter.is_whitespace() => all.push(std::mem::take(&mut word)),
            _ => word.push(letter),
        }
    }
    all.push(word);
    all.retain(|word| !word.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> (Vec<String>, Option<String>) {
        own_options(&words(line), |file| (file == "args").then(|| "-Xmx1g -XX:+DisableAttachMechanism".to_owned()))
    }

    #[test]
    fn the_main_class_ends_the_options() {
        assert_eq!(of("java -cp a:b -Xmx1g shop.Main -XX:+DisableAttachMechanism").1.as_deref(), Some("shop.Main"));
        assert_eq!(of("java -Xrs -jar /opt/shop.jar --port 1").1.as_deref(), Some("/opt/shop.jar"));
        assert_eq!(of("java -p mods -m shop/shop.Main").1.as_deref(), Some("shop/shop.Main"));
        assert_eq!(of("java").1, None);
    }

    #[test]
    fn only_options_of_the_jvm_forbid_and_the_last_one_counts() {
        let forbids = |line: &str| forbidding(&of(line).0);
        assert_eq!(forbids("java Main -XX:+DisableAttachMechanism"), None);
        assert_eq!(forbids("java @args Main"), Some("-XX:+DisableAttachMechanism"));
        assert_eq!(forbids("java @args -XX:-DisableAttachMechanism Main"), None);
        assert_eq!(forbids("java -XX:-EnableDynamicAgentLoading Main"), Some("-XX:-EnableDynamicAgentLoading"));
        assert_eq!(forbids("java -XX:-EnableDynamicAgentLoading -XX:+EnableDynamicAgentLoading Main"), None);
    }

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(words("-Da='x y'  \"-Xmx1g\"\n-b"), ["-Da=x y", "-Xmx1g", "-b"]);
    }
}
