//! Defines the interface between an explored test and its host.
//!
//! Exploration compiles a test for WebAssembly. The test is the guest: it exports an entry point
//! and imports functions of the module [`IMPORT_MODULE`]. The host is `rebut-concolic`, which
//! instantiates the module and answers the imports.
//!
//! ```text
//! guest                                          host
//! rebut-macros: exports rebut_test_f_0     <---  calls it with an EntryCommand
//! rebut-run (wasm_guest): describes itself --->  describe(path, .., EntryFlags)
//! rebut-choice (host.rs): draws a number   --->  draw(min, max, origin, packed domain)
//! rebut-run (wasm_guest/observe.rs)        --->  observe(ObservationPart, bytes)
//! rebut-choice (host.rs): ends the case    --->  stop(StopCode, text)
//! ```
//!
//! Names and numbers on this interface are defined here. `rebut_choice::wire` defines how kinds,
//! roles and labels of choices are packed, because it knows these types.

/// The module from which a test imports the functions of the host.
///
/// # Examples
/// ```
/// assert_eq!(rebut_protocol::wasm::IMPORT_MODULE, "rebut");
/// ```
pub const IMPORT_MODULE: &str = "rebut";

/// The start of the names of exported entry points.
///
/// # Examples
/// ```
/// use rebut_protocol::wasm;
/// assert!(wasm::export_of_test("sorts", 3).starts_with(wasm::TEST_PREFIX));
/// ```
pub const TEST_PREFIX: &str = "rebut_test_";

/// The start of the names of exported summaries.
///
/// # Examples
/// ```
/// use rebut_protocol::wasm;
/// assert!(wasm::export_of_summary("root", 3).starts_with(wasm::SUMMARY_PREFIX));
/// ```
pub const SUMMARY_PREFIX: &str = "rebut_summary_";

/// Returns the name under which a test is exported. The number distinguishes functions of the same
/// name in different modules.
///
/// # Examples
/// ```
/// use rebut_protocol::wasm;
/// assert_eq!(wasm::export_of_test("sorts", 3), "rebut_test_sorts_3");
/// ```
#[must_use]
pub fn export_of_test(function: &str, number: usize) -> String {
    format!("{TEST_PREFIX}{function}_{number}")
}

/// Returns the function whose test is exported under this name; `None` if the export is not a
/// test.
///
/// # Examples
/// ```
/// use rebut_protocol::wasm;
/// assert_eq!(wasm::test_of_export("rebut_test_adds_2_3"), Some("adds_2"));
/// assert_eq!(wasm::test_of_export("memory"), None);
/// ```
#[must_use]
pub fn test_of_export(export: &str) -> Option<&str> {
    Some(export.strip_prefix(TEST_PREFIX)?.rsplit_once('_')?.0)
}

/// Returns the name under which a summary is exported.
///
/// # Examples
/// ```
/// use rebut_protocol::wasm;
/// assert_eq!(wasm::export_of_summary("root", 3), "rebut_summary_root_3");
/// ```
#[must_use]
pub fn export_of_summary(function: &str, number: usize) -> String {
    format!("{SUMMARY_PREFIX}{function}_{number}")
}

/// Returns the summary that is exported under this name; `None` if the export is not a summary.
///
/// # Examples
/// ```
/// use rebut_protocol::wasm;
/// assert_eq!(wasm::summary_of_export("rebut_summary_root_3"), Some("root"));
/// ```
#[must_use]
pub fn summary_of_export(export: &str) -> Option<&str> {
    Some(export.strip_prefix(SUMMARY_PREFIX)?.rsplit_once('_')?.0)
}

/// Declares an enum whose variants are numbers on the wire.
macro_rules! wire_codes {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$about_variant:meta])* $variant:ident = $code:literal,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$about_variant])* $variant = $code,)*
        }

        impl $name {
            /// Every variant.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Returns the number of the variant.
            #[must_use]
            pub const fn to_wire(self) -> u32 {
                self as u32
            }

            /// Returns the variant with this number; `None` for a number of another version.
            #[must_use]
            pub const fn from_wire(code: u32) -> Option<$name> {
                match code {
                    $($code => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

wire_codes! {
    /// The argument of an entry point.
    ///
    /// # Examples
    /// ```
    /// use rebut_protocol::wasm::EntryCommand;
    /// assert_eq!(EntryCommand::from_wire(1), Some(EntryCommand::Run));
    /// ```
    #[derive(Default)]
    pub enum EntryCommand {
        /// Describe the test without running it.
        Describe = 0,
        /// Run the test on one case.
        #[default]
        Run = 1,
        /// Run the test on one case and report the generated values.
        Show = 2,
    }
}

wire_codes! {
    /// The reason for which a guest ends a case.
    ///
    /// # Examples
    /// ```
    /// use rebut_protocol::wasm::StopCode;
    /// assert_eq!(StopCode::from_wire(0), Some(StopCode::Rejected));
    /// ```
    pub enum StopCode {
        /// An assumption rejected the input.
        Rejected = 0,
        /// The test uses Rebut incorrectly.
        Misuse = 1,
        /// The input needs too many choices.
        TooLarge = 2,
        /// The input matches, in `exists` and `not_exists`.
        Found = 3,
        /// Rebut has a bug.
        Internal = 4,
    }
}

wire_codes! {
    /// The argument of an exported summary, which returns a function pointer.
    ///
    /// # Examples
    /// ```
    /// use rebut_protocol::wasm::SummaryFunction;
    /// assert_eq!(SummaryFunction::from_wire(0), Some(SummaryFunction::Original));
    /// ```
    pub enum SummaryFunction {
        /// The function that the summary describes.
        Original = 0,
        /// The function that replaces it.
        StandIn = 1,
    }
}

wire_codes! {
    /// A part of an observed value. Numbers are sent as their bytes; sequences, tuples and variants
    /// as a part that opens them, their elements, and [`Close`](ObservationPart::Close).
    ///
    /// # Examples
    /// ```
    /// use rebut_protocol::wasm::ObservationPart;
    ///
    /// let packed = ObservationPart::Begin.pack(7);
    /// assert_eq!(ObservationPart::unpack(packed), Some((ObservationPart::Begin, 7)));
    /// ```
    pub enum ObservationPart {
        /// The observation of a slot begins.
        Begin = 0,
        /// An unsigned integer.
        Unsigned = 1,
        /// A signed integer.
        Signed = 2,
        /// A boolean.
        Boolean = 3,
        /// A character.
        Character = 4,
        /// A float.
        Float = 5,
        /// A sequence opens.
        Sequence = 6,
        /// A string opens; its elements are bytes.
        Text = 7,
        /// A tuple opens.
        Tuple = 8,
        /// A variant of an enum opens; the bytes are its name.
        Variant = 9,
        /// The innermost open part ends.
        Close = 10,
        /// A value of which nothing can be reported.
        Opaque = 11,
        /// The type of the observed value; the bytes are its name.
        Type = 12,
        /// The items of an iterator open; the bytes are the name of its type.
        Iterated = 13,
        /// The observation of a slot ends.
        End = 14,
    }
}

impl ObservationPart {
    /// Returns the part and its slot as one number: the part in the low byte, the slot above it.
    #[must_use]
    pub const fn pack(self, slot: u32) -> u32 {
        self.to_wire() | slot << 8
    }

    /// Returns the part and the slot of a packed number.
    #[must_use]
    pub fn unpack(packed: u32) -> Option<(ObservationPart, u32)> {
        Some((ObservationPart::from_wire(packed & 0xFF)?, packed >> 8))
    }

    /// Returns whether the bytes of the part are a value that can be symbolic.
    #[must_use]
    pub const fn is_value(self) -> bool {
        use ObservationPart::{Boolean, Character, Float, Signed, Unsigned};
        matches!(self, Unsigned | Signed | Boolean | Character | Float)
    }
}

/// The attributes of a test that its host must know, one bit each.
///
/// # Examples
/// ```
/// use rebut_protocol::wasm::EntryFlags;
///
/// let flags = EntryFlags::EXISTS.with(EntryFlags::IGNORED, true);
/// assert!(flags.has(EntryFlags::EXISTS) && !flags.has(EntryFlags::SHOULD_PANIC));
/// assert_eq!(EntryFlags(flags.0), flags);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryFlags(pub u32);

impl EntryFlags {
    /// The inputs come from a specification.
    pub const SPECIFICATION: EntryFlags = EntryFlags(1);
    /// The test claims that a matching input exists.
    pub const EXISTS: EntryFlags = EntryFlags(1 << 1);
    /// The test claims that no matching input exists.
    pub const NOT_EXISTS: EntryFlags = EntryFlags(1 << 2);
    /// The test has `#[should_panic]`.
    pub const SHOULD_PANIC: EntryFlags = EntryFlags(1 << 3);
    /// The test has `#[ignore]`.
    pub const IGNORED: EntryFlags = EntryFlags(1 << 4);

    /// Returns these flags and the others, if `condition` is true.
    #[must_use]
    pub const fn with(self, others: EntryFlags, condition: bool) -> EntryFlags {
        EntryFlags(if condition { self.0 | others.0 } else { self.0 })
    }

    /// Returns whether all bits of `others` are set.
    #[must_use]
    pub const fn has(self, others: EntryFlags) -> bool {
        self.0 & others.0 == others.0
    }
}

/// The memory layout of a draw whose numbers need 128 bits: an array of four numbers, in the order
/// of these indices. The guest writes the first three, the host writes the last.
///
/// # Examples
/// ```
/// use rebut_protocol::wasm::WideDraw;
/// assert_eq!(WideDraw::offset(WideDraw::ANSWER), 48);
/// ```
#[derive(Debug)]
pub struct WideDraw;

impl WideDraw {
    /// The least number of the domain.
    pub const MIN: usize = 0;
    /// The greatest number of the domain.
    pub const MAX: usize = 1;
    /// The simplest number of the domain.
    pub const ORIGIN: usize = 2;
    /// The number that the host chose.
    pub const ANSWER: usize = 3;
    /// How many numbers there are.
    pub const COUNT: usize = 4;
    /// The size of a number in bytes.
    pub const SIZE: usize = 16;

    /// Returns the offset of a number in bytes.
    #[must_use]
    pub const fn offset(index: usize) -> u32 {
        (index * WideDraw::SIZE) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries every variant, and the first number behind them.
    fn check<T: Copy + PartialEq + std::fmt::Debug>(
        all: &[T],
        to_wire: fn(T) -> u32,
        from_wire: fn(u32) -> Option<T>,
    ) {
        for (n, &variant) in all.iter().enumerate() {
            assert_eq!(to_wire(variant), n as u32, "{variant:?}");
            assert_eq!(from_wire(n as u32), Some(variant));
        }
        assert_eq!(from_wire(all.len() as u32), None);
    }

    #[test]
    fn codes_round_trip() {
        check(EntryCommand::ALL, EntryCommand::to_wire, EntryCommand::from_wire);
        check(StopCode::ALL, StopCode::to_wire, StopCode::from_wire);
        check(SummaryFunction::ALL, SummaryFunction::to_wire, SummaryFunction::from_wire);
        check(ObservationPart::ALL, ObservationPart::to_wire, ObservationPart::from_wire);
    }

    #[test]
    fn observation_parts_carry_their_slot() {
        for &part in ObservationPart::ALL {
            for slot in [0, 1, 255, 256, (1 << 24) - 1] {
                assert_eq!(ObservationPart::unpack(part.pack(slot)), Some((part, slot)));
            }
        }
        assert_eq!(ObservationPart::unpack(0xFF), None);
    }

    #[test]
    fn flags_are_independent() {
        let all = [
            EntryFlags::SPECIFICATION,
            EntryFlags::EXISTS,
            EntryFlags::NOT_EXISTS,
            EntryFlags::SHOULD_PANIC,
            EntryFlags::IGNORED,
        ];
        for (n, flag) in all.iter().enumerate() {
            for (m, other) in all.iter().enumerate() {
                assert_eq!(flag.has(*other), n == m);
            }
            assert!(!EntryFlags::default().with(*flag, false).has(*flag));
        }
    }

    #[test]
    fn exports_name_their_functions() {
        for name in ["a", "a_1", "_", "été"] {
            assert_eq!(test_of_export(&export_of_test(name, 12)), Some(name));
            assert_eq!(summary_of_export(&export_of_summary(name, 12)), Some(name));
        }
        assert_eq!(test_of_export("rebut_summary_a_1"), None);
        assert_eq!(test_of_export("rebut_test_"), None);
    }
}
