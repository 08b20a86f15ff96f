//! Recognizes types of other crates, so that a compiler error names the feature they need.
//!
//! A name may belong to a type of the user. So the name only selects a trait of
//! `rebut_gen::needs`, which every type with a generator implements.

use proc_macro2::{Ident, TokenStream, TokenTree};

use crate::name_value::local;

/// The modules of `rebut_gen::needs` with the names of their types. A module also stands for the
/// paths that begin with its name.
const TYPES: &[(&str, &[&str])] = &[
    ("arrayvec", &["ArrayVec", "ArrayString"]),
    ("bigdecimal", &["BigDecimal"]),
    ("bstr", &["BString", "BStr"]),
    ("bytes", &["Bytes", "BytesMut"]),
    ("camino", &["Utf8PathBuf", "Utf8Path"]),
    ("chrono", &["NaiveDate", "NaiveTime", "NaiveDateTime", "TimeDelta", "FixedOffset"]),
    ("compact_str", &["CompactString"]),
    ("dates", &["DateTime", "Date", "Month", "Weekday"]),
    ("either", &["Either"]),
    ("enumset", &["EnumSet"]),
    ("geo_types", &["Coord", "LineString", "MultiPoint", "Polygon", "MultiPolygon"]),
    ("hashbrown", &[]),
    ("heapless", &[]),
    ("http", &["StatusCode", "HeaderMap", "HeaderName", "HeaderValue", "Uri"]),
    ("indexmap", &["IndexMap", "IndexSet"]),
    ("instant", &["Instant"]),
    ("ipnet", &["IpNet", "Ipv4Net", "Ipv6Net"]),
    ("jiff", &["Timestamp", "Zoned"]),
    ("nalgebra", &["DMatrix", "DVector", "SMatrix", "SVector", "Matrix3", "Vector3", "Point3"]),
    ("ndarray", &["Array1", "Array2", "Array3", "ArrayD"]),
    ("num_bigint", &["BigInt", "BigUint"]),
    ("num_complex", &["Complex", "Complex32", "Complex64"]),
    ("num_rational", &["Ratio", "Rational32", "Rational64", "BigRational"]),
    ("ordered_float", &["OrderedFloat", "NotNan"]),
    ("rust_decimal", &["Decimal"]),
    ("secrecy", &["SecretString", "SecretBox"]),
    ("semver", &["Version", "VersionReq"]),
    ("serde_json", &["Value"]),
    ("smallvec", &["SmallVec"]),
    ("time", &["OffsetDateTime", "PrimitiveDateTime", "UtcDateTime", "UtcOffset"]),
    ("url", &["Url"]),
    ("uuid", &["Uuid"]),
];

/// Returns the module of the first type in the tokens that is known by its name. A function is known
/// only if no other type is.
pub(crate) fn module(tokens: TokenStream) -> Option<Ident> {
    known(tokens.clone()).or_else(|| has_function(tokens).then(|| local("functions")))
}

fn has_function(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ["fn", "Fn", "FnMut", "FnOnce"].iter().any(|name| ident == name),
        TokenTree::Group(group) => has_function(group.stream()),
        _ => false,
    })
}

fn known(tokens: TokenStream) -> Option<Ident> {
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    // The end of the tokens ends a path too.
    for tree in tokens.into_iter().map(Some).chain([None]) {
        let mut inside = None;
        match &tree {
            Some(TokenTree::Ident(ident)) if path.is_empty() || colons == 2 => {
                path.push(ident.to_string());
                colons = 0;
                continue;
            }
            Some(TokenTree::Punct(punct)) if punct.as_char() == ':' => {
                colons += 1;
                continue;
            }
            Some(TokenTree::Group(group)) => inside = Some(group.stream()),
            _ => {}
        }
        if let Some(module) = of_path(&path).or_else(|| known(inside?)) {
            return Some(module);
        }
        path = match tree {
            Some(TokenTree::Ident(ident)) => vec![ident.to_string()],
            _ => Vec::new(),
        };
        colons = 0;
    }
    None
}

fn of_path(path: &[String]) -> Option<Ident> {
    let (last, before) = path.split_last()?;
    let is_crate = |name: &str| before.first().is_some_and(|first| first == name);
    let by_crate = TYPES.iter().find(|(module, _)| is_crate(module));
    let by_name = || TYPES.iter().find(|(_, names)| names.contains(&last.as_str()));
    by_crate.or_else(by_name).map(|(module, _)| local(module))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn types_are_known_by_their_name_or_their_crate() {
        let check = |tokens: TokenStream, expected: Option<&str>| {
            let found = module(tokens.clone()).map(|module| module.to_string());
            assert_eq!(found.as_deref(), expected, "{tokens}");
        };
        check(quote!(Uuid), Some("uuid"));
        check(quote!(&'a [uuid::Uuid]), Some("uuid"));
        check(quote!(HashMap<String, Vec<(u8, ::num_bigint::BigInt)>>), Some("num_bigint"));
        check(quote!(hashbrown::HashMap<u8, u8>), Some("hashbrown"));
        check(quote!(jiff::civil::Date), Some("jiff"));
        check(quote!(Box<dyn Fn(u8) -> Url + Send>), Some("url"));
        check(quote!(std::time::Instant), Some("instant"));
        check(quote!(Vec<Box<dyn Fn(u8)>>), Some("functions"));
        check(quote!(fn(u8) -> u8), Some("functions"));
        check(quote!(std::time::Duration), None);
        check(quote!(&'uuid str), None);
        check(quote!(HashMap<u8, my::Uuids>), None);
    }
}
