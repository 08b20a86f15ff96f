//! The type whose laws are inferred, and what can be called on it.

use crate::note::Note;
use crate::read::sources::Module;
use proc_macro2::TokenStream;
use std::path::PathBuf;
use std::rc::Rc;
use syn::Type;

/// A type and its functions.
#[derive(Clone)]
pub(crate) struct Subject {
    /// Its name alone: `Stack`.
    pub(crate) name: String,
    /// The type with its arguments: `Stack<i32>`.
    pub(crate) ty: Type,
    /// The module that defines it.
    pub(crate) module: Module,
    /// How its states are created.
    pub(crate) states: StateSource,
    pub(crate) constructors: Vec<Method>,
    /// The observers that probes call.
    pub(crate) observers: Vec<Method>,
    /// The modifiers whose laws are inferred.
    pub(crate) modifiers: Vec<Method>,
    /// The modifiers that lead to further states, whether their laws are inferred or not.
    pub(crate) steps: Vec<Method>,
    /// The conditions under which the constructor of [`StateSource::Constructor`] does not panic,
    /// in terms of its parameters. Empty until the constructor has been explored.
    pub(crate) constructor_conditions: Vec<String>,
    /// The assumptions made, and the parts that were left out.
    pub(crate) notes: Vec<Note>,
}

/// How the states of a type are created.
#[derive(Clone)]
pub(crate) enum StateSource {
    /// The type has a generator. States satisfy these conditions on `self`.
    Generator(Vec<TokenStream>),
    /// The fields are generated. States satisfy these conditions on `self`.
    Fields(Vec<(String, Type)>, Vec<TokenStream>),
    /// This constructor is called, then a generated list of modifiers.
    Constructor(Box<Method>),
}

/// A function of the type.
#[derive(Clone)]
pub(crate) struct Method {
    pub(crate) name: String,
    /// The parameters without `self`.
    pub(crate) parameters: Vec<Parameter>,
    /// The type of the result; `None` if there is no result.
    pub(crate) output: Option<Type>,
    /// The signature as written, for contracts.
    pub(crate) signature: String,
    /// The text of the function; `None` if it is derived.
    pub(crate) source: Option<FunctionSource>,
    pub(crate) role: MethodRole,
    /// Why it cannot be called, whatever its parameters are.
    pub(crate) uncallable: Option<Uncallable>,
}

/// The position of a function in its file.
#[derive(Clone, Debug)]
pub(crate) struct FunctionSource {
    pub(crate) file: PathBuf,
    /// The text of the file.
    pub(crate) text: Rc<str>,
    /// The start of the `impl` block, as a byte offset.
    pub(crate) block_start: usize,
    /// The start of the function, as a byte offset.
    pub(crate) function_start: usize,
    /// Whether the block has the attribute `contract`.
    pub(crate) has_contracts: bool,
}

/// A parameter of a function.
#[derive(Clone)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) ty: Type,
}

/// The purpose of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MethodRole {
    /// It has no `self` and returns the type.
    Constructor,
    /// It takes `&self` and returns a value.
    Observer,
    /// It takes `&mut self`.
    Modifier,
    /// Any other function.
    Other,
}

/// Why a function cannot be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Uncallable {
    /// It has a type parameter with a bound that `i32` may not satisfy.
    UnknownBound {
        parameter: String,
        bound: String,
    },
    /// It has type parameters and a `where` clause.
    WhereClause,
    Async,
    Unsafe,
    /// It is compiled under a condition.
    Conditional,
    /// A parameter needs a value of this type, which has no generator.
    NoGenerator {
        ty: String,
    },
}

impl Subject {
    /// Returns the name of a variable of the type: `array_list` for `ArrayList`.
    pub(crate) fn variable(&self) -> String {
        let mut name = String::new();
        for (nth, letter) in self.name.chars().enumerate() {
            if letter.is_uppercase() && nth > 0 {
                name.push('_');
            }
            name.extend(letter.to_lowercase());
        }
        name
    }
}
