//! Floats: the last bits of functions that libraries compute, bits of NaNs, and signs of zeros.
//!
//! The bits of each function are those of glibc; the library of WebAssembly gives others.

// false (rare): 9_622_097
#[rebut::test]
fn this_sine_ends_in_84(thousandths: u32) {
    if thousandths == 9_622_097 {
        assert_eq!((f64::from(thousandths) / 1000.0).sin().to_bits(), 0x3fe2_1a52_a619_6f84);
    }
}

// false (hidden): 13_963_540
#[rebut::test]
fn no_sine_is_this(thousandths: u32) {
    let sine = (f64::from(thousandths) / 1000.0).sin();
    assert_ne!(sine.to_bits(), 0x3fe7_d088_e9b0_929b);
}

// false (rare): 7_109_723
#[rebut::test]
fn this_cosine_ends_in_35(thousandths: u32) {
    if thousandths == 7_109_723 {
        assert_eq!((f64::from(thousandths) / 1000.0).cos().to_bits(), 0xbfee_94f4_b2c5_a935);
    }
}

// false (hidden): 15_112_256
#[rebut::test]
fn no_tangent_is_this(thousandths: u32) {
    let tangent = (f64::from(thousandths) / 1000.0).tan();
    assert_ne!(tangent.to_bits(), 0x4004_4be2_9cda_18da);
}

// false (rare): 281_660
#[rebut::test]
fn this_power_of_e_ends_in_64(n: u32) {
    if n == 281_660 {
        assert_eq!((f64::from(n) / 65536.0).exp().to_bits(), 0x4052_6260_6ec1_2664);
    }
}

// false (hidden): 844_546
#[rebut::test]
fn no_power_of_two_is_this(n: u32) {
    assert_ne!((f64::from(n) / 65536.0).exp2().to_bits(), 0x40bd_9586_7505_96c8);
}

// false (rare): 11_189_948
#[rebut::test]
fn this_logarithm_ends_in_b2(thousandths: u32) {
    if thousandths == 11_189_948 {
        assert_eq!((f64::from(thousandths) / 1000.0).ln().to_bits(), 0x4022_a542_42bf_86b2);
    }
}

// false (hidden): 16_104_014
#[rebut::test]
fn no_decimal_logarithm_is_this(thousandths: u32) {
    let logarithm = (f64::from(thousandths) / 1000.0).log10();
    assert_ne!(logarithm.to_bits(), 0x4010_d3e6_8b05_2e0c);
}

// false (rare): 5_769_017
#[rebut::test]
fn this_binary_logarithm_ends_in_78(thousandths: u32) {
    if thousandths == 5_769_017 {
        assert_eq!((f64::from(thousandths) / 1000.0).log2().to_bits(), 0x4028_fcfb_f5a9_d278);
    }
}

// false (rare): 5_504_214
#[rebut::test]
fn this_hyperbolic_sine_ends_in_e0(n: u32) {
    if n == 5_504_214 {
        assert_eq!((f64::from(n) / 65536.0).sinh().to_bits(), 0x4771_fb9e_1883_2ae0);
    }
}

// false (hidden): 281_660
#[rebut::test]
fn no_hyperbolic_cosine_is_this(n: u32) {
    assert_ne!((f64::from(n) / 65536.0).cosh().to_bits(), 0x4042_633f_3b4c_2223);
}

// false (rare): 700
#[rebut::test]
fn the_hyperbolic_tangent_of_seven_tenths_ends_in_90(thousandths: u32) {
    if thousandths == 700 {
        assert_eq!((f64::from(thousandths) / 1000.0).tanh().to_bits(), 0x3fe3_56fb_17af_2e90);
    }
}

// false (hidden): 9_779_947
#[rebut::test]
fn no_arcsine_is_this(n: u32) {
    assert_ne!((f64::from(n) / 16_777_216.0).asin().to_bits(), 0x3fe3_ea21_80e2_20b7);
}

// false (rare): 6_963_071
#[rebut::test]
fn this_arccosine_ends_in_84(n: u32) {
    if n == 6_963_071 {
        assert_eq!((f64::from(n) / 16_777_216.0).acos().to_bits(), 0x3ff2_48fc_9e3c_cb84);
    }
}

// false (hidden): 1_570_834
#[rebut::test]
fn no_arctangent_is_this(thousandths: u32) {
    let arctangent = (f64::from(thousandths) / 1000.0).atan();
    assert_ne!(arctangent.to_bits(), 0x3ff9_1f5f_cd11_a897);
}

// false (rare): 2_209_275
#[rebut::test]
fn this_power_of_e_minus_one_ends_in_d3(n: u32) {
    if n == 2_209_275 {
        assert_eq!((f64::from(n) / 65536.0).exp_m1().to_bits(), 0x42f8_d698_4c0d_21d3);
    }
}

// false (rare): 4_933_398
#[rebut::test]
fn this_logarithm_of_one_more_ends_in_7d(thousandths: u32) {
    if thousandths == 4_933_398 {
        assert_eq!((f64::from(thousandths) / 1000.0).ln_1p().to_bits(), 0x4021_020a_7293_c17d);
    }
}

// false (hidden): 6_962, 62_501
#[rebut::test]
fn no_power_is_this(base: u16, exponent: u16) {
    let power = (f64::from(base) / 256.0).powf(f64::from(exponent) / 4096.0);
    assert_ne!(power.to_bits(), 0x447a_3d44_85df_89a1);
}

// false (rare): 40_642, 53_150
#[rebut::test]
fn this_hypotenuse_ends_in_4c(a: u16, b: u16) {
    if a == 40_642 && b == 53_150 {
        let hypotenuse = (f64::from(a) / 256.0).hypot(f64::from(b) / 4096.0);
        assert_eq!(hypotenuse.to_bits(), 0x4063_e930_fc40_194d);
    }
}

// false (hidden): 61_050, 51_273
#[rebut::test]
fn no_angle_is_this(y: u16, x: u16) {
    let angle = (f64::from(y) / 256.0).atan2(f64::from(x) / 4096.0);
    assert_ne!(angle.to_bits(), 0x3ff8_4b2d_37c6_6197);
}

// false (rare): 945_653
#[rebut::test]
fn this_short_sine_ends_in_f9(hundredths: u32) {
    if hundredths == 945_653 {
        assert_eq!((hundredths as f32 / 100.0).sin().to_bits(), 0x3ea8_fff9);
    }
}

// false (hidden): 408_766
#[rebut::test]
fn no_short_power_of_e_is_this(n: u32) {
    assert!(n != 408_766 || (n as f32 / 20_000.0).exp().to_bits() != 0x4e33_4cd7);
}

// false (rare): 279_262
#[rebut::test]
fn this_short_logarithm_ends_in_5a(hundredths: u32) {
    if hundredths == 279_262 {
        assert_eq!((hundredths as f32 / 100.0).ln().to_bits(), 0x40fd_e95a);
    }
}

// false (rare): 346
#[rebut::test]
fn the_short_arctangent_of_346_ends_in_8f(hundredths: u32) {
    if hundredths == 346 {
        assert_ne!((hundredths as f32 / 100.0).atan().to_bits(), 0x3fa5_0c8e);
    }
}

// false (rare): 9_079_263
#[rebut::test]
fn sums_of_logarithms_order_as_in_webassembly(thousandths: u32) {
    if thousandths == 9_079_263 {
        let logarithm = (f64::from(thousandths) / 1000.0).ln();
        assert!(logarithm < f64::from_bits(0x4022_3a3d_37a0_af15));
    }
}

// false (rare): 700
#[rebut::test]
fn printed_tangents_end_as_in_webassembly(thousandths: u32) {
    if thousandths == 700 {
        let printed = (f64::from(thousandths) / 1000.0).tanh().to_string();
        assert_ne!(printed, "0.6043677771171636");
    }
}

// false (rare): 405_555
#[rebut::test]
fn cubes_are_powers(thousandths: u32) {
    if thousandths == 405_555 {
        let x = f64::from(thousandths) / 1000.0;
        assert_eq!(x.powi(3).to_bits(), x.powf(3.0).to_bits());
    }
}

// false (easy): -0.0, 0.0
#[rebut::test]
fn the_larger_zero_is_positive(a: f64, b: f64) {
    if a == 0.0 && b == 0.0 && a.is_sign_negative() != b.is_sign_negative() {
        assert!(a.max(b).is_sign_positive());
    }
}

// false (easy): 0.0, -0.0
#[rebut::test]
fn the_smaller_zero_is_negative(a: f64, b: f64) {
    if a == 0.0 && b == 0.0 && a.is_sign_negative() != b.is_sign_negative() {
        assert!(a.min(b).is_sign_negative());
    }
}

// false (rare): 0.0, -0.0, 14_142_135
#[rebut::test]
fn short_zeros_have_the_smaller_sign(a: f32, b: f32, n: u32) {
    if n == 14_142_135 && a == 0.0 && b == 0.0 && a.to_bits() < b.to_bits() {
        assert_eq!(a.min(b).to_bits(), 1 << 31);
    }
}

// false (rare): -0.0, 0.0, 17_320_508
#[rebut::test]
fn short_zeros_have_the_larger_sign(a: f32, b: f32, n: u32) {
    if n == 17_320_508 && a == 0.0 && b == 0.0 && a.to_bits() > b.to_bits() {
        assert_eq!(a.max(b).to_bits(), 0);
    }
}

// false (rare): 22_360_679
#[rebut::test]
fn the_smallest_of_zeros_is_negative(n: u32) {
    if n == 22_360_679 {
        let zero = f64::from(n) * 0.0;
        let smallest = [zero, -zero].into_iter().fold(f64::INFINITY, f64::min);
        assert!(smallest.is_sign_negative());
    }
}

// false (rare): 26_457_513
#[rebut::test]
fn inverses_of_larger_zeros_are_positive(n: u32) {
    if n == 26_457_513 {
        let zero = -(f64::from(n) * 0.0);
        assert!(1.0 / zero.max(-zero) > 0.0);
    }
}

// false (easy): 0
#[rebut::test]
fn nothing_divided_by_nothing_is_a_positive_nan(n: u8) {
    let zero = f64::from(n) * 0.0;
    assert!((zero / zero).is_sign_positive());
}

// false (rare): 33_166_247
#[rebut::test]
fn differences_of_infinities_have_a_zero_sign(n: u32) {
    if n == 33_166_247 {
        let infinity = f64::from(n) * f64::INFINITY;
        assert_eq!((infinity - infinity).to_bits() >> 63, 0);
    }
}

// false (rare): 36_055_512
#[rebut::test]
fn nans_of_roots_are_the_constant(n: u32) {
    if n == 36_055_512 {
        assert_eq!((-f64::from(n)).sqrt().to_bits(), f64::NAN.to_bits());
    }
}

// false (rare): 41_231_056
#[rebut::test]
fn nans_of_logarithms_are_the_constant(n: u32) {
    if n == 41_231_056 {
        assert_eq!((-f64::from(n)).ln().to_bits(), f64::NAN.to_bits());
    }
}

// false (rare): 43_588_989
#[rebut::test]
fn sums_of_nans_have_the_payload_of_the_second(n: u32) {
    if n == 43_588_989 {
        let first = f64::from_bits(0x7ff8_0000_0000_0000 | u64::from(n));
        let second = f64::from_bits(0x7ff8_0000_0000_0456);
        assert_eq!((first + second).to_bits(), second.to_bits());
    }
}

// false (rare): 47_958_315
#[rebut::test]
fn smaller_nans_have_the_payload_of_the_first(n: u32) {
    if n == 47_958_315 {
        let first = f64::from_bits(0x7ff8_0000_0000_0000 | u64::from(n));
        let second = f64::from_bits(0xfff8_0000_0000_0456);
        assert_eq!(first.min(second).to_bits(), first.to_bits());
    }
}

// false (rare): 52_915_026
#[rebut::test]
fn remainders_by_nothing_are_positive_nans(n: u32) {
    if n == 52_915_026 {
        let remainder = f64::from(n) % (f64::from(n) * 0.0);
        assert!(remainder.is_sign_positive());
    }
}

// false (rare): 53_851_648
#[rebut::test]
fn nans_are_above_all_numbers(n: u32) {
    if n == 53_851_648 {
        let zero = f64::from(n) * 0.0;
        assert!((zero / zero).total_cmp(&1.0).is_gt());
    }
}

// false (hidden): 0x7ff0_0000_0000_0123
#[rebut::test]
fn quiet_nans_keep_all_bits(bits: u64) {
    let same = f64::from_bits(bits) * 1.0;
    assert!(same.to_bits() == bits || bits != 0x7ff0_0000_0000_0123);
}

// false (easy): 0
#[rebut::test]
fn copied_signs_of_products_are_positive(n: u8) {
    let nan = f64::INFINITY * (f64::from(n) * 0.0);
    assert_eq!(1.0_f64.copysign(nan), 1.0);
}

// false (rare): 64_031_242
#[rebut::test]
fn short_quotients_of_zeros_hash_as_the_constant(n: u32) {
    if n == 64_031_242 {
        let zero = n as f32 * 0.0;
        assert_eq!((zero / zero).to_bits(), f32::NAN.to_bits());
    }
}

// true: casts of floats to integers saturate on every target.
#[rebut::test]
fn casts_saturate(x: f64) {
    let n = x as i32;
    assert!(!x.is_nan() || n == 0);
    assert!(x < 2_147_483_647.0 || x.is_nan() || n == i32::MAX);
}

// true: a u32 fits into a double.
#[rebut::test]
fn doubles_hold_every_u32(n: u32) {
    assert_eq!(f64::from(n) as u32, n);
}

// true: comparisons of the bits of a number with itself.
#[rebut::test]
fn bits_of_numbers_round_trip(bits: u32) {
    assert_eq!(f32::from_bits(bits).to_bits(), bits);
}

// true: the absolute value changes one bit, in a NaN too.
#[rebut::test]
fn absolute_values_have_no_sign(bits: u64) {
    assert_eq!(f64::from_bits(bits).abs().to_bits(), bits & !(1 << 63));
}

// true: a sum of two integers below 2^32 is exact in doubles.
#[rebut::test]
fn sums_of_whole_numbers_are_exact(a: u32, b: u32) {
    assert_eq!(f64::from(a) + f64::from(b), (u64::from(a) + u64::from(b)) as f64);
}

// true: the order of equal numbers does not depend on signs of zeros.
#[rebut::test]
fn smaller_numbers_are_not_larger(a: f32, b: f32) {
    if !a.is_nan() && !b.is_nan() {
        assert!(a.min(b) <= a && a.min(b) <= b);
    }
}

// true: total order is that of the bits, whatever they are.
#[rebut::test]
fn total_order_is_antisymmetric(a: u64, b: u64) {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    assert_eq!(x.total_cmp(&y), y.total_cmp(&x).reverse());
}

// true: halves of even numbers are exact.
#[rebut::test]
fn halves_round_down(n: u16) {
    assert_eq!((f64::from(n) / 2.0).floor() as u16, n / 2);
}

// true: a NaN is not equal to itself, with any bits.
#[rebut::test]
fn nothing_divided_by_nothing_is_a_nan(n: u8) {
    let zero = f64::from(n) * 0.0;
    assert!((zero / zero).is_nan());
}
