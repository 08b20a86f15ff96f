//! Values of your own types: `cargo run --example shapes`.
//!
//! The type derives `Generate`, contains itself, has bounds on a field, and is written as
//! code in the report.

#![expect(clippy::print_stdout, reason = "the story is what it prints")]

use rebut::prelude::*;
use rebut::{Check, Code, any, sample, simplest};

#[derive(Clone, Debug, PartialEq, Generate)]
enum Shape {
    Circle {
        #[generate(min_value = 1, max_value = 100)]
        radius: i32,
    },
    Square {
        #[generate(min_value = 1, max_value = 100)]
        side: i32,
    },
    Moved {
        by: i8,
        shape: Box<Shape>,
    },
    Group(#[generate(min_size = 1)] Vec<Shape>),
}

/// How far a shape reaches to the left and to the right.
///
/// The mistake: zero is a part of every group.
fn extent(shape: &Shape) -> (i32, i32) {
    match shape {
        Shape::Circle { radius } => (-radius, *radius),
        Shape::Square { side } => (0, *side),
        Shape::Moved { by, shape } => {
            let (left, right) = extent(shape);
            (left + i32::from(*by), right + i32::from(*by))
        }
        Shape::Group(shapes) => {
            let extents = shapes.iter().map(extent);
            extents.fold((0, 0), |all, one| (all.0.min(one.0), all.1.max(one.1)))
        }
    }
}

fn main() {
    println!("Some shapes, as they are drawn:\n");
    for seed in 0..6 {
        println!("    {}", Code::of(&sample(&any::<Shape>(), seed)));
    }

    println!("\nThe simplest one:\n");
    println!("    {}", Code::of(&simplest(&any::<Shape>())));

    println!("\nA claim: a group of one shape reaches as far as that shape.\n");
    let report = Check::new("a_group_of_one_reaches_as_far").seed(1).run(|case| {
        let shape = case.draw_as("shape", any::<Shape>());
        assert_eq!(extent(&Shape::Group(vec![shape.clone()])), extent(&shape));
    });
    println!("{report}");
}
