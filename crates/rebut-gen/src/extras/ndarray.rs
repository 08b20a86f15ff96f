//! Arrays of any number of dimensions: types of the crate `ndarray`.

use ndarray::{Array, Dimension, IxDyn, ShapeBuilder};
use rebut_choice::{Label, Source};

use super::shapes::draw_grid;
use crate::code::collections::{codes, write_brackets, write_list};
use crate::misuse::expected;
use crate::{Code, Generate, ToCode};

/// The maximum number of axes of an `ArrayD`. Arbitrary: more axes rarely matter.
const AXES_MAX: i128 = 4;

/// Generates the shape, then the elements, then their order in memory if it can differ: by rows, or
/// by columns. Axes can have the length zero. Shrinks to an empty array in the standard order.
impl<T: Generate, D: Dimension> Generate for Array<T, D> {
    fn generate(source: &mut Source) -> Self {
        let array = source.span(Label::group("Array"), |source| {
            let axes = match D::NDIM {
                Some(axes) => axes,
                None => source.integer(0, AXES_MAX) as usize,
            };
            let (shape, elements) = draw_grid(source, axes);
            let has_orders =
                shape.iter().filter(|&&length| length > 1).count() > 1 && !shape.contains(&0);
            let is_by_columns = has_orders && source.boolean();
            let mut elements: Vec<Option<T>> = elements.into_iter().map(Some).collect();
            Array::from_shape_fn(IxDyn(&shape).set_f(is_by_columns), |index| {
                let position = (0..axes).fold(0, |sum, axis| sum * shape[axis] + index[axis]);
                expected(elements[position].take(), "an array")
            })
        });
        expected(array.into_dimensionality().ok(), "an array")
    }
}

impl<T: ToCode, D: Dimension> ToCode for Array<T, D> {
    fn to_code(&self, code: &mut Code) {
        let is_by_columns = !self.is_standard_layout() && self.t().is_standard_layout();
        let elements =
            if is_by_columns { codes(code, self.t().iter()) } else { codes(code, self.iter()) };
        write_array(code, self.shape(), D::NDIM.is_none(), is_by_columns, &elements);
    }
}

/// Separate from the implementation, so that it is compiled once and not for each type.
fn write_array(
    code: &mut Code,
    shape: &[usize],
    is_dynamic: bool,
    is_by_columns: bool,
    elements: &[String],
) {
    // The macro takes brackets for dimensions, also those of elements.
    let is_plain = !elements.is_empty() && !elements[0].starts_with('[') && !is_by_columns;
    match shape {
        [] => {
            code.push("ndarray::arr0(");
            write_list(code, elements);
            code.push(")");
        }
        _ if is_plain => {
            code.push("ndarray::array!");
            write_nested(code, shape, elements);
        }
        _ => {
            code.push("ndarray::Array::from_shape_vec(");
            code.push(if is_by_columns { "ndarray::ShapeBuilder::f(" } else { "" });
            shape.to_code(code);
            code.push(if is_by_columns { "), vec!" } else { ", vec!" });
            write_brackets(code, elements);
            code.push(").unwrap()");
        }
    }
    code.push(if is_dynamic { ".into_dyn()" } else { "" });
}

/// Writes the elements in a pair of brackets for each axis.
fn write_nested(code: &mut Code, shape: &[usize], elements: &[String]) {
    code.push("[");
    match shape {
        [] | [_] => write_list(code, elements),
        [length, inner @ ..] => {
            for (n, part) in elements.chunks(elements.len() / length).enumerate() {
                code.push(if n > 0 { ", " } else { "" });
                write_nested(code, inner, part);
            }
        }
    }
    code.push("]");
}

#[cfg(test)]
mod tests {
    use ndarray::{Array0, Array1, Array2, Array3, ArrayD, array};

    use super::*;
    use crate::testing::{drawn, prints_as, replays, shrinks_to};
    use crate::{any, simplest};

    #[test]
    fn every_axis_can_be_empty() {
        let all = drawn(&any::<Array2<u8>>(), 1000);
        for (rows, columns) in [(0, 0), (0, 3), (3, 0), (1, 1), (2, 2)] {
            assert!(all.iter().any(|array| array.dim() == (rows, columns)), "{rows} {columns}");
        }
        let all = drawn(&any::<Array3<u8>>(), 300);
        assert!((0..3).all(|axis| all.iter().any(|array| array.shape()[axis] == 0)));
        assert!(all.iter().any(|array| array.len() > 100));
        let all = drawn(&any::<ArrayD<u8>>(), 300);
        assert!((0..=4).all(|axes| all.iter().any(|array| array.ndim() == axes)));
    }

    #[test]
    fn elements_are_stored_by_rows_or_by_columns() {
        let all = drawn(&any::<Array2<u8>>(), 200);
        assert!(all.iter().any(|array| !array.is_standard_layout()));
        assert!(
            all.iter().all(|array| array.is_standard_layout() || array.t().is_standard_layout())
        );
        replays(&any::<Array2<u8>>());
        replays(&any::<(Array0<u8>, Array1<String>, Array3<bool>, ArrayD<i64>)>());
    }

    #[test]
    fn rows_and_columns_that_do_not_matter_are_deleted() {
        assert_eq!(simplest(&any::<Array2<u8>>()).dim(), (0, 0));
        shrinks_to(&array![[7]], |array: &Array2<u8>| array.iter().any(|&n| n == 7));
        shrinks_to(&array![[[1]]], |array: &Array3<i32>| array.iter().any(|&n| n != 0));
        shrinks_to(&array![[0, 0], [0, 0]], |array: &Array2<u8>| {
            array.nrows() > 1 && array.ncols() > 1
        });
        shrinks_to(&ndarray::arr0(3), |array: &Array0<i32>| array[()] > 2);
        shrinks_to(&array![3], |array: &Array1<i32>| array.sum() > 2);
        let by_columns = Array::zeros((2, 2).f());
        shrinks_to(&by_columns, |array: &Array2<i16>| !array.is_standard_layout());
    }

    #[test]
    fn arrays_are_printed_with_their_shape_and_order() {
        prints_as!(Array0<u8>, ndarray::arr0(5));
        prints_as!(Array1<u8>, ndarray::array![1, 2]);
        prints_as!(Array1<u8>, ndarray::Array::from_shape_vec([0], vec![]).unwrap());
        prints_as!(Array1<[u8; 2]>, ndarray::Array::from_shape_vec([1], vec![[1, 2]]).unwrap());
        prints_as!(Array2<f32>, ndarray::array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        prints_as!(Array2<u8>, ndarray::Array::from_shape_vec([3, 0], vec![]).unwrap());
        prints_as!(
            Array2<u8>,
            ndarray::Array::from_shape_vec(
                ndarray::ShapeBuilder::f([2, 3]),
                vec![1, 4, 2, 5, 3, 6]
            )
            .unwrap()
        );
        prints_as!(Array3<u8>, ndarray::array![[[1], [2]], [[3], [4]]]);
        prints_as!(ArrayD<u8>, ndarray::arr0(5).into_dyn());
        prints_as!(ArrayD<u8>, ndarray::array![[1, 2]].into_dyn());
        prints_as!(ArrayD<u8>, ndarray::Array::from_shape_vec([0, 2], vec![]).unwrap().into_dyn());
    }
}
