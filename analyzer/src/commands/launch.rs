//! Start of a command with the agent: on the command line of a Java launcher, in `JDK_JAVA_OPTIONS` otherwise.

use anyhow::bail;
use rootbound::agents::libc::Libc;
use rootbound::agents::store;
use rootbound_wire::endpoint::Endpoint;
use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Options that every `java` launcher since JDK 9 reads before its own.
const OPTIONS_VARIABLE: &str = "JDK_JAVA_OPTIONS";

/// The command to start.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Launch {
    /// The program.
    pub(crate) program: OsString,
    /// Its arguments.
    pub(crate) arguments: Vec<OsString>,
    /// A variable to set, when the agent is loaded by it.
    pub(crate) variable: Option<(&'static str, OsString)>,
}

/// The agent library for this program: the requested one, or one for the program's C library.
pub(crate) fn agent_for(program: Option<&OsStr>, asked: Option<&Path>) -> anyhow::Result<PathBuf> {
    let libc = program.and_then(|program| Libc::of_program(&resolved(program)?)).unwrap_or_else(Libc::of_system);
    Ok(store::installed(libc, asked)?)
}

/// The file of a program, found as `exec` finds it.
fn resolved(program: &OsStr) -> Option<PathBuf> {
    if program.as_bytes().contains(&b'/') {
        return Some(program.into());
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// The option that loads `agent` and has the analyzer's address.
pub(crate) fn agent_option(agent: &Path, endpoint: &Endpoint) -> anyhow::Result<String> {
    let Some(agent) = agent.to_str() else { bail!("the agent's path is not UTF-8: {}", agent.display()) };
    if agent.contains('=') {
        bail!("a JVM cannot load an agent whose path contains '=': {agent}");
    }
    let endpoint = endpoint.to_string();
    if endpoint.contains(',') {
        bail!("an agent cannot connect to a path that contains ',': {endpoint}");
    }
    Ok(format!("-agentpath:{agent}=connect={endpoint}"))
}

/// Puts `option` where the JVM will find it. `standing` is the present value of the options variable.
pub(crate) fn launch(command: &[OsString], option: &str, standing: Option<&OsStr>) -> anyhow::Result<Launch> {
    let Some((program, arguments)) = command.split_first() else { bail!("there is no command to run") };
    let (program, mut arguments) = (program.clone(), arguments.to_vec());
    if is_java(&program) {
        arguments.insert(0, option.into());
        return Ok(Launch { program, arguments, variable: None });
    }
    Ok(Launch { program, arguments, variable: Some((OPTIONS_VARIABLE, appended(standing, &quoted(option)?))) })
}

/// As [`launch`], with the variable of this process.
pub(crate) fn launch_here(command: &[OsString], option: &str) -> anyhow::Result<Launch> {
    launch(command, option, env::var_os(OPTIONS_VARIABLE).as_deref())
}

fn is_java(program: &OsStr) -> bool {
    Path::new(program).file_name() == Some(OsStr::new("java"))
}

fn appended(standing: Option<&OsStr>, option: &str) -> OsString {
    let mut value = standing.unwrap_or_default().to_owned();
    if !value.is_empty() {
        value.push(" ");
    }
    value.push(option);
    value
}

/// Quotes the option: the launcher splits the variable at blanks outside quotes and has no escapes.
fn quoted(option: &str) -> anyhow::Result<String> {
    match option {
        plain if !plain.contains([' ', '\t', '"', '\'']) => Ok(plain.to_owned()),
        blank if !blank.contains('"') => Ok(format!("\"{blank}\"")),
        _ => bail!("{OPTIONS_VARIABLE} cannot hold an agent option with quotes in it: {option}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn a_java_launcher_gets_the_agent_as_its_first_argument() {
        for program in ["java", "/usr/lib/jvm/17/bin/java"] {
            let launch = launch(&words(&format!("{program} -Xmx64m Main")), "-agentpath:a", None).unwrap();
            assert_eq!(launch.arguments, words("-agentpath:a -Xmx64m Main"));
            assert_eq!(launch.variable, None);
        }
    }

    #[test]
    fn any_other_program_finds_it_behind_the_options_that_stand_already() {
        let standing = OsStr::new("-Xmx64m");
        let launch = launch(&words("mvn test"), "-agentpath:/my libs/a.so", Some(standing)).unwrap();
        assert_eq!(launch.arguments, words("test"));
        assert_eq!(launch.variable, Some((OPTIONS_VARIABLE, "-Xmx64m \"-agentpath:/my libs/a.so\"".into())));
    }

    #[test]
    fn what_no_jvm_could_read_is_refused() {
        let endpoint = |text: &str| text.parse::<Endpoint>().unwrap();
        assert!(agent_option(Path::new("/a=b/agent.so"), &endpoint("unix:/x")).is_err());
        assert!(agent_option(Path::new("/agent.so"), &endpoint("unix:/x,y")).is_err());
        assert_eq!(
            agent_option(Path::new("/agent.so"), &endpoint("unix:/x")).unwrap(),
            "-agentpath:/agent.so=connect=unix:/x"
        );
        assert!(launch(&words("mvn"), "it's \"quoted\"", None).is_err());
    }

    #[test]
    fn a_missing_agent_is_named() {
        let error = agent_for(None, Some(Path::new("/nowhere/agent.so"))).unwrap_err().to_string();
        assert!(error.contains("/nowhere/agent.so") && error.contains("--agent"), "{error}");
    }

    #[test]
    fn a_program_is_found_as_exec_finds_it() {
        assert!(resolved(OsStr::new("sh")).is_some_and(|file| file.ends_with("sh") && file.is_absolute()));
        assert_eq!(resolved(OsStr::new("./gradlew")), Some(PathBuf::from("./gradlew")));
        assert_eq!(resolved(OsStr::new("no program has this name")), None);
    }
}
