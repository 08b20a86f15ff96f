//! Secrets of the crate `secrecy`.
//!
//! Their values and choices are not printed: reports show a comment, no regression test is written,
//! and the choices are masked in stored failures and in replay strings ([`Label::SECRET`]). A test
//! that prints `expose_secret()` itself, for example in the message of `assert_eq!`, reveals it.

use rebut_choice::{Label, Source};
use secrecy::zeroize::Zeroize;
use secrecy::{SecretBox, SecretSlice, SecretString};

use crate::{Code, Generate, ToCode};

impl<S: Generate + Zeroize> Generate for SecretBox<S> {
    fn generate(source: &mut Source) -> SecretBox<S> {
        source.span(Label::SECRET, |source| SecretBox::new(Box::new(S::generate(source))))
    }
}

impl<S: Generate + Zeroize> Generate for SecretSlice<S>
where
    [S]: Zeroize,
{
    fn generate(source: &mut Source) -> SecretSlice<S> {
        source.span(Label::SECRET, |source| Vec::generate(source).into())
    }
}

impl Generate for SecretString {
    #[inline]
    fn generate(source: &mut Source) -> SecretString {
        source.span(Label::SECRET, |source| String::generate(source).into())
    }
}

/// Writes a comment. The report then offers no code to paste.
impl<S: Zeroize + ?Sized> ToCode for SecretBox<S> {
    fn to_code(&self, code: &mut Code) {
        code.push("/* a secret */");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::drawn;
    use rebut::{Check, find};
    use secrecy::ExposeSecret as _;

    #[test]
    fn secrets_are_drawn_as_their_contents() {
        let all = drawn(&any::<(SecretString, SecretBox<u64>, SecretSlice<u8>)>(), 500);
        assert!(all.iter().any(|(text, _, _)| text.expose_secret().chars().count() > 3));
        assert!(all.iter().any(|(_, number, _)| *number.expose_secret() == u64::MAX));
        assert!(all.iter().any(|(_, _, bytes)| bytes.expose_secret().len() > 3));
    }

    #[test]
    fn secrets_shrink_as_their_contents() {
        let empty = find(rebut::any::<SecretString>(), |_| true).expect("a secret");
        assert_eq!(empty.expose_secret(), "");
        let large = find(rebut::any(), |n: &SecretBox<u64>| *n.expose_secret() > 9);
        assert_eq!(large.map(|number| *number.expose_secret()), Some(10));
    }

    #[test]
    fn reports_of_secrets_neither_show_them_nor_their_choices() {
        let check = Check::new("secrets");
        let is_harmless = |case: &mut rebut::Case| {
            let secret = case.draw_as("secret", rebut::any::<SecretString>());
            assert!(!secret.expose_secret().contains('x'), "weak");
        };
        let report = check.run(is_harmless);
        let counterexample = &report.verdict.counterexamples()[0];
        let found = report.to_string();
        assert!(found.contains("/* a secret */"), "{found}");
        assert!(!found.contains("\"x\"") && !found.contains("#[example"), "{found}");
        // The tape is that of "x": its length and the number of the character.
        assert!(counterexample.tape.choices().any(|choice| choice.number == 120));
        let text = counterexample.tape.to_text();
        assert!(!text.contains("c120") && !text.contains("i1 "), "{text}");
        let word = counterexample.tape.to_replay_string();
        assert!(found.contains(&word) && word.starts_with("s1."), "{found}");
        let again = Check::new("secrets").replay(&word).run(is_harmless);
        assert!(again.has_failed());
    }
}
