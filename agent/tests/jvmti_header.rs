//! The JVMTI slots, bits and constants in use, compared with the `jvmti.h` of the JDK at hand.
#![allow(clippy::expect_used)]

use rootbound_agent::jvmti::abi;
use std::path::PathBuf;

fn header() -> Option<String> {
    let homes = [std::env::var_os("JAVA_HOME").map(PathBuf::from), Some("/usr/lib/jvm/java-17-openjdk-amd64".into())];
    let found = homes.into_iter().flatten().find_map(|home| std::fs::read_to_string(home.join("include/jvmti.h")).ok());
    if found.is_none() {
        println!("skipped: no jvmti.h (set JAVA_HOME)");
    }
    found
}

#[test]
fn every_slot_holds_the_function_of_its_name() {
    let Some(header) = header() else { return };
    let (_, header) = header.split_once("typedef struct jvmtiInterface_1_").expect("the table");
    for (name, slot) in abi::SLOTS_IN_USE {
        let (_, rest) = header.split_once(&format!("/*   {slot} : ")).expect("the slot");
        let declared = rest.split_once("*/").expect("a comment").1.trim_start();
        assert!(declared.starts_with(&format!("jvmtiError (JNICALL *{name}) ")), "slot {slot} is not {name}");
    }
}

#[test]
fn bits_and_constants_agree() {
    let Some(header) = header() else { return };
    let bits: Vec<&str> = header.lines().filter(|line| line.contains("unsigned int can_")).collect();
    assert!(bits[abi::CAN_TAG_OBJECTS_BIT].contains(" can_tag_objects "));
    assert!(bits[abi::CAN_GET_SOURCE_FILE_NAME_BIT].contains(" can_get_source_file_name "));
    assert!(bits[abi::CAN_GET_LINE_NUMBERS_BIT].contains(" can_get_line_numbers "));
    assert!(bits[abi::CAN_SAMPLE_ALLOCATIONS_BIT].contains(" can_generate_sampled_object_alloc_events "));
    assert!(bits[abi::CAN_GENERATE_GC_EVENTS_BIT].contains(" can_generate_garbage_collection_events "));
    for constant in [
        format!("JVMTI_EVENT_VM_INIT = {},", abi::EVENT_VM_INIT),
        format!("JVMTI_EVENT_VM_DEATH = {},", abi::EVENT_VM_DEATH),
        format!("JVMTI_EVENT_GARBAGE_COLLECTION_START = {},", abi::EVENT_GC_START),
        format!("JVMTI_EVENT_GARBAGE_COLLECTION_FINISH = {},", abi::EVENT_GC_FINISH),
        format!("JVMTI_EVENT_SAMPLED_OBJECT_ALLOC = {},", abi::EVENT_SAMPLED_ALLOCATION),
        format!("JVMTI_VERSION_11  = {:#010X}", abi::VERSION_11).replace("0X", "0x"),
        format!("JVMTI_VISIT_OBJECTS = {:#x}", abi::VISIT_OBJECTS),
        format!("JVMTI_VISIT_ABORT = {:#x}", abi::VISIT_ABORT),
    ] {
        assert!(header.contains(&constant), "{constant}");
    }
}
