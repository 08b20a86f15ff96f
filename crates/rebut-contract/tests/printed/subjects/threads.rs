//! Implementors that are `Send`.

use std::sync::{Arc, Mutex};

use crate::fault::tick;

#[rebut::contract(send)]
pub trait Job {
    fn work(&self, n: u32) -> u32;
    fn done(&mut self) {
        tick("done");
    }
}

#[derive(Default)]
pub struct Pool {
    jobs: Mutex<Vec<Box<dyn Job + Send>>>,
}

#[rebut::contract]
impl Pool {
    pub fn new() -> Arc<Pool> {
        tick("new");
        Arc::default()
    }

    #[program(changes)]
    pub fn add(&self, job: Box<dyn Job + Send>) {
        tick("add");
        self.jobs.lock().unwrap().push(job);
    }

    #[program(changes)]
    pub fn work(&self, n: u32) -> u32 {
        tick("work");
        let mut jobs = std::mem::take(&mut *self.jobs.lock().unwrap());
        let mut sum = 0_u32;
        for job in &mut jobs {
            sum = sum.wrapping_add(job.work(n));
            job.done();
        }
        *self.jobs.lock().unwrap() = jobs;
        sum
    }

    #[program(changes)]
    pub fn each(&self, act: Box<dyn Fn(u32) -> bool + Send + Sync>) -> bool {
        tick("each");
        act(1) && act(2) && act(3)
    }
}
