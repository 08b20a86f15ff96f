//! Vectors, matrices and transformations: types of the crate `nalgebra`.

use std::f64::consts::PI;

use nalgebra::{
    DMatrix, DVector, Isometry, Point, Quaternion, Rotation2, Rotation3, RowDVector, SMatrix,
    Scalar, Translation, UnitComplex, UnitQuaternion,
};
use rebut_choice::{Label, Source};

use super::shapes::draw_grid;
use crate::code::collections::brackets;
use crate::{Code, Generate, Generator, ToCode, floats};

/// Generates the elements row by row. Vectors of a fixed size are such matrices.
impl<T: Generate + Scalar, const R: usize, const C: usize> Generate for SMatrix<T, R, C> {
    fn generate(source: &mut Source) -> Self {
        SMatrix::from_row_iterator(<[[T; C]; R]>::generate(source).into_iter().flatten())
    }
}

impl<T: ToCode, const R: usize, const C: usize> ToCode for SMatrix<T, R, C> {
    fn to_code(&self, code: &mut Code) {
        if C == 1 {
            code.push("nalgebra::SVector::from(");
            brackets(code, self.iter());
        } else {
            code.format(format_args!("nalgebra::SMatrix::<_, {R}, {C}>::from_row_slice(&"));
            brackets(code, (0..R).flat_map(|row| (0..C).map(move |column| &self[(row, column)])));
        }
        code.push(")");
    }
}

/// Generates the elements as those of a list.
macro_rules! vectors {
    ($($type:ident)*) => {$(
        impl<T: Generate + Scalar> Generate for $type<T> {
            fn generate(source: &mut Source) -> Self {
                $type::from_vec(Vec::generate(source))
            }
        }

        impl<T: ToCode> ToCode for $type<T> {
            fn to_code(&self, code: &mut Code) {
                code.push(concat!("nalgebra::", stringify!($type), "::from_vec(vec!"));
                brackets(code, self.iter());
                code.push(")");
            }
        }
    )*};
}
vectors!(DVector RowDVector);

/// Generates the number of columns, then the rows. Both can be zero.
impl<T: Generate + Scalar> Generate for DMatrix<T> {
    fn generate(source: &mut Source) -> Self {
        let (shape, elements) = draw_grid(source, 2);
        DMatrix::from_row_iterator(shape[0], shape[1], elements)
    }
}

impl<T: ToCode> ToCode for DMatrix<T> {
    fn to_code(&self, code: &mut Code) {
        let (rows, columns) = self.shape();
        code.format(format_args!("nalgebra::DMatrix::from_row_slice({rows}, {columns}, &"));
        brackets(
            code,
            (0..rows).flat_map(|row| (0..columns).map(move |column| &self[(row, column)])),
        );
        code.push(")");
    }
}

impl<T: Generate + Scalar, const D: usize> Generate for Point<T, D> {
    fn generate(source: &mut Source) -> Self {
        Point::from(<[T; D]>::generate(source))
    }
}

impl<T: ToCode + Scalar, const D: usize> ToCode for Point<T, D> {
    fn to_code(&self, code: &mut Code) {
        code.push("nalgebra::Point::from(");
        brackets(code, self.coords.iter());
        code.push(")");
    }
}

impl<T: Generate + Scalar, const D: usize> Generate for Translation<T, D> {
    fn generate(source: &mut Source) -> Self {
        Translation::from(<[T; D]>::generate(source))
    }
}

impl<T: ToCode, const D: usize> ToCode for Translation<T, D> {
    fn to_code(&self, code: &mut Code) {
        code.push("nalgebra::Translation::from(");
        brackets(code, self.vector.iter());
        code.push(")");
    }
}

/// Generates any four parts. They shrink toward zero.
impl<T: Generate + Scalar> Generate for Quaternion<T> {
    fn generate(source: &mut Source) -> Self {
        let [w, i, j, k] = <[T; 4]>::generate(source);
        Quaternion::new(w, i, j, k)
    }
}

impl<T: ToCode> ToCode for Quaternion<T> {
    fn to_code(&self, code: &mut Code) {
        let [x, y, z, w] = [0, 1, 2, 3].map(|index| &self.coords[index]);
        code.call("nalgebra::Quaternion::new", &[w, x, y, z]);
    }
}

/// Generates rotations from one angle or from three Euler angles. Shrinks to the identity. The code
/// contains the parts of the rotation, because the angles would not be exact.
macro_rules! rotations {
    ($($type:ident)*) => {$(
        impl Generate for UnitComplex<$type> {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                UnitComplex::new(draw_angle(source) as $type)
            }
        }

        impl ToCode for UnitComplex<$type> {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                code.push("nalgebra::UnitComplex::new_unchecked(");
                code.call("nalgebra::Complex::new", &[&self.re, &self.im]);
                code.push(")");
            }
        }

        impl Generate for Rotation2<$type> {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                Rotation2::new(draw_angle(source) as $type)
            }
        }

        impl Generate for UnitQuaternion<$type> {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                let [roll, pitch, yaw] = draw_angles(source);
                UnitQuaternion::from_euler_angles(roll as $type, pitch as $type, yaw as $type)
            }
        }

        impl ToCode for UnitQuaternion<$type> {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                code.call("nalgebra::UnitQuaternion::new_unchecked", &[self.quaternion()]);
            }
        }

        impl Generate for Rotation3<$type> {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                let [roll, pitch, yaw] = draw_angles(source);
                Rotation3::from_euler_angles(roll as $type, pitch as $type, yaw as $type)
            }
        }
    )*};
}
rotations!(f32 f64);

fn draw_angle(source: &mut Source) -> f64 {
    floats().in_range(-PI..=PI).draw(source)
}

fn draw_angles(source: &mut Source) -> [f64; 3] {
    source.span(Label::group("angles"), |source| std::array::from_fn(|_| draw_angle(source)))
}

macro_rules! rotation_code {
    ($($type:ident)*) => {$(
        impl<T: ToCode + Scalar> ToCode for $type<T> {
            fn to_code(&self, code: &mut Code) {
                let path = concat!("nalgebra::", stringify!($type), "::from_matrix_unchecked");
                code.call(path, &[self.matrix()]);
            }
        }
    )*};
}
rotation_code!(Rotation2 Rotation3);

/// Generates a rotation, then a translation.
impl<T: Generate + Scalar, R: Generate, const D: usize> Generate for Isometry<T, R, D> {
    fn generate(source: &mut Source) -> Self {
        source.span(Label::group("Isometry"), |source| Isometry {
            rotation: R::generate(source),
            translation: Translation::generate(source),
        })
    }
}

impl<T: ToCode, R: ToCode, const D: usize> ToCode for Isometry<T, R, D> {
    fn to_code(&self, code: &mut Code) {
        code.call("nalgebra::Isometry::from_parts", &[&self.translation, &self.rotation]);
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Isometry2, Isometry3, Matrix2x3, Point2, Translation3, Vector2, Vector3};

    use super::*;
    use crate::testing::{drawn, prints_as, replays, shrinks_to};
    use crate::{any, simplest};

    #[test]
    fn matrices_of_any_shape_are_drawn() {
        let all = drawn(&any::<DMatrix<u8>>(), 1000);
        for shape in [(0, 0), (0, 3), (3, 0), (1, 1), (2, 2)] {
            assert!(all.iter().any(|matrix| matrix.shape() == shape), "{shape:?}");
        }
        replays(&any::<(DMatrix<u8>, DVector<bool>, RowDVector<i32>)>());
        replays(&any::<(Matrix2x3<u8>, Vector3<i64>, SMatrix<u8, 0, 4>, Point2<i8>)>());
    }

    #[test]
    fn elements_that_do_not_matter_are_deleted_or_zero() {
        shrinks_to(&Matrix2x3::new(0, 0, 9, 0, 0, 0), |matrix: &Matrix2x3<i32>| matrix.m13 > 8);
        shrinks_to(&DVector::from_vec(vec![7]), |vector: &DVector<u8>| {
            vector.iter().any(|&n| n == 7)
        });
        let seven = DMatrix::from_row_slice(1, 1, &[7]);
        shrinks_to(&seven, |matrix: &DMatrix<u8>| matrix.iter().any(|&n| n == 7));
        let wide = DMatrix::from_row_slice(1, 2, &[0, 0]);
        shrinks_to(&wide, |matrix: &DMatrix<u8>| matrix.nrows() > 0 && matrix.ncols() > 1);
        shrinks_to(&Point2::new(0.0, 1.0), |point: &Point2<f64>| point.y > 0.0);
    }

    #[test]
    fn rotations_are_normalized_and_shrink_to_the_identity() {
        for isometry in drawn(&any::<Isometry3<f64>>(), 500) {
            assert!((isometry.rotation.norm() - 1.0).abs() < 1e-9);
        }
        for rotation in drawn(&any::<Rotation3<f32>>(), 500) {
            assert!((rotation.matrix().determinant() - 1.0).abs() < 1e-4);
        }
        assert_eq!(simplest(&any::<UnitQuaternion<f32>>()), UnitQuaternion::identity());
        assert_eq!(simplest(&any::<Rotation3<f64>>()), Rotation3::identity());
        shrinks_to(&Rotation2::new(1.0), |rotation: &Rotation2<f64>| rotation.angle() > 0.5);
        assert_eq!(simplest(&any::<Isometry2<f64>>()), Isometry2::identity());
        replays(&any::<(UnitComplex<f32>, UnitQuaternion<f64>)>());
    }

    #[test]
    fn everything_is_printed_as_its_parts() {
        prints_as!(Vector2<u8>, nalgebra::SVector::from([1, 2]));
        prints_as!(
            Matrix2x3<u8>,
            nalgebra::SMatrix::<_, 2, 3>::from_row_slice(&[1, 2, 3, 4, 5, 6])
        );
        prints_as!(SMatrix<u8, 0, 2>, nalgebra::SMatrix::<_, 0, 2>::from_row_slice(&[]));
        prints_as!(DVector<u8>, nalgebra::DVector::from_vec(vec![]));
        prints_as!(RowDVector<u8>, nalgebra::RowDVector::from_vec(vec![1, 2]));
        prints_as!(DMatrix<u8>, nalgebra::DMatrix::from_row_slice(2, 2, &[1, 2, 3, 4]));
        prints_as!(DMatrix<u8>, nalgebra::DMatrix::from_row_slice(0, 3, &[]));
        prints_as!(Point2<f64>, nalgebra::Point::from([1.0, -2.5]));
        prints_as!(Translation3<f32>, nalgebra::Translation::from([0.0, 1.0, 2.0]));
        prints_as!(Quaternion<f64>, nalgebra::Quaternion::new(1.0, 2.0, 3.0, 4.0));
        prints_as!(
            UnitQuaternion<f64>,
            nalgebra::UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(1.0, 0.0, 0.0, 0.0))
        );
        prints_as!(
            UnitComplex<f64>,
            nalgebra::UnitComplex::new_unchecked(nalgebra::Complex::new(0.0, 1.0))
        );
        prints_as!(
            Rotation2<f64>,
            nalgebra::Rotation2::from_matrix_unchecked(
                nalgebra::SMatrix::<_, 2, 2>::from_row_slice(&[0.0, -1.0, 1.0, 0.0])
            )
        );
        prints_as!(
            Isometry2<f64>,
            nalgebra::Isometry::from_parts(
                nalgebra::Translation::from([1.0, 2.0]),
                nalgebra::UnitComplex::new_unchecked(nalgebra::Complex::new(1.0, 0.0))
            )
        );
    }
}
