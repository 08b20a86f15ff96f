//! Each test of this crate calls one function that does not work in WebAssembly.

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::time::{Duration, Instant, SystemTime};
    use std::{env, fs, io, net, process, thread};

    macro_rules! tests {
        ($($name:ident($number:ident) $body:block)*) => {
            mod bodies {
                use super::*;

                $(#[inline(never)]
                pub(super) fn $name($number: u8) $body)*
            }

            $(#[rebut::test]
            fn $name($number: u8) {
                if $number == 255 {
                    bodies::$name($number);
                }
            })*
        };
    }

    tests! {
        nothing(number) { assert!(number > 254); }
        prints(number) { println!("{number}"); }
        hashes(number) { assert!(std::collections::HashSet::from([number]).contains(&number)); }
        spawns(_number) { assert!(thread::spawn(|| 1).join().is_ok()); }
        builds_thread(_number) { assert!(thread::Builder::new().spawn(|| 1).is_err()); }
        spawns_in_scope(_number) { assert!(thread::scope(|scope| scope.spawn(|| 1).join().is_ok())); }
        sleeps(_number) { thread::sleep(Duration::from_millis(1)); }
        reads_clock(_number) { assert!(Instant::now().elapsed() < Duration::MAX); }
        reads_date(_number) { assert!(SystemTime::now() > SystemTime::UNIX_EPOCH); }
        reads_file(_number) { assert!(fs::read("a").is_err()); }
        reads_text(_number) { assert!(fs::read_to_string("a").is_err()); }
        opens_file(_number) { assert!(fs::File::open("a").is_err()); }
        creates_file(_number) { assert!(fs::File::create("/a/b/c").is_err()); }
        writes_file(_number) { assert!(fs::write("/a/b/c", "d").is_err()); }
        lists_folder(_number) { assert!(fs::read_dir("a").is_err()); }
        asks_for_file(_number) { assert!(!std::path::Path::new("a").exists()); }
        removes_file(_number) { assert!(fs::remove_file("a").is_err()); }
        reads_variable(_number) { assert!(env::var("NOT_THERE").is_err()); }
        reads_os_variable(_number) { assert!(env::var_os("NOT_THERE").is_none()); }
        lists_variables(_number) { assert!(env::vars_os().count() < 9000); }
        lists_arguments(_number) { assert!(env::args_os().count() < 9000); }
        asks_for_folder(_number) { assert!(env::current_dir().is_ok()); }
        connects(_number) { assert!(net::TcpStream::connect("127.0.0.1:1").is_err()); }
        listens(_number) { assert!(net::TcpListener::bind("127.0.0.1:0").is_ok()); }
        runs_program(_number) { assert!(process::Command::new("not-there").output().is_err()); }
        exits(_number) { process::exit(3); }
        reads_input(_number) { let _ = io::stdin().read(&mut [0]); }
    }
}
