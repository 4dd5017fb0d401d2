//! Thousands of captures over all scenes, JVMs and collectors.

use crate::cell;
use crate::options::Options;
use crate::tally::Tally;
use e2e::measure::table;

const CAPTURES: usize = 10_000;
const COLLECTORS: [&str; 6] = ["Serial", "Parallel", "G1", "ZGC", "ZGC, generational", "Shenandoah"];

/// `faults -- row`.
pub fn run(options: &Options) {
    let (scenes, cells) = (options.scenes(), options.cells(&COLLECTORS));
    let all = options.captures.unwrap_or(CAPTURES);
    let each = all.div_ceil((scenes.len() * cells.len()).max(1));
    println!(
        "{all} captures: {each} in each of {} scenes on {} JVMs with their collectors\n",
        scenes.len(),
        cells.len()
    );
    table::head(&[["scene", "JDK", "GC"].as_slice(), &Tally::HEADINGS].concat());
    let mut sum = Sum::default();
    let mut words = Vec::new();
    for scene in scenes {
        for (jvm, collector) in &cells {
            let Some(trial) = (scene.arrange)(jvm) else { continue };
            let trial = trial.in_jvm(jvm).with_collector(collector).with(&["-Xmx512m"]);
            let tally = cell::captured(&trial, each, scene.disturbance, || {});
            let name = [scene.name.to_owned(), jvm.version.to_string(), collector.name.to_owned()];
            table::row(&[name.as_slice(), &tally.cells()].concat());
            words.extend(tally.words().into_iter().map(|word| format!("* {}: {word}", name.join(", "))));
            sum.add(&tally);
        }
    }
    println!("\n{}\n\n{}", sum.words(), words.join("\n"));
}

/// Sum over all cells.
#[derive(Default)]
struct Sum {
    captures: usize,
    begun: usize,
    refused: usize,
    cells_harmed: usize,
    longest_ms: f64,
}

impl Sum {
    fn add(&mut self, tally: &Tally) {
        self.captures += tally.complete;
        self.begun += tally.stops_ms.len();
        self.refused += tally.refused.len();
        let harmed = !tally.harm.is_empty() || !tally.hangs.is_empty() || tally.stayed > 0;
        self.cells_harmed += usize::from(harmed);
        self.longest_ms = self.longest_ms.max(tally.longest_ms());
    }

    fn words(&self) -> String {
        format!(
            "{} captures complete of {} stops, {} refused or thrown away; cells in which something was harmed, hung or \
             stayed: {}; longest stop {}",
            self.captures,
            self.begun,
            self.refused,
            self.cells_harmed,
            table::ms(self.longest_ms)
        )
    }
}
