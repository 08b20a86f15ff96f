//! The attribute takes every word that `rebut.toml` takes.

macro_rules! passes_with {
    ($($name:ident: $key:ident = $word:ident),* $(,)?) => {
        $(
            #[rebut::test($key = $word, cases = 2)]
            fn $name(number: u8) {
                assert!(u32::from(number) < 256);
            }
        )*
    };
}

passes_with! {
    isolate_takes_auto: isolate = auto,
    isolate_takes_never: isolate = never,
    events_takes_off: events = off,
    events_takes_summary: events = summary,
    events_takes_search: events = search,
    events_takes_all: events = all,
    verbosity_takes_quiet: verbosity = quiet,
    verbosity_takes_normal: verbosity = normal,
    verbosity_takes_verbose: verbosity = verbose,
}
