//! The identity of the JVM, found without running Java code.

use crate::jvmti::env::Env;
use crate::platform::collector::gc;
use rootbound_wire::message::Hello;

/// The first message; `incapable` is the reason why nothing can be captured, if there is one.
pub fn hello(env: &Env, incapable: Option<String>) -> Hello {
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
    }
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
