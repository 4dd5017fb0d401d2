//! Reads the complaints of `-Xcheck:jni`, and separates the agent's faults from those of the JDK's own native code.

/// Complaints in a JVM's output that name rootbound, or that come from a thread without a Java frame: the agent's.
pub fn complaints(output: &str) -> Vec<String> {
    let lines: Vec<&str> = output.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_complaint(line)) {
        let frames = lines[at + 1..].iter().take_while(|line| line.trim_start().starts_with("at "));
        let with_frames: Vec<&str> = std::iter::once(*line).chain(frames.copied()).collect();
        let names_us = with_frames.iter().any(|line| line.to_lowercase().contains("rootbound"));
        let from_native_thread = with_frames.len() == 1 && line.to_lowercase().contains("jni");
        let fatal = line.starts_with("FATAL ERROR");
        if names_us || from_native_thread || fatal {
            found.push(with_frames.join("\n"));
        }
    }
    found
}

/// Beginnings of what the JVM says of every late agent (JEP 451) and of every native library (JEP 472).
const NO_COMPLAINTS: [&str; 2] =
    ["WARNING: A JVM TI agent has been loaded dynamically", "WARNING: java.lang.System::load has been called"];

fn is_complaint(line: &str) -> bool {
    let is_usual = NO_COMPLAINTS.iter().any(|beginning| line.starts_with(beginning));
    line.starts_with("WARNING") && !is_usual || line.starts_with("FATAL ERROR in native method")
}

#[cfg(test)]
mod tests {
    use super::complaints;

    #[test]
    fn a_warning_from_a_thread_without_java_frames_is_ours() {
        let output = "hello\nWARNING: JNI local refs: 65, exceeds capacity: 64\nbye\n";
        assert_eq!(complaints(output), ["WARNING: JNI local refs: 65, exceeds capacity: 64"]);
    }

    #[test]
    fn a_warning_about_the_jdks_own_code_is_not() {
        let output =
            "WARNING: JNI local refs: 33, exceeds capacity: 32\n\tat java.lang.System.initProperties(Native Method)\n";
        assert!(complaints(output).is_empty());
    }

    #[test]
    fn what_the_jvm_says_of_every_late_agent_is_none() {
        let output = "WARNING: A JVM TI agent has been loaded dynamically (/opt/librootbound_agent.so)\n\
                      WARNING: java.lang.System::load has been called by rootbound.junit.Natives\n";
        assert!(complaints(output).is_empty());
    }

    #[test]
    fn a_fatal_error_is_ours_whoever_was_calling() {
        assert_eq!(complaints("FATAL ERROR in native method: Bad global or local ref\n\tat Main.main\n").len(), 1);
    }
}
