//! A file that is full, thinned, rotated, and given up, without a JVM.

use super::super::names::older;
use super::*;
use crossbeam_channel::{Receiver, bounded};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rootbound_wire::class_table::{DECLARATIONS, Declared, ROWS};
use rootbound_wire::frame::FrameReader;
use rootbound_wire::graph::Chunk;
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::{CaptureMethod, ClassRecord, GcFinished};
use rootbound_wire::packing;

struct Scene {
    _folder: tempfile::TempDir,
    path: PathBuf,
    file: RecordFile,
    events: Receiver<Event>,
}

fn scene(asked: impl FnOnce(Recording) -> Recording) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.rb");
    let (reports, events) = bounded(4);
    let file = RecordFile::begin(path.clone(), &asked(Recording::to(path.clone())), reports).unwrap();
    let mut scene = Scene { _folder: folder, path, file, events };
    scene.put(&[gc(0)]);
    scene
}

fn gc(at_ms: u64) -> FromAgent {
    FromAgent::GcFinished(GcFinished { at_ms, collections: 1, used_bytes: 1, committed_bytes: 1, max_bytes: 1 })
}

fn started(number: u32, at_s: u64) -> FromAgent {
    FromAgent::CaptureStarted { snapshot: SnapshotId(number), at_ms: 1000 * at_s, method: CaptureMethod::Fork }
}

fn done(number: u32) -> FromAgent {
    FromAgent::CaptureDone(CaptureDone { snapshot: SnapshotId(number), pause_ms: 5.0, ..CaptureDone::default() })
}

fn chunk(bytes: usize) -> FromAgent {
    // Bytes that no compressor makes shorter.
    let mut noise = vec![0; bytes];
    SplitMix64::seed_from_u64(1).fill_bytes(&mut noise);
    FromAgent::Graph(Chunk(noise))
}

impl Scene {
    fn put(&mut self, messages: &[FromAgent]) {
        let mut frames = Vec::new();
        messages.iter().for_each(|message| frame::append(message, &mut frames).unwrap());
        self.file.write_all(&frames).unwrap();
    }

    /// A capture of `chunks` chunks of 100 KB.
    fn capture(&mut self, number: u32, at_s: u64, chunks: usize) {
        self.put(&[started(number, at_s)]);
        (0..chunks).for_each(|_| self.put(&[chunk(100_000)]));
        self.put(&[done(number), gc(1000 * at_s)]);
    }

    fn read(&self) -> Vec<FromAgent> {
        messages(&self.path)
    }
}

fn messages(path: &Path) -> Vec<FromAgent> {
    let (found, lost_bytes) = readable(&fs::read(path).unwrap());
    assert_eq!(lost_bytes, 0);
    found
}

/// The messages of a file that may be cut off, and the bytes of the part of a frame at its end.
fn readable(bytes: &[u8]) -> (Vec<FromAgent>, u64) {
    let (mut frames, mut declared) = (FrameReader::new(bytes), Declared::default());
    let mut found = Vec::new();
    while let Some(frame) = frames.next_frame().unwrap() {
        found.extend(match frame.kind {
            DECLARATIONS | ROWS => declared.take(&frame).unwrap(),
            _ => packing::unpacked(frame).unwrap().message().unwrap(),
        });
    }
    (found, frames.skipped_bytes() + frames.torn_bytes())
}

/// Classes with these numbers, in the order in which one capture has them.
fn classes(numbers: std::ops::Range<u64>, first_id: u64) -> FromAgent {
    let class = |at: u64| ClassRecord {
        object: ObjectId(first_id + at),
        name: format!("shop.of.a.long.name.Class{at}"),
        loader: None,
        superclass: None,
        interfaces: Vec::new(),
        is_interface: false,
        fields: Vec::new(),
    };
    FromAgent::Classes(numbers.map(class).collect())
}

/// Times in seconds of the captures whose records are there, and the number of receipts.
fn captures(messages: &[FromAgent]) -> (Vec<u64>, usize) {
    let (mut at_s, mut chunks, mut whole, mut receipts) = (0, 0, Vec::new(), 0);
    for message in messages {
        match message {
            FromAgent::CaptureStarted { at_ms, .. } => (at_s, chunks) = (at_ms / 1000, 0),
            FromAgent::Graph(_) => chunks += 1,
            FromAgent::CaptureDone(done) => {
                receipts += 1;
                let is_thinned = done.fault == Some(CaptureFault::Thinned);
                assert_eq!(is_thinned, chunks == 0, "records go with their whole capture");
                whole.extend((!is_thinned).then_some(at_s));
            }
            _ => {}
        }
    }
    (whole, receipts)
}

#[test]
fn a_full_file_is_thinned_and_its_span_of_time_stays() {
    let mut scene = scene(|asked| Recording { max_size: Some(2_000_000), ..asked });
    for number in 1..=40 {
        scene.capture(number, 10 * u64::from(number), 3);
        let length = fs::metadata(&scene.path).unwrap().len();
        assert!(length <= 2_000_000 + 100_100, "{length}");
        assert_eq!(length, scene.file.contents.bytes(), "what is counted is what is there");
    }
    let (whole, receipts) = captures(&scene.read());
    assert_eq!((whole.first(), whole.last(), receipts), (Some(&10), Some(&400), 40));
    assert!((4..=6).contains(&whole.len()), "{whole:?}");
    assert!(whole.windows(2).all(|pair| pair[1] - pair[0] <= 200), "{whole:?}");
    assert!(!unfinished(&scene.path).exists());
    assert!(scene.events.is_empty());
}

#[test]
fn a_capture_larger_than_the_file_is_left_out_and_reported() {
    let mut scene = scene(|asked| Recording { max_size: Some(1_000_000), ..asked });
    scene.capture(1, 10, 2);
    scene.capture(2, 20, 15);
    assert_eq!(scene.events.try_recv(), Ok(Event::CaptureTooLarge));
    assert!(fs::metadata(&scene.path).unwrap().len() < 1_000_000);
    assert_eq!(captures(&scene.read()), (vec![10], 2));
    scene.put(&[gc(30_000)]);
    assert_eq!(scene.read().last(), Some(&gc(30_000)), "what is no capture goes on");
}

#[test]
fn where_two_captures_have_room_they_are_the_first_and_the_latest() {
    let mut scene = scene(|asked| Recording { max_size: Some(1_000_000), ..asked });
    for number in 1..=5 {
        scene.capture(number, 10 * u64::from(number), 4);
    }
    assert_eq!(captures(&scene.read()), (vec![10, 50], 5));
    assert!(scene.events.is_empty());
}

#[test]
fn collections_become_sparser_and_never_fill_the_file() {
    let mut scene = scene(|asked| Recording { max_size: Some(1_000_000), ..asked });
    scene.capture(1, 10, 2);
    for at_s in 20..40_000 {
        scene.put(&[gc(1000 * at_s)]);
        if at_s % 1000 == 0 {
            scene.capture(at_s as u32, at_s, 1);
        }
    }
    assert!(fs::metadata(&scene.path).unwrap().len() <= 1_000_000);
    let messages = scene.read();
    assert_eq!(messages.last(), Some(&gc(39_999_000)));
    assert!(captures(&messages).0.len() >= 2);
}

#[test]
fn each_file_begins_with_the_first_message_and_the_oldest_go() {
    let mut scene = scene(|asked| Recording { rotate_every: Some(Duration::from_millis(50)), keep_files: 2, ..asked });
    for number in 1..=4 {
        scene.put(&[started(number, 1)]);
        std::thread::sleep(Duration::from_millis(60));
        scene.put(&[chunk(10)]);
        scene.put(&[done(number)]);
        scene.put(&[gc(u64::from(number))]);
        assert_eq!(scene.events.try_recv(), Ok(Event::Rotated), "after the capture, not within it");
    }
    assert_eq!(scene.read(), [gc(0), gc(4)]);
    let first = messages(&older(&scene.path, 1));
    assert_eq!((&first[0], captures(&first).0.len()), (&gc(0), 1));
    assert!(older(&scene.path, 2).exists() && !older(&scene.path, 3).exists());
}

#[test]
fn a_file_that_exists_becomes_an_older_one_and_that_of_another_jvm_is_left_alone() {
    let scene = scene(|asked| asked);
    let (reports, _events) = bounded(1);
    let again = || RecordFile::begin(scene.path.clone(), &Recording::to(scene.path.clone()), reports.clone());
    assert!(again().err().unwrap().to_string().contains("another JVM"));
    let Scene { _folder, path, file, .. } = scene;
    // The same open file, as in a child that was forked meanwhile.
    let _inherited = file.file.try_clone().unwrap();
    drop(file);
    let again = RecordFile::begin(path.clone(), &Recording::to(path.clone()), reports).unwrap();
    assert_eq!(messages(&older(&path, 1)), [gc(0)]);
    drop(again);
}

#[test]
fn records_are_packed_and_what_is_counted_is_what_is_there() {
    let mut scene = scene(|asked| asked);
    let records = FromAgent::Graph(Chunk((0..200_000_u32).flat_map(|at| (at / 7).to_le_bytes()).collect()));
    scene.put(&[started(1, 10), records.clone(), done(1)]);
    let length = fs::metadata(&scene.path).unwrap().len();
    assert!(length < 400_000, "{length} bytes for 800,000");
    assert_eq!(length, scene.file.contents.bytes());
    assert_eq!(scene.read()[2], records);
}

#[test]
fn a_writer_that_is_behind_writes_records_as_they_are() {
    let mut scene = scene(|asked| asked);
    let (sender, queue) = bounded(100);
    scene.file.feed_from(&queue);
    (0..=MOST_WAITING as u64).for_each(|at| sender.send(gc(at)).unwrap());
    let records = FromAgent::Graph(Chunk(vec![7; 100_000]));
    scene.put(std::slice::from_ref(&records));
    assert!(fs::metadata(&scene.path).unwrap().len() > 100_000);
    queue.try_iter().for_each(drop);
    scene.put(std::slice::from_ref(&records));
    assert!(fs::metadata(&scene.path).unwrap().len() < 110_000);
    assert_eq!(scene.read(), [gc(0), records.clone(), records]);
}

/// What each capture of a file says of classes, by the time of the capture in seconds.
fn classes_of_captures(messages: &[FromAgent]) -> Vec<(u64, FromAgent)> {
    let (mut at_s, mut found) = (0, Vec::new());
    for message in messages {
        match message {
            FromAgent::CaptureStarted { at_ms, .. } => at_s = at_ms / 1000,
            FromAgent::Classes(_) => found.push((at_s, message.clone())),
            _ => {}
        }
    }
    found
}

/// Each capture has 400 classes, of which 20 are new; the ids of all move.
fn churning(number: u64) -> FromAgent {
    classes(20 * number..20 * number + 400, 7 * number)
}

#[test]
fn classes_stand_once_in_a_file_that_is_thinned_again_and_again() {
    let mut scene = scene(|asked| Recording { max_size: Some(1_000_000), ..asked });
    for number in 1..=30_u64 {
        scene.put(&[started(number as u32, 10 * number), chunk(100_000), churning(number), done(number as u32)]);
        let length = fs::metadata(&scene.path).unwrap().len();
        assert_eq!(length, scene.file.contents.bytes(), "what is counted is what is there");
        assert!(length <= 1_000_000, "{length}");
    }
    let messages = scene.read();
    let of_classes = classes_of_captures(&messages);
    assert_eq!(of_classes.iter().map(|(at_s, _)| *at_s).collect::<Vec<_>>(), captures(&messages).0);
    assert!(of_classes.len() > 4 && of_classes.iter().all(|(at_s, found)| *found == churning(at_s / 10)));
}

#[test]
fn a_file_that_was_cut_off_has_its_classes_up_to_there() {
    let mut scene = scene(|asked| asked);
    for number in 1..=3 {
        scene.put(&[started(number, 10), churning(u64::from(number)), done(number)]);
    }
    let bytes = fs::read(&scene.path).unwrap();
    let whole = scene.read();
    for cut in (0..bytes.len()).step_by(7) {
        let found = readable(&bytes[..cut]).0;
        assert_eq!(found, whole[..found.len()], "cut at {cut}");
    }
}

#[test]
fn each_file_of_a_rotation_has_its_own_classes() {
    let mut scene = scene(|asked| Recording { rotate_every: Some(Duration::from_millis(1)), ..asked });
    for number in 1..=3 {
        std::thread::sleep(Duration::from_millis(5));
        scene.put(&[started(number, 10)]);
        scene.put(&[churning(1), done(number)]);
    }
    for file in [scene.path.clone(), older(&scene.path, 1), older(&scene.path, 2)] {
        assert_eq!(classes_of_captures(&messages(&file)), [(10, churning(1))], "{}", file.display());
    }
}

#[test]
fn without_an_option_six_captures_stay_however_large_they_are() {
    let mut scene = scene(|asked| asked);
    for number in 1..=9 {
        scene.capture(number, 10 * u64::from(number), 60);
    }
    let (whole, receipts) = captures(&scene.read());
    assert_eq!((whole.len(), whole[0], whole[5], receipts), (6, 10, 90, 9));
    assert!(scene.events.is_empty(), "none is too large");
}
