//! A failing property for each type of the standard library. Each fails for the second simplest
//! value, so that its report prints one that is not trivial.

macro_rules! differs {
    ($($name:ident: $kind:ty,)*) => {$(
        #[rebut::test]
        fn $name(value: $kind) {
            let simplest: $kind = rebut::simplest(&rebut::any());
            assert_eq!(format!("{value:?}"), format!("{simplest:?}"));
        }
    )*};
}

differs! {
    int_u128: u128,
    int_i128: i128,
    int_usize: usize,
    float_f32: f32,
    float_f64: f64,
    boolean: bool,
    character: char,
    string: String,
    boxed_str: Box<str>,
    counted_str: std::rc::Rc<str>,
    cow_str: std::borrow::Cow<'_, str>,
    array_of_32: [u8; 32],
    array_of_100: [u8; 100],
    matrix: [[u8; 4]; 4],
    strings: [String; 3],
    vector: Vec<u16>,
    deque: std::collections::VecDeque<u8>,
    linked_list: std::collections::LinkedList<u8>,
    heap: std::collections::BinaryHeap<u8>,
    map_of_sets: std::collections::HashMap<Vec<u8>, std::collections::BTreeSet<String>>,
    tree_map: std::collections::BTreeMap<u8, u8>,
    range: std::ops::Range<usize>,
    range_inclusive: std::ops::RangeInclusive<u8>,
    range_from: std::ops::RangeFrom<u8>,
    range_to: std::ops::RangeTo<u8>,
    bound: std::ops::Bound<u8>,
    duration: std::time::Duration,
    system_time: std::time::SystemTime,
    path: std::path::PathBuf,
    os_string: std::ffi::OsString,
    c_string: std::ffi::CString,
    address: std::net::IpAddr,
    address_v6: std::net::Ipv6Addr,
    socket: std::net::SocketAddr,
    socket_v6: std::net::SocketAddrV6,
    nonzero: std::num::NonZeroU8,
    wrapping: std::num::Wrapping<u8>,
    saturating: std::num::Saturating<u8>,
    reversed: std::cmp::Reverse<u8>,
    ordering: std::cmp::Ordering,
    atomic: std::sync::atomic::AtomicU32,
    result: Result<u8, String>,
    options: Option<Option<u8>>,
    flow: std::ops::ControlFlow<u8, u8>,
    poll: std::task::Poll<u8>,
    shared_cell: std::rc::Rc<std::cell::RefCell<u8>>,
    shared_lock: std::sync::Arc<std::sync::Mutex<u8>>,
    rw_lock: std::sync::Arc<std::sync::RwLock<u8>>,
    cell: std::cell::Cell<u8>,
    pinned: std::pin::Pin<Box<u8>>,
    boxed_slice: Box<[u8]>,
    shared_slice: std::sync::Arc<[u8]>,
    tuple_of_12: (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8),
}
