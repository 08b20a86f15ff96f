#![deny(warnings)]

pub mod fault;

pub mod subjects {
// MODULES
}

#[cfg(test)]
mod all {
    use std::cell::RefCell;
    use std::panic;

    use crate::{fault, subjects};

    /// The path of a test, the test, the call that fails, and the place and message of the failure.
    const ALL: &[(&str, fn(), u32, &str, u32, &str)] = &[
// LIST
    ];

    thread_local! {
        static PLACE: RefCell<(String, u32)> = RefCell::default();
    }

    #[test]
    fn fail_alike() {
        panic::set_hook(Box::new(|info| {
            if let Some(place) = info.location() {
                let file = place.file().rsplit('/').next().unwrap_or_default();
                PLACE.set((file.to_owned(), place.line()));
            }
        }));
        let mut alike = 0;
        for (name, test, call, file, line, message) in ALL {
            fault::set(*call);
            let wanted = format!("{file}:{line}: {}", plain(message));
            let found = match panic::catch_unwind(test) {
                Ok(()) => "nothing".to_owned(),
                Err(payload) => {
                    let text = payload.downcast_ref::<String>().map(String::as_str);
                    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
                    let (file, line) = PLACE.take();
                    format!("{file}:{line}: {}", plain(text.unwrap_or_default()))
                }
            };
            // A printed program compares an object with its model by an assertion of its own.
            let is_model = wanted.contains("broken model: ")
                && found.starts_with("printed.rs:")
                && found.contains(": assertion");
            if found == wanted || is_model {
                alike += 1;
            } else {
                println!("{name} fails at\n    {found}\ninstead of\n    {wanted}\n");
            }
        }
        println!("{alike} of {} fail alike", ALL.len());
    }

    /// The implementors of a printed program have numbered names and another `Debug`.
    fn plain(message: &str) -> String {
        let mut text = message.to_owned();
        while let Some((before, after)) = text.split_once("Generated") {
            let name = after.trim_start_matches(char::is_alphabetic);
            let trait_name = &after[..after.len() - name.len()];
            let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
            text = format!("{before}{trait_name}{rest}");
        }
        let lines = text.lines().filter(|line| !line.contains("object: "));
        lines.collect::<Vec<_>>().join("\n").trim().to_owned()
    }
}
