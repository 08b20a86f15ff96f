//! The parsed type of a derive.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, GenericArgument, Generics, Meta, PathArguments,
    Result, Type, Visibility, WherePredicate,
};

use super::recursion::Recursion;
use crate::draw::Draw;
use crate::facade::Facade;
use crate::name_value::{Errors, Setting};

pub(super) struct DerivedType<'a> {
    pub(super) name: &'a Ident,
    pub(super) visibility: &'a Visibility,
    pub(super) generics: &'a Generics,
    pub(super) facade: Facade,
    pub(super) filter: Option<Expr>,
    /// The bounds that replace the inferred ones.
    pub(super) bound: Option<Vec<WherePredicate>>,
    pub(super) no_code: bool,
    pub(super) shape: TypeShape<'a>,
}

pub(super) enum TypeShape<'a> {
    Struct(Fields<'a>),
    Enum(Vec<Variant<'a>>),
}

pub(super) struct Variant<'a> {
    pub(super) name: &'a Ident,
    pub(super) fields: Fields<'a>,
    pub(super) weight: Option<Expr>,
    pub(super) is_skipped: bool,
    pub(super) is_simplest: bool,
    pub(super) is_recursive: bool,
}

pub(super) struct Fields<'a> {
    pub(super) fields: Vec<Field<'a>>,
    pub(super) style: FieldStyle,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldStyle {
    Named,
    Tuple,
    Unit,
}

pub(super) struct Field<'a> {
    /// The local variable of the value: the name of the field, or `_0`.
    pub(super) variable: Ident,
    pub(super) ty: &'a Type,
    pub(super) draw: Draw,
    pub(super) is_recursive: bool,
    is_numbered: bool,
    pub(super) visibility: &'a Visibility,
    pub(super) attributes: &'a [Attribute],
}

impl Field<'_> {
    /// Returns the name of the field, or its index in a tuple.
    pub(super) fn name(&self) -> String {
        let name = self.variable.unraw().to_string();
        match name.strip_prefix('_') {
            Some(number) if self.is_numbered => number.to_owned(),
            _ => name,
        }
    }
}

impl<'a> DerivedType<'a> {
    pub(super) fn new(input: &'a DeriveInput) -> Result<DerivedType<'a>> {
        let recursion = Recursion::in_file_of(&input.ident);
        let mut errors = Errors::default();
        let shape = errors.ok(TypeShape::new(input, &recursion));
        let head = errors.ok(head(input));
        let (Some(shape), Some(head)) = (shape, head) else {
            return Err(errors.finish(()).err().unwrap_or_else(|| unreadable(input)));
        };
        let model = DerivedType { shape, ..head };
        errors.ok(model.check_end());
        errors.finish(model)
    }

    /// Returns the fields of all variants that are not skipped.
    pub(super) fn drawn_fields(&self) -> impl Iterator<Item = &Field<'a>> {
        self.all_fields(|variant| !variant.is_skipped)
    }

    /// Returns the fields of the wanted variants.
    pub(super) fn all_fields(
        &self,
        wanted: impl Fn(&Variant<'a>) -> bool,
    ) -> impl Iterator<Item = &Field<'a>> {
        let (record, variants) = match &self.shape {
            TypeShape::Struct(fields) => (Some(fields), [].as_slice()),
            TypeShape::Enum(variants) => (None, variants.as_slice()),
        };
        let variants = variants.iter().filter(move |variant| wanted(variant));
        record.into_iter().chain(variants.map(|variant| &variant.fields)).flat_map(|f| &f.fields)
    }

    pub(super) fn is_recursive(&self) -> bool {
        match &self.shape {
            TypeShape::Struct(fields) => fields.are_recursive(),
            TypeShape::Enum(variants) => drawn(variants).iter().any(|variant| variant.is_recursive),
        }
    }

    /// Returns an error if every value of the type would contain another one forever.
    fn check_end(&self) -> Result<()> {
        let endless = |fields: &Fields<'a>| {
            fields
                .fields
                .iter()
                .find(|field| field.draw.uses_type() && self.needs_itself(field.ty))
                .map(|field| field.ty)
        };
        let first = match &self.shape {
            TypeShape::Struct(fields) => endless(fields),
            TypeShape::Enum(variants) => {
                let ends: Option<Vec<_>> =
                    drawn(variants).iter().map(|variant| endless(&variant.fields)).collect();
                ends.and_then(|types| types.first().copied())
            }
        };
        match first {
            None => Ok(()),
            Some(ty) => Err(Error::new_spanned(
                ty,
                format!(
                    "every `{0}` would contain another `{0}` forever; put it in an \
                     `Option` or a `Vec`, or add a variant without it",
                    self.name
                ),
            )),
        }
    }

    /// Returns whether a value of `ty` always contains a value of the type itself.
    fn needs_itself(&self, ty: &Type) -> bool {
        match ty {
            Type::Tuple(tuple) => tuple.elems.iter().any(|ty| self.needs_itself(ty)),
            Type::Paren(paren) => self.needs_itself(&paren.elem),
            Type::Reference(reference) => self.needs_itself(&reference.elem),
            Type::Path(path) => path.path.segments.last().is_some_and(|last| {
                let pointers = ["Box", "Rc", "Arc", "Cell", "RefCell", "Mutex", "RwLock"];
                (path.path.segments.len() == 1
                    && (last.ident == *self.name || last.ident == "Self"))
                    || (pointers.iter().any(|pointer| last.ident == pointer)
                        && arguments(&last.arguments).any(|ty| self.needs_itself(ty)))
            }),
            _ => false,
        }
    }
}

fn arguments(arguments: &PathArguments) -> impl Iterator<Item = &Type> {
    let list = match arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    list.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Returns the variants that are not skipped, simplest first.
pub(super) fn drawn<'a, 'b>(variants: &'b [Variant<'a>]) -> Vec<&'b Variant<'a>> {
    let mut drawn: Vec<_> = variants.iter().filter(|variant| !variant.is_skipped).collect();
    drawn.sort_by_key(|variant| (!variant.is_simplest, variant.is_recursive));
    drawn
}

/// Returns whether all variants that are not skipped have no fields.
pub(super) fn are_units(variants: &[Variant<'_>]) -> bool {
    drawn(variants).iter().all(|variant| variant.fields.fields.is_empty())
}

/// Parses everything except the shape, which stays empty.
fn head(input: &DeriveInput) -> Result<DerivedType<'_>> {
    let mut model = DerivedType {
        name: &input.ident,
        visibility: &input.vis,
        generics: &input.generics,
        facade: Facade::default(),
        filter: None,
        bound: None,
        no_code: false,
        shape: TypeShape::Enum(Vec::new()),
    };
    let mut errors = Errors::default();
    for setting in settings(&input.attrs, &mut errors) {
        let result = match setting.name.to_string().as_str() {
            "filter" => setting
                .value("|value| value.is_valid()")
                .map(|filter| model.filter = Some(filter.clone())),
            "bound" => bound(&setting).map(|bound| model.bound = Some(bound)),
            "no_code" => setting.flag().map(|()| model.no_code = true),
            "crate" => setting.path("::rebut").map(|path| model.facade = Facade::at(&path)),
            _ => Err(setting.unknown(&["filter", "bound", "no_code", "crate"])),
        };
        errors.ok(result);
    }
    errors.finish(model)
}

fn bound(setting: &Setting) -> Result<Vec<WherePredicate>> {
    let text = setting.text("\"T: Clone\"")?;
    let list = syn::punctuated::Punctuated::<WherePredicate, syn::Token![,]>::parse_terminated;
    Ok(text.parse_with(list)?.into_iter().collect())
}

/// Returns the settings of all `#[generate(..)]` attributes.
fn settings(attributes: &[Attribute], errors: &mut Errors) -> Vec<Setting> {
    let attributes = attributes.iter().filter(|attribute| attribute.path().is_ident("generate"));
    attributes
        .filter_map(|attribute| errors.ok(Setting::from_attribute(attribute)))
        .flatten()
        .collect()
}

impl<'a> TypeShape<'a> {
    fn new(input: &'a DeriveInput, recursion: &Recursion) -> Result<TypeShape<'a>> {
        match &input.data {
            Data::Struct(data) => Fields::new(&data.fields, recursion).map(TypeShape::Struct),
            Data::Enum(data) => {
                let mut errors = Errors::default();
                let variants: Vec<_> = data
                    .variants
                    .iter()
                    .filter_map(|variant| errors.ok(Variant::new(variant, recursion)))
                    .collect();
                if data.variants.len() == variants.len() {
                    errors.ok(check_variants(input, &variants));
                }
                errors.finish(TypeShape::Enum(variants))
            }
            Data::Union(data) => Err(Error::new_spanned(
                data.union_token,
                "a union does not record which field is valid, so Rebut cannot generate one; \
                 implement `rebut::Generate` by hand or use an enum",
            )),
        }
    }
}

fn check_variants(input: &DeriveInput, variants: &[Variant<'_>]) -> Result<()> {
    let mut errors = Errors::default();
    if variants.is_empty() {
        errors.push(&input.ident, "an enum without variants has no values");
    } else if drawn(variants).is_empty() {
        errors.push(&input.ident, "every variant is skipped; keep at least one");
    }
    for variant in variants.iter().filter(|variant| variant.is_simplest).skip(1) {
        errors.push(variant.name, "only one variant can be the simplest");
    }
    for variant in variants.iter().filter(|variant| variant.is_simplest) {
        if variant.is_skipped {
            errors.push(variant.name, "the simplest variant cannot be skipped");
        }
        if variant.is_recursive {
            errors.push(
                variant.name,
                "the simplest variant must not contain the type itself; mark another one",
            );
        }
    }
    errors.finish(())
}

impl<'a> Variant<'a> {
    fn new(variant: &'a syn::Variant, recursion: &Recursion) -> Result<Variant<'a>> {
        let mut errors = Errors::default();
        let mut model = Variant {
            name: &variant.ident,
            fields: Fields { fields: Vec::new(), style: FieldStyle::Unit },
            weight: None,
            is_skipped: false,
            is_simplest: false,
            is_recursive: false,
        };
        for setting in settings(&variant.attrs, &mut errors) {
            let result = match setting.name.to_string().as_str() {
                "weight" => weight(&setting).map(|weight| model.weight = Some(weight)),
                "skip" => setting.flag().map(|()| model.is_skipped = true),
                "simplest" => setting.flag().map(|()| model.is_simplest = true),
                "recursive" => setting.flag().map(|()| model.is_recursive = true),
                _ => Err(setting.unknown(&["weight", "skip", "simplest", "recursive"])),
            };
            errors.ok(result);
        }
        if let Some(fields) = errors.ok(Fields::new(&variant.fields, recursion)) {
            model.is_recursive |= fields.are_recursive();
            model.fields = fields;
        }
        errors.finish(model)
    }
}

impl<'a> Fields<'a> {
    fn new(fields: &'a syn::Fields, recursion: &Recursion) -> Result<Fields<'a>> {
        let style = match fields {
            syn::Fields::Named(_) => FieldStyle::Named,
            syn::Fields::Unnamed(_) => FieldStyle::Tuple,
            syn::Fields::Unit => FieldStyle::Unit,
        };
        let mut errors = Errors::default();
        let fields = fields
            .iter()
            .enumerate()
            .filter_map(|(n, field)| {
                errors.ok(check_from(&field.attrs));
                let draw = errors.ok(Draw::from_attributes(field.attrs.iter().filter(is_ours)))?;
                let is_recursive =
                    draw.uses_type() && recursion.concerns(field.ty.to_token_stream());
                let variable = field.ident.clone().unwrap_or_else(|| format_ident!("_{n}"));
                let is_numbered = field.ident.is_none();
                let attributes = &field.attrs;
                Some(Field {
                    variable,
                    ty: &field.ty,
                    draw,
                    is_recursive,
                    is_numbered,
                    visibility: &field.vis,
                    attributes,
                })
            })
            .collect();
        errors.finish(Fields { fields, style })
    }

    fn are_recursive(&self) -> bool {
        self.fields.iter().any(|field| field.is_recursive)
    }

    /// Returns the constructor applied to the variables. It also works as a pattern.
    pub(super) fn build(&self, constructor: &TokenStream) -> TokenStream {
        let variables = self.fields.iter().map(|field| &field.variable);
        match self.style {
            FieldStyle::Named => quote!(#constructor { #(#variables),* }),
            FieldStyle::Tuple => quote!(#constructor(#(#variables),*)),
            FieldStyle::Unit => constructor.clone(),
        }
    }
}

/// Returns whether an attribute is `#[generate]`. On a field, `#[from]` belongs to other derives.
fn is_ours(attribute: &&Attribute) -> bool {
    attribute.path().is_ident("generate")
}

/// Returns an error for `#[from(..)]` with a generator: other derives take types there, so it was
/// meant for this one.
fn check_from(attributes: &[Attribute]) -> Result<()> {
    let mut errors = Errors::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("from")) {
        if let Meta::List(list) = &attribute.meta
            && has_expression(&list.tokens)
        {
            let tokens = &list.tokens;
            let message = format!(
                "on a field, write `#[generate({tokens})]`; `#[from(..)]` is for parameters of \
                 tests"
            );
            errors.push(attribute, message);
        }
    }
    errors.finish(())
}

/// Returns whether the tokens contain a literal, a range or a call, which no type contains.
fn has_expression(tokens: &TokenStream) -> bool {
    let mut before = None;
    tokens.clone().into_iter().any(|tree| {
        let is_expression = match (&before, &tree) {
            (Some(TokenTree::Punct(first)), TokenTree::Punct(second)) => {
                first.as_char() == '.' && second.as_char() == '.'
            }
            (Some(TokenTree::Ident(_)), TokenTree::Group(group)) => {
                group.delimiter() == Delimiter::Parenthesis
            }
            (_, tree) => matches!(tree, TokenTree::Literal(_)),
        };
        before = Some(tree);
        is_expression
    })
}

fn unreadable(input: &DeriveInput) -> Error {
    Error::new_spanned(&input.ident, "this type could not be read")
}

/// Parses a weight. 0 is an error, because shrinking could still reach the variant.
fn weight(setting: &Setting) -> Result<Expr> {
    let weight = setting.value("3")?;
    if quote!(#weight).to_string() == "0" {
        let message =
            "a weight must be at least 1; write `#[generate(skip)]` to never generate a variant";
        return Err(Error::new_spanned(weight, message));
    }
    Ok(weight.clone())
}
