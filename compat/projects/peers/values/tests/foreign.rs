//! A failing property for each type of another crate. Each fails for the second simplest value, so
//! that its report prints one that is not trivial.

macro_rules! differs {
    ($($name:ident: $kind:ty,)*) => {$(
        #[rebut::test]
        fn $name(value: $kind) {
            let simplest: $kind = rebut::simplest(&rebut::any());
            assert_eq!(format!("{value:?}"), format!("{simplest:?}"));
        }
    )*};
}

#[derive(Debug, enumset::EnumSetType, rebut::ToCode)]
pub enum Color {
    Red,
    Green,
    Blue,
}

differs! {
    array_vec: arrayvec::ArrayVec<u8, 4>,
    array_string: arrayvec::ArrayString<8>,
    big_decimal: bigdecimal::BigDecimal,
    b_string: bstr::BString,
    bytes: bytes::Bytes,
    utf8_path: camino::Utf8PathBuf,
    chrono_date: chrono::NaiveDate,
    chrono_utc: chrono::DateTime<chrono::Utc>,
    chrono_offset: chrono::DateTime<chrono::FixedOffset>,
    chrono_weekday: chrono::Weekday,
    chrono_month: chrono::Month,
    chrono_delta: chrono::TimeDelta,
    compact: compact_str::CompactString,
    either: either::Either<u8, String>,
    enum_set: enumset::EnumSet<Color>,
    geo_point: geo_types::Point<f64>,
    geo_polygon: geo_types::Polygon<f64>,
    geo_geometry: geo_types::Geometry<f64>,
    brown_map: hashbrown::HashMap<u8, u8>,
    brown_set: hashbrown::HashSet<u8>,
    heapless_vec: heapless::Vec<u8, 4>,
    heapless_string: heapless::String<8>,
    http_method: http::Method,
    http_status: http::StatusCode,
    http_name: http::HeaderName,
    http_value: http::HeaderValue,
    http_headers: http::HeaderMap,
    http_uri: http::Uri,
    index_map: indexmap::IndexMap<u8, u8>,
    index_set: indexmap::IndexSet<u8>,
    net: ipnet::IpNet,
    net_v4: ipnet::Ipv4Net,
    net_v6: ipnet::Ipv6Net,
    jiff_timestamp: jiff::Timestamp,
    jiff_zoned: jiff::Zoned,
    jiff_date: jiff::civil::Date,
    na_vector: nalgebra::SVector<f64, 3>,
    na_matrix: nalgebra::SMatrix<i32, 2, 2>,
    na_dynamic: nalgebra::DMatrix<u8>,
    nd_array1: ndarray::Array1<u8>,
    nd_array2: ndarray::Array2<u8>,
    big_int: num_bigint::BigInt,
    big_uint: num_bigint::BigUint,
    complex: num_complex::Complex<f64>,
    rational: num_rational::Ratio<i64>,
    big_rational: num_rational::BigRational,
    ordered_float: ordered_float::OrderedFloat<f64>,
    not_nan: ordered_float::NotNan<f64>,
    decimal: rust_decimal::Decimal,
    version: semver::Version,
    version_requirement: semver::VersionReq,
    json: serde_json::Value,
    small_vec: smallvec::SmallVec<[u8; 4]>,
    time_date: time::Date,
    time_time: time::Time,
    time_offset: time::UtcOffset,
    time_date_time: time::OffsetDateTime,
    time_primitive: time::PrimitiveDateTime,
    time_duration: time::Duration,
    time_month: time::Month,
    url: url::Url,
    url_host: url::Host,
    uuid: uuid::Uuid,
    uuid_not_nil: uuid::NonNilUuid,
}
