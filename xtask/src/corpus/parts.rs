//! Finds the parts of a printed value and their types.
//!
//! A value is printed as an expression, and its type is known: from the report, and from the types
//! that the file of the property defines. Both are walked together, so every part of the
//! expression gets a type. Other values of that type can then take its place (`draws.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Lit, Pat, Stmt, Token, Type};

/// One `let` statement of a report.
pub(super) struct ShownValue {
    /// The type as it is printed, or that of the parameter.
    pub(super) ty: Type,
    /// The bytes of the expression.
    pub(super) code: Range<usize>,
    pub(super) expression: Expr,
}

/// Parses the values of a report. Returns `None` if they are not one statement for each parameter.
pub(super) fn shown_values(values: &str, parameters: &[Type]) -> Option<Vec<ShownValue>> {
    let statements = syn::Block::parse_within.parse_str(values).ok()?;
    if statements.len() != parameters.len() {
        return None;
    }
    statements.into_iter().zip(parameters).map(|(one, ty)| shown_value(one, ty)).collect()
}

fn shown_value(statement: Stmt, parameter: &Type) -> Option<ShownValue> {
    let Stmt::Local(local) = statement else { return None };
    let expression = *local.init?.expr;
    let code = expression.span().byte_range();
    Some(match local.pat {
        Pat::Type(pattern) => ShownValue { ty: *pattern.ty, code, expression },
        _ => ShownValue { ty: parameter.clone(), code, expression },
    })
}

/// A part of a value.
#[derive(Clone)]
pub(super) struct ValuePart {
    pub(super) bytes: Range<usize>,
    pub(super) ty: PartType,
}

/// The type of the values that can replace a part.
#[derive(Clone)]
pub(super) enum PartType {
    /// Any value of a type.
    Of(Box<Type>),
    /// A string literal whose text in these bytes of the literal is replaced.
    Text { literal: Range<usize>, is_whole: bool },
    /// An integer from a range.
    Within { low: i128, high: i128 },
    /// The code around the part decides the type, as in the statements of a program.
    Inferred,
}

/// The types that a file defines.
#[derive(Clone, Default)]
pub(super) struct Definitions {
    pub(super) structs: BTreeMap<String, syn::Fields>,
    pub(super) enums: BTreeMap<String, Vec<syn::Variant>>,
    pub(super) aliases: BTreeMap<String, Type>,
    /// The names of types with attributes on fields.
    restricted: BTreeSet<String>,
}

impl Definitions {
    /// Collects types without type parameters. Attributes on fields restrict the values.
    pub(super) fn of(items: &[syn::Item]) -> Definitions {
        let mut definitions = Definitions::default();
        for item in items {
            match item {
                syn::Item::Struct(item)
                    if item.generics.params.is_empty() && is_plain(&item.fields) =>
                {
                    definitions.structs.insert(item.ident.to_string(), item.fields.clone());
                }
                syn::Item::Struct(item) => {
                    definitions.restricted.insert(item.ident.to_string());
                }
                syn::Item::Enum(item) if item.generics.params.is_empty() => {
                    let variants: Vec<syn::Variant> = item.variants.iter().cloned().collect();
                    let plain = |variant: &syn::Variant| {
                        variant.attrs.is_empty() && is_plain(&variant.fields)
                    };
                    let name = item.ident.to_string();
                    if variants.iter().all(plain) {
                        definitions.enums.insert(name, variants);
                    } else {
                        definitions.restricted.insert(name);
                    }
                }
                syn::Item::Type(item) if item.generics.params.is_empty() => {
                    definitions.aliases.insert(item.ident.to_string(), (*item.ty).clone());
                }
                _ => {}
            }
        }
        definitions
    }

    /// Returns whether a value has a part of a type with attributes on fields.
    pub(super) fn restricts(&self, value: &Expr) -> bool {
        let code = value.to_token_stream().to_string();
        let mut words = code.split(|c: char| c != '_' && !c.is_alphanumeric());
        words.any(|word| self.restricted.contains(word))
    }

    /// Follows aliases.
    pub(super) fn resolve<'a>(&'a self, ty: &'a Type) -> &'a Type {
        let mut ty = ty;
        // An alias of itself does not compile, so the chain ends.
        while let Some(alias) = simple_name(ty).and_then(|name| self.aliases.get(&name)) {
            ty = alias;
        }
        ty
    }
}

fn is_plain(fields: &syn::Fields) -> bool {
    fields.iter().all(|field| field.attrs.iter().all(|attribute| attribute.path().is_ident("doc")))
}

/// Returns the name of a type without arguments.
pub(super) fn simple_name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    last.arguments.is_none().then(|| last.ident.to_string())
}

/// Returns the name and the type arguments of a type such as `Option<u8>`.
pub(super) fn generic(ty: &Type) -> Option<(String, Vec<Type>)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    });
    Some((last.ident.to_string(), types.collect()))
}

/// Lists the parts of an expression, each before its own parts.
pub(super) fn parts(expression: &Expr, ty: &Type, definitions: &Definitions) -> Vec<ValuePart> {
    let mut walk = PartWalk { definitions, parts: Vec::new() };
    walk.visit(expression, ty);
    walk.parts
}

struct PartWalk<'a> {
    definitions: &'a Definitions,
    parts: Vec<ValuePart>,
}

impl PartWalk<'_> {
    fn visit(&mut self, expression: &Expr, ty: &Type) {
        let ty = self.definitions.resolve(ty).clone();
        let bytes = expression.span().byte_range();
        self.parts.push(ValuePart { bytes, ty: PartType::Of(Box::new(ty.clone())) });
        match (expression, &ty) {
            (Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }), _) => {
                let literal = literal.span().byte_range();
                self.parts.push(ValuePart {
                    bytes: literal.clone(),
                    ty: PartType::Text { literal, is_whole: true },
                });
            }
            (Expr::Reference(reference), Type::Reference(ty)) => {
                self.visit(&reference.expr, &ty.elem);
            }
            (Expr::MethodCall(call), _) if call.args.is_empty() => {
                // `"..".to_string()`, `"..".into()`.
                if let Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) = &*call.receiver {
                    let literal = literal.span().byte_range();
                    self.parts.push(ValuePart {
                        bytes: literal.clone(),
                        ty: PartType::Text { literal, is_whole: true },
                    });
                }
            }
            (Expr::Tuple(tuple), Type::Tuple(ty)) => {
                for (element, ty) in tuple.elems.iter().zip(&ty.elems) {
                    self.visit(element, ty);
                }
            }
            (Expr::Array(array), Type::Array(ty)) => {
                array.elems.iter().for_each(|element| self.visit(element, &ty.elem));
            }
            (Expr::Array(array), Type::Slice(ty)) => {
                array.elems.iter().for_each(|element| self.visit(element, &ty.elem));
            }
            (Expr::Macro(call), _) if call.mac.path.is_ident("vec") => {
                let elements = Punctuated::<Expr, Token![,]>::parse_terminated;
                let elements = elements.parse2(call.mac.tokens.clone());
                if let (Some(element), Ok(elements)) = (element_of(&ty), elements) {
                    elements.iter().for_each(|expression| self.visit(expression, &element));
                }
            }
            (Expr::Call(call), _) => self.visit_call(call, &ty),
            (Expr::Struct(value), _) => {
                let path = value.path.segments.iter().map(|word| word.ident.to_string());
                let path: Vec<String> = path.collect();
                let Some(fields) = self.fields_of(&path, &ty) else { return };
                for field in &value.fields {
                    let is_same = |ty: &&syn::Field| matches!(&field.member, syn::Member::Named(name) if ty.ident.as_ref() == Some(name));
                    let ty = fields.iter().find(is_same).map(|field| field.ty.clone());
                    ty.iter().for_each(|ty| self.visit(&field.expr, ty));
                }
            }
            _ => {}
        }
    }

    fn visit_call(&mut self, call: &syn::ExprCall, ty: &Type) {
        let Expr::Path(path) = &*call.func else { return };
        let path: Vec<String> =
            path.path.segments.iter().map(|word| word.ident.to_string()).collect();
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        match (names.as_slice(), generic(ty), arguments.as_slice()) {
            ([.., "Some"], Some((name, types)), [inside]) if name == "Option" => {
                types.iter().for_each(|ty| self.visit(inside, ty));
            }
            ([.., "Ok"], Some((name, types)), [inside]) if name == "Result" => {
                types.iter().take(1).for_each(|ty| self.visit(inside, ty));
            }
            ([.., "Err"], Some((name, types)), [inside]) if name == "Result" => {
                types.iter().skip(1).for_each(|ty| self.visit(inside, ty));
            }
            ([.., "new"], Some((name, types)), [inside]) if name == "Box" => {
                types.iter().for_each(|ty| self.visit(inside, ty));
            }
            ([.., "String", "from"], _, [Expr::Lit(ExprLit { lit: Lit::Str(literal), .. })]) => {
                let literal = literal.span().byte_range();
                self.parts.push(ValuePart {
                    bytes: literal.clone(),
                    ty: PartType::Text { literal, is_whole: true },
                });
            }
            _ => {
                let Some(fields) = self.fields_of(&path, ty) else { return };
                for (argument, field) in arguments.iter().zip(fields.iter()) {
                    self.visit(argument, &field.ty);
                }
            }
        }
    }

    /// Returns the fields of a struct or a variant.
    fn fields_of(&self, path: &[String], ty: &Type) -> Option<syn::Fields> {
        let name = simple_name(ty)?;
        if let Some(fields) = self.definitions.structs.get(&name) {
            return Some(fields.clone());
        }
        let variants = self.definitions.enums.get(&name)?;
        let variant =
            variants.iter().find(|variant| Some(&variant.ident.to_string()) == path.last());
        variant.map(|variant| variant.fields.clone())
    }
}

/// Returns the type of the elements of a sequence.
fn element_of(ty: &Type) -> Option<Type> {
    match ty {
        Type::Slice(ty) => Some((*ty.elem).clone()),
        Type::Array(ty) => Some((*ty.elem).clone()),
        Type::Reference(ty) => element_of(&ty.elem),
        _ => match generic(ty)? {
            (name, mut types) if name == "Vec" => Some(types.swap_remove(0)),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(values: &str, items: &str) -> Vec<String> {
        let definitions = Definitions::of(&syn::parse_file(items).expect("items").items);
        let unknown: Type = syn::parse_quote!(Unknown);
        let shown = shown_values(values, &[unknown]).expect("values");
        let parts =
            shown.iter().flat_map(|value| parts(&value.expression, &value.ty, &definitions));
        parts.map(|part| values[part.bytes].to_owned()).collect()
    }

    #[test]
    fn parts_of_values_have_types() {
        let values = "let (a, b): (u8, Option<i8>) = (1, Some(-2));";
        assert_eq!(listed(values, ""), ["(1, Some(-2))", "1", "Some(-2)", "-2"]);
        let values = "let a: &[Op] = &[Op::Push(3), Op::Pop];";
        let items = "enum Op { Push(u8), Pop }";
        let expected =
            ["&[Op::Push(3), Op::Pop]", "[Op::Push(3), Op::Pop]", "Op::Push(3)", "3", "Op::Pop"];
        assert_eq!(listed(values, items), expected);
        assert_eq!(listed("let s: &str = \"é1\";", ""), ["\"é1\"", "\"é1\""]);
        assert_eq!(listed("let v: Vec<u8> = vec![1, 2];", ""), ["vec![1, 2]", "1", "2"]);
    }
}
