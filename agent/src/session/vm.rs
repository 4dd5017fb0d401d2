//! The identity of the JVM, found without running Java code.

use crate::jvmti::env::Env;
use crate::platform::collector::gc;
use rootbound_wire::message::Hello;
use std::time::{SystemTime, UNIX_EPOCH};

/// The first message of an agent that was loaded `age_ms` milliseconds ago; `incapable` is the reason why nothing can
/// be captured, if there is one.
pub fn hello(env: &Env, age_ms: u64, incapable: Option<String>) -> Hello {
    let property = |name: &str| env.system_property(name).unwrap_or_default();
    let version = property("java.vm.version");
    let version = version.split(['+', '-']).next().unwrap_or_default();
    Hello {
        pid: std::process::id(),
        vm: format!("{} {version}", property("java.vm.name")),
        gc: gc().to_owned(),
        main: main_name(&property("sun.java.command")),
        agent_version: env!("CARGO_PKG_VERSION").to_owned(),
        incapable,
        loaded_unix_ms: loaded_unix_ms(age_ms),
    }
}

/// The wall clock at the load, which was `age_ms` milliseconds ago; 0 with a clock before 1970.
fn loaded_unix_ms(age_ms: u64) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX).saturating_sub(age_ms)
}

fn main_name(command: &str) -> String {
    let first = command.split_whitespace().next().unwrap_or_default();
    first.rsplit('/').next().filter(|_| first.ends_with(".jar")).unwrap_or(first).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_never_leave() {
        assert_eq!(main_name("shop.Main --password x"), "shop.Main");
        assert_eq!(main_name("/opt/app/shop.jar secret"), "shop.jar");
    }
}
