//! A checked plan of paths: every index is valid, parents come before their children, and no number of a mark occurs
//! twice. It came from outside, so nothing is read before it is known to be sound.

use rootbound_wire::message::{MarkPlan, MarkStep, PathVia};

/// Most classes that one plan may name: each is held by a local reference.
const MOST_CLASSES: usize = 50_000;
/// Numbers of marks are below this: the tag has no room for more.
const MARK_NUMBERS: u32 = 1 << 31;

/// The fault of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// More than the agent holds.
    #[error("the plan names {classes} classes and {steps} steps")]
    TooLarge {
        /// Classes of the plan.
        classes: usize,
        /// Steps of the plan.
        steps: usize,
    },
    /// A field of a class that the plan lacks; holds its name.
    #[error("the field {0} of the plan is declared by no class of it")]
    Homeless(String),
    /// A step without meaning.
    #[error("step {step} of the plan {fault}")]
    Step {
        /// Its number, from 1 on.
        step: usize,
        /// Its fault.
        fault: StepFault,
    },
    /// A number of two marks.
    #[error("the mark {0} stands twice in the plan")]
    Twice(u32),
    /// A number beyond those of marks.
    #[error("the mark {0} fits no tag")]
    Beyond(u32),
}

/// The fault of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepFault {
    /// Its own class is none of the plan.
    #[error("arrives at a class that the plan does not name")]
    UnknownClass,
    /// Parents come before their children.
    #[error("begins at a step that does not stand before it")]
    Disorder,
    /// The class that it begins at is none of the plan.
    #[error("begins at a class that the plan does not name")]
    UnknownBeginning,
    /// Its field is none of the plan.
    #[error("reads a field that the plan does not name")]
    UnknownField,
    /// It goes nowhere.
    #[error("reads a field not once")]
    NotOnce,
}

/// A sound plan, with the children of every step. Those with the fewest reads stand first: when the time is over, the
/// end of the longest branch is missed and no other one, and a walk holds few references ([`super::path::MOST_HELD`]).
pub struct Tree<'p> {
    plan: &'p MarkPlan,
    /// Steps that begin at nothing.
    roots: Vec<u32>,
    /// Children of all steps, those of one step side by side.
    children: Vec<u32>,
    /// The start of each step's children; one entry more than there are steps.
    starts: Vec<u32>,
}

/// The step that this one begins at, if it begins at one.
fn parent(step: &MarkStep) -> Option<u32> {
    match step.via {
        PathVia::Class(_) | PathVia::Thread(_) | PathVia::OnlyInstance(_) | PathVia::Local { .. } => None,
        PathVia::Field { .. } | PathVia::Element(_) => Some(step.parent),
    }
}

impl<'p> Tree<'p> {
    /// Checks a plan.
    ///
    /// # Errors
    /// The fault of the plan.
    pub fn check(plan: &'p MarkPlan) -> Result<Self, PlanError> {
        if plan.classes.len() > MOST_CLASSES || plan.steps.len() >= MARK_NUMBERS as usize {
            return Err(PlanError::TooLarge { classes: plan.classes.len(), steps: plan.steps.len() });
        }
        if let Some(field) = plan.fields.iter().find(|field| field.declaring as usize >= plan.classes.len()) {
            return Err(PlanError::Homeless(field.name.clone()));
        }
        for (number, step) in plan.steps.iter().enumerate() {
            check_step(plan, number, step).map_err(|fault| PlanError::Step { step: number + 1, fault })?;
        }
        check_marks(&plan.steps)?;
        Ok(Self::of_sound(plan))
    }

    fn of_sound(plan: &'p MarkPlan) -> Self {
        let steps = &plan.steps;
        let (mut starts, mut roots) = (vec![0_u32; steps.len() + 1], Vec::new());
        for (number, step) in steps.iter().enumerate() {
            match parent(step) {
                None => roots.push(number as u32),
                Some(parent) => starts[parent as usize + 1] += 1,
            }
        }
        for step in 0..steps.len() {
            starts[step + 1] += starts[step];
        }
        let (mut next, mut children) = (starts.clone(), vec![0; steps.len() - roots.len()]);
        for (number, step) in steps.iter().enumerate() {
            if let Some(parent) = parent(step) {
                children[next[parent as usize] as usize] = number as u32;
                next[parent as usize] += 1;
            }
        }
        let reads = reads(steps);
        let fewest_first = |some: &mut [u32]| some.sort_by_key(|&step| reads[step as usize]);
        fewest_first(&mut roots);
        starts.windows(2).for_each(|ends| fewest_first(&mut children[ends[0] as usize..ends[1] as usize]));
        Self { plan, roots, children, starts }
    }

    /// The plan.
    pub fn plan(&self) -> &'p MarkPlan {
        self.plan
    }

    /// Steps that begin at a class or a thread.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// Steps that begin where `step` arrived.
    pub fn children(&self, step: u32) -> &[u32] {
        &self.children[self.starts[step as usize] as usize..self.starts[step as usize + 1] as usize]
    }

    /// The path to the last step, from its beginning on; empty when the plan has no step.
    pub fn path_to_last(&self) -> Vec<u32> {
        let mut at = (self.plan.steps.len() as u32).checked_sub(1);
        let mut path: Vec<u32> = std::iter::from_fn(|| {
            let step = at?;
            at = parent(&self.plan.steps[step as usize]);
            Some(step)
        })
        .collect();
        path.reverse();
        path
    }
}

/// By step: the reads of it and of all below it.
fn reads(steps: &[MarkStep]) -> Vec<u64> {
    let mut reads = vec![0_u64; steps.len()];
    for (number, step) in steps.iter().enumerate().rev() {
        reads[number] += match step.via {
            PathVia::Field { times, .. } => u64::from(times),
            _ => 1,
        };
        if let Some(parent) = parent(step) {
            reads[parent as usize] += reads[number];
        }
    }
    reads
}

fn check_step(plan: &MarkPlan, number: usize, step: &MarkStep) -> Result<(), StepFault> {
    let is_class = |class: u32| (class as usize) < plan.classes.len();
    if !is_class(step.class) {
        return Err(StepFault::UnknownClass);
    }
    if parent(step).is_some_and(|parent| parent as usize >= number) {
        return Err(StepFault::Disorder);
    }
    match step.via {
        PathVia::Class(class) | PathVia::OnlyInstance(class) | PathVia::Local { class, .. } if !is_class(class) => {
            Err(StepFault::UnknownBeginning)
        }
        PathVia::Field { field, .. } if field as usize >= plan.fields.len() => Err(StepFault::UnknownField),
        PathVia::Field { times: 0, .. } => Err(StepFault::NotOnce),
        _ => Ok(()),
    }
}

fn check_marks(steps: &[MarkStep]) -> Result<(), PlanError> {
    let mut numbers: Vec<u32> = steps.iter().map(|step| step.mark).filter(|&mark| mark != 0).collect();
    numbers.sort_unstable();
    if let Some(twice) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(PlanError::Twice(twice[0]));
    }
    match numbers.last() {
        Some(&last) if last >= MARK_NUMBERS => Err(PlanError::Beyond(last)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rootbound_wire::ids::ObjectId;
    use rootbound_wire::message::PathField;

    fn step(parent: u32, via: PathVia, mark: u32) -> MarkStep {
        MarkStep { parent, via, class: 0, mark }
    }

    fn plan(steps: Vec<MarkStep>) -> MarkPlan {
        let field = PathField { declaring: 0, name: "a".to_owned(), descriptor: "LA;".to_owned(), is_static: false };
        MarkPlan { classes: vec![ObjectId(1)], fields: vec![field], steps }
    }

    const FIELD: PathVia = PathVia::Field { field: 0, times: 1 };

    #[test]
    fn children_and_paths_are_found() {
        let steps = vec![
            step(9, PathVia::Class(0), 0),
            step(0, FIELD, 1),
            step(0, PathVia::Element(2), 2),
            step(9, PathVia::Thread(ObjectId(5)), 0),
            step(1, FIELD, 3),
        ];
        let plan = plan(steps);
        let tree = Tree::check(&plan).unwrap();
        assert_eq!(
            (tree.roots(), tree.children(0), tree.children(1), tree.children(4)),
            (&[3, 0][..], &[2, 1][..], &[4][..], &[][..]),
            "those with the fewest reads first"
        );
        assert_eq!(tree.path_to_last(), [0, 1, 4]);
    }

    #[test]
    fn an_empty_plan_is_sound() {
        let plan = MarkPlan::default();
        let tree = Tree::check(&plan).unwrap();
        assert_eq!((tree.roots().len(), tree.path_to_last().len()), (0, 0));
    }

    #[test]
    fn nonsense_is_reported() {
        let root = step(0, PathVia::Class(0), 0);
        for (steps, reason) in [
            (vec![step(0, FIELD, 0)], "does not stand before"),
            (vec![root, step(2, FIELD, 0), step(1, FIELD, 0)], "step 2 of the plan begins at a step"),
            (vec![step(0, PathVia::Class(1), 0)], "begins at a class"),
            (vec![step(0, PathVia::OnlyInstance(1), 0)], "begins at a class"),
            (vec![step(0, PathVia::Local { class: 1, nth: 0, of: 1 }, 0)], "begins at a class"),
            (vec![MarkStep { class: 1, ..root }], "arrives at a class"),
            (vec![root, step(0, PathVia::Field { field: 1, times: 1 }, 0)], "a field that the plan"),
            (vec![root, step(0, PathVia::Field { field: 0, times: 0 }, 0)], "not once"),
            (vec![root, step(0, FIELD, 7), step(0, FIELD, 7)], "mark 7 stands twice"),
            (vec![root, step(0, FIELD, MARK_NUMBERS)], "fits no tag"),
        ] {
            let plan = plan(steps);
            let error = Tree::check(&plan).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(reason), "{error}");
        }
        let homeless = MarkPlan { classes: Vec::new(), ..plan(Vec::new()) };
        assert!(Tree::check(&homeless).is_err());
    }
}
