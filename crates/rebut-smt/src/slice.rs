//! Slicing: splits assertions into groups that share no variable, so that each is solved alone.
//!
//! A path condition grows by one constraint at a time, and most of it is about other inputs. Most
//! groups of a query are therefore in the cache (Cadar, Dunbar and Engler, *KLEE*, 2008, section
//! 3.3, "constraint independence").
//!
//! For example, `a < b`, `c < d` and `p` are three groups. With `b < c`, the first two become
//! one, because `b < c` connects them.

use crate::pool::TermMap;
use crate::{Pool, Term};

/// Splits assertions into groups. Caches the variables of each assertion.
#[derive(Debug, Default)]
pub(crate) struct Slicer {
    variables: TermMap<Vec<Term>>,
}

impl Slicer {
    /// Returns the groups, each sorted and without duplicates. An assertion without variables is
    /// a group of its own.
    pub(crate) fn groups(&mut self, pool: &Pool, assertions: &[Term]) -> Vec<Vec<Term>> {
        let mut assertions = assertions.to_vec();
        assertions.sort_unstable();
        assertions.dedup();
        let mut classes = Classes { parents: (0..assertions.len()).collect() };
        let mut owners: TermMap<usize> = TermMap::default();
        for (n, assertion) in assertions.iter().enumerate() {
            for variable in self.variables(pool, *assertion) {
                let owner = *owners.entry(*variable).or_insert(n);
                classes.join(owner, n);
            }
        }
        let mut groups: Vec<Vec<Term>> = vec![Vec::new(); assertions.len()];
        for (n, assertion) in assertions.iter().enumerate() {
            groups[classes.find(n)].push(*assertion);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    fn variables(&mut self, pool: &Pool, term: Term) -> &[Term] {
        self.variables.entry(term).or_insert_with(|| pool.variables(&[term]))
    }
}

/// A union-find structure; the smallest member represents its class.
struct Classes {
    parents: Vec<usize>,
}

impl Classes {
    fn find(&mut self, member: usize) -> usize {
        let mut root = member;
        while self.parents[root] != root {
            self.parents[root] = self.parents[self.parents[root]];
            root = self.parents[root];
        }
        root
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn groups_share_no_variable() {
        let mut pool = Pool::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| pool.var(name, Sort::Int));
        let terms = [pool.lt(a, b), pool.lt(c, d), pool.lt(b, c), pool.var("p", Sort::Bool)];
        let mut slicer = Slicer::default();
        let [ab, cd, bc, p] = terms;
        assert_eq!(slicer.groups(&pool, &[ab, cd, p]), [vec![ab], vec![cd], vec![p]]);
        assert_eq!(slicer.groups(&pool, &[cd, p, ab, bc, ab]), [vec![ab, cd, bc], vec![p]]);
    }
}
