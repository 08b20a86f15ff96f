#[cfg(test)]
mod inferred {
    use super::*;

    /// A modifying call on `Lamp`.
    #[derive(Debug, rebut::Generate)]
    enum Step {
        Press,
    }

    fn reached(steps: Vec<Step>) -> Lamp {
        let mut lamp = Lamp::new();
        for step in steps {
            match step {
                Step::Press => lamp.press(),
            }
        }
        lamp
    }

    /// Proved for all calls: 1 path.
    #[rebut::test]
    fn new_then_not_is_on() {
        let lamp = Lamp::new();
        assert!(!lamp.is_on());
    }

    /// Proved for all states within 4 steps of a constructor: 5 paths.
    #[rebut::test]
    fn press_when_not_is_on(steps: Vec<Step>) {
        let mut lamp = reached(steps);
        rebut::assume!(!lamp.is_on());
        lamp.press();
        assert!(lamp.is_on());
    }
}
