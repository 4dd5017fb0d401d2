//! The list of `rootbound ps`.

use super::dump::rows::{Table, wrapped};
use crate::report::processes::JvmLine;
use crate::units;

/// For people.
#[must_use]
pub fn table(jvms: &[JvmLine], columns: usize) -> String {
    let mut out = String::new();
    if jvms.is_empty() {
        wrapped(&mut out, "no JVM runs here that this user may see", columns);
        return out;
    }
    let mut table = Table::new(&["PID", "user", "uptime", "memory", "machine", "program"]);
    for jvm in jvms {
        let pid = match jvm.inner_pid {
            Some(inner) => format!("{} ({inner} in its container)", jvm.pid),
            None => jvm.pid.to_string(),
        };
        let program = match &jvm.obstacle {
            Some(obstacle) => format!("{}: {obstacle}", jvm.main),
            None => jvm.main.clone(),
        };
        let (uptime, memory) = (units::duration_s(jvm.age_s as f64), units::bytes(jvm.resident_bytes as f64));
        table.row(vec![pid, jvm.user.clone(), uptime, memory, jvm.machine.clone(), program]);
    }
    table.write(&mut out, columns);
    out
}

/// For other programs: an array of objects.
///
/// # Errors
/// Never for these values; the serializer could.
pub fn json(jvms: &[JvmLine]) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(jvms)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jvm(pid: i32, obstacle: Option<&str>) -> JvmLine {
        JvmLine {
            pid,
            inner_pid: (pid == 7).then_some(1),
            user: "shop".to_owned(),
            age_s: 3_700,
            machine: "HotSpot 17".to_owned(),
            resident_bytes: 300 << 20,
            main: "shop.jar".to_owned(),
            obstacle: obstacle.map(str::to_owned),
        }
    }

    #[test]
    fn each_jvm_has_a_line_and_its_obstacle_a_reason() {
        let text = table(&[jvm(7, None), jvm(4711, Some("process 4711 belongs to user x"))], 100);
        assert!(text.contains("7 (1 in its container)") && text.contains("HotSpot 17"), "{text}");
        assert!(text.contains("shop.jar: process 4711 belongs to user x"), "{text}");
        assert_eq!(table(&[], 80), "no JVM runs here that this user may see\n");
    }

    #[test]
    fn json_has_every_field() {
        let value: serde_json::Value = serde_json::from_str(&json(&[jvm(1, None)]).unwrap()).unwrap();
        assert_eq!(value[0]["obstacle"], serde_json::Value::Null);
        assert_eq!(value[0]["age_s"], 3_700);
    }
}
