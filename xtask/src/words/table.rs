//! The table of words, of spellings, and of the paths that each scope covers.

use super::Scope::{self, Comments, Messages, Prose, Rustdoc};
use crate::sources::files::matches;

/// A word, or several forms of it, with the better one.
#[derive(Debug)]
pub(super) struct Word {
    /// Words of a phrase are separated by spaces. `a|b` is one of two words, `*` any word, `<` the
    /// start of a sentence that is not a question, `>` the end of a clause and a backtick
    /// code.
    pub(super) phrases: &'static [&'static str],
    pub(super) better: &'static [&'static str],
    /// Where the word is refused. Help and pages count as messages.
    pub(super) scopes: &'static [Scope],
    /// Phrases in which the word is fine, with the reason.
    pub(super) exceptions: &'static [(&'static str, &'static str)],
    /// Paths where the word is a term of its own, with the reason.
    pub(super) terms: &'static [(&'static str, &'static str)],
}

impl Word {
    /// A word that is refused in every scope.
    pub(super) const EVERYWHERE: Word = Word {
        phrases: &[],
        better: &[],
        scopes: &[Prose, Messages, Rustdoc, Comments],
        exceptions: &[],
        terms: &[],
    };

    pub(super) fn is_refused(&self, scope: Scope, path: &str) -> bool {
        self.scopes.contains(&scope.counts_as())
            && !self.terms.iter().any(|(pattern, _)| matches(pattern, path))
    }
}

/// Scopes for words that are terms inside the program, but not for its users.
const SHOWN: &[Scope] = &[Prose, Messages];
/// Scopes for habits of comments.
const SOURCE: &[Scope] = &[Rustdoc, Comments];

const DRAW: &[&str] = &["draw|draws|drawn|drawing|drew"];
const PROOFS: &str = "a solver proves or refutes a formula";
const CORE: &str = "the core draws choices from a source";
const PICTURES: &[(&str, &str)] = &[
    ("draw|draws|drawn|drawing a|the line|lines|bar|picture|plot|tree", "a picture is drawn"),
    ("draw|draws|drawn|drawing attention|conclusions", "an idiom"),
];

pub(super) const WORDS: &[Word] = &[
    // Antique or translated words.
    Word { phrases: &["mend|mends|mended|mending"], better: &["fix"], ..Word::EVERYWHERE },
    Word {
        phrases: &["tell|tells|telling|told"],
        better: &["report", "print", "distinguish"],
        exceptions: &[
            ("tell|tells|told you", "a person is told something"),
            (
                "tell|tells|told|telling rebut|cargo|rustc|clippy|git",
                "a person or tool configures a tool",
            ),
        ],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["said"],
        better: &["reported", "printed", "specified"],
        exceptions: &[("that said", "means \"however\"")],
        ..Word::EVERYWHERE
    },
    Word { phrases: &["says|say of"], better: &["reports about"], ..Word::EVERYWHERE },
    Word {
        phrases: &["< says|hears"],
        better: &["reports", "returns", "receives"],
        scopes: SOURCE,
        ..Word::EVERYWHERE
    },
    Word { phrases: &["hear|hears|heard"], better: &["receive"], ..Word::EVERYWHERE },
    Word {
        phrases: DRAW,
        better: &["generate"],
        scopes: SHOWN,
        exceptions: PICTURES,
        terms: &[
            ("ARCHITECTURE.md", CORE),
            ("docs/guide/glossary.md", CORE),
            ("docs/guide/how-it-works.md", CORE),
        ],
    },
    Word {
        phrases: DRAW,
        better: &["generate"],
        scopes: SOURCE,
        exceptions: PICTURES,
        terms: &[
            ("crates/rebut-choice/src/**", CORE),
            ("crates/rebut-concolic/src/**", CORE),
            ("crates/rebut-contract/src/**", CORE),
            ("crates/rebut-explore/src/**", CORE),
            ("crates/rebut-gen/src/**", CORE),
            ("crates/rebut-generalize/src/**", CORE),
            ("crates/rebut-infer/src/**", CORE),
            ("crates/rebut-macros/src/**", CORE),
            ("crates/rebut-protocol/src/**", CORE),
            ("crates/rebut-search/src/**", CORE),
            ("crates/rebut/src/__private.rs", CORE),
        ],
    },
    Word { phrases: &["sought"], better: &["matching", "wanted"], ..Word::EVERYWHERE },
    Word { phrases: &["nought|naught|aught"], better: &["zero"], ..Word::EVERYWHERE },
    Word { phrases: &["seldom"], better: &["rarely"], ..Word::EVERYWHERE },
    Word { phrases: &["anew|afresh"], better: &["again"], ..Word::EVERYWHERE },
    Word { phrases: &["dear|dearer|dearest"], better: &["expensive"], ..Word::EVERYWHERE },
    Word { phrases: &["shall"], better: &["must", "will"], ..Word::EVERYWHERE },
    Word { phrases: &["for ever"], better: &["forever", "always"], ..Word::EVERYWHERE },
    Word { phrases: &["round and round"], better: &["wraps around"], ..Word::EVERYWHERE },
    Word { phrases: &["all the same >"], better: &["anyway"], ..Word::EVERYWHERE },
    Word { phrases: &["thousand million"], better: &["billion"], ..Word::EVERYWHERE },
    Word { phrases: &["as a rule"], better: &["usually"], ..Word::EVERYWHERE },
    Word { phrases: &["by way of"], better: &["through"], ..Word::EVERYWHERE },
    Word { phrases: &["in all >"], better: &["in total"], scopes: SHOWN, ..Word::EVERYWHERE },
    Word { phrases: &["beside"], better: &["next to", "besides"], ..Word::EVERYWHERE },
    Word {
        phrases: &["upon|whence|thence|lest|wherein|therein|thereof|hitherto|whereupon|betwixt"],
        better: &["on", "in"],
        ..Word::EVERYWHERE
    },
    Word { phrases: &["lessen|lessens|lessened"], better: &["reduce"], ..Word::EVERYWHERE },
    Word { phrases: &["lend|lends|lent|lending"], better: &["borrow"], ..Word::EVERYWHERE },
    Word {
        phrases: &["give|gives|gave|given|giving back", "give|gives|gave|giving * back"],
        better: &["return"],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["given up", "give|gives|gave|giving a|the|this|that|no case|cases|input up"],
        better: &["rejected", "discarded"],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["go|goes|going|went before"],
        better: &["override", "precede"],
        ..Word::EVERYWHERE
    },
    Word { phrases: &["hand|hands|handed|handing over"], better: &["pass"], ..Word::EVERYWHERE },
    Word {
        phrases: &["come|comes|came|become|becomes|became of"],
        better: &["result"],
        exceptions: &[("come of age", "an idiom")],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["come|comes|came to"],
        better: &["reach", "equal"],
        exceptions: &[("when it comes to", "an idiom")],
        ..Word::EVERYWHERE
    },
    // Results: the tense must not carry the difference between a test and a proof.
    Word {
        phrases: &[
            "property|properties|test|tests hold|holds|held",
            "that|which|it|they held",
            "< held",
            "hold|holds|held natively",
        ],
        better: &["passed", "proved"],
        exceptions: &[("it|they held the|a", "something holds a lock")],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["does|do|did not hold", "holds for all"],
        better: &["fails", "is false", "proved"],
        scopes: SHOWN,
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["refute|refutes|refuted|refuting"],
        better: &["fail", "find a counterexample"],
        scopes: &[Prose, Messages, Rustdoc],
        exceptions: &[],
        terms: &[
            ("crates/rebut-concolic/src/**", PROOFS),
            ("crates/rebut-infer/src/**", PROOFS),
            ("crates/rebut-smt/src/**", PROOFS),
        ],
    },
    // Machines are not people.
    Word {
        phrases: &["whoever|whomever|nobody|somebody|everybody"],
        better: &["the caller", "no test", "another tool"],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["who|whom"],
        better: &["which", "that", "the caller"],
        exceptions: &[
            (
                "user|users|people|person|reader|readers|someone|anyone|everyone|developer|developers|\
                 contributor|contributors|maintainer|maintainers|author|authors|programmer|\
                 programmers|newcomer|newcomers|colleague|colleagues|attacker|you who|whom",
                "these are people",
            ),
            ("who is at fault", "a party of a contract"),
            ("who is to blame", "a party of a contract"),
            ("who broke", "a party of a contract"),
            ("who must", "a party of a contract"),
        ],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["of|by others"],
        better: &["other crates", "another tool"],
        exceptions: &[("of others that|of", "about things")],
        ..Word::EVERYWHERE
    },
    // Terms of the trade.
    Word { phrases: &["folder|folders"], better: &["directory"], ..Word::EVERYWHERE },
    Word { phrases: &["data base|bases"], better: &["database"], ..Word::EVERYWHERE },
    Word { phrases: &["truth value|values"], better: &["boolean"], ..Word::EVERYWHERE },
    Word {
        phrases: &["texts", "a text"],
        better: &["string"],
        exceptions: &[(
            "a text file|editor|field|format|box|area|node|report|block|element|label",
            "\"text\" describes another noun",
        )],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["mistake|mistakes"],
        better: &["bug", "error"],
        exceptions: &[("by mistake", "an idiom")],
        ..Word::EVERYWHERE
    },
    Word { phrases: &["dependencies of tests"], better: &["dev-dependencies"], ..Word::EVERYWHERE },
    Word { phrases: &["sides of decisions|branches"], better: &["branches"], ..Word::EVERYWHERE },
    Word {
        phrases: &["has|have|had|no objects"],
        better: &["is dyn compatible", "is not dyn compatible"],
        exceptions: &[("there are no objects", "about values")],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["of a sort", "sort of", "sorts of", "one|same|this|that|some|what|its sort"],
        better: &["kind"],
        terms: &[
            ("crates/rebut-smt/**", "a type of SMT-LIB is called a sort"),
            ("crates/rebut-concolic/**", "a type of SMT-LIB is called a sort"),
            ("crates/rebut-spec/src/**", "a type of the input language is called a sort"),
        ],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["mood|moods"],
        better: &["random profile"],
        scopes: SHOWN,
        ..Word::EVERYWHERE
    },
    Word { phrases: &["utility"], better: &["score"], scopes: SHOWN, ..Word::EVERYWHERE },
    Word { phrases: &["the|a judge"], better: &["checker"], scopes: SHOWN, ..Word::EVERYWHERE },
    Word {
        phrases: &["a|the|html page|pages"],
        better: &["HTML report"],
        scopes: &[Messages],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["a|the|its|which|this|that|each place", "places"],
        better: &["location", "position"],
        scopes: &[Messages, Rustdoc, Comments],
        exceptions: &[
            ("decimal places", "digits after the point"),
            ("take|takes|took|taking the|its place", "means \"replace\""),
            ("in its place", "means \"instead\""),
            ("the place holder", "misspelled, but clear"),
        ],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &[
            "stand|stands|stood before|behind|beside|between|in|at|there|here|above|below|after|on|\
             where|side",
        ],
        better: &["is", "comes before", "comes after"],
        exceptions: &[
            ("stand|stands|stood in for", "means \"replace\""),
            ("stand|stands on its|their own", "an idiom"),
        ],
        ..Word::EVERYWHERE
    },
    // Phrases that hide the number, the subject or the verb.
    Word {
        phrases: &["so many|often|deep|much|long|far >", "so many *"],
        better: &["this many", "N", "the given number of"],
        exceptions: &[
            ("so many|often|deep|much that", "names a consequence"),
            ("so many * that", "names a consequence"),
            ("so many * * that", "names a consequence"),
            ("so far|much|long >", "means \"until now\" or a degree"),
        ],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["< so many|often|deep|hard|long|much"],
        better: &["at most this many", "N"],
        scopes: SOURCE,
        exceptions: &[("so far|much|long >", "means \"until now\" or a degree")],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["< that it|they|there|not|all|none|nothing|each|no"],
        better: &["the condition that", "whether"],
        scopes: SOURCE,
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &[
            "is|are|was|were|be so >",
            "is|are|was|were|be so of|if|when|whenever|where|for",
        ],
        better: &["is true"],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["is|are|was|were no"],
        better: &["is not a", "are not"],
        exceptions: &[
            ("there is|are|was|were no", "the usual sentence"),
            (
                "is|are|was|were no longer|more|less|fewer|larger|smaller|better|worse|shorter|\
                 deeper|different",
                "compares",
            ),
        ],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["by itself|themselves"],
        better: &["automatically", "on its own"],
        ..Word::EVERYWHERE
    },
    Word { phrases: &["as it|they is|are|was|were >"], better: &["unchanged"], ..Word::EVERYWHERE },
    Word {
        phrases: &["none|nothing if|when"],
        better: &["`None` if"],
        scopes: SOURCE,
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["< as `", "< as of|in|for|with `"],
        better: &["Like"],
        scopes: SOURCE,
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["< what"],
        better: &["the noun that is meant"],
        scopes: &[Messages, Rustdoc, Comments],
        exceptions: &[("what to do|write|try|read", "a heading"), ("what changed", "a heading")],
        ..Word::EVERYWHERE
    },
    Word {
        phrases: &["< what is|are|was|were|has|have"],
        better: &["the noun that is meant"],
        scopes: &[Prose],
        ..Word::EVERYWHERE
    },
];

/// A British spelling with the American one.
#[derive(Debug)]
pub(super) enum Spelling {
    /// The beginning of words.
    Stem(&'static str, &'static str),
    /// A whole word.
    Whole(&'static str, &'static str),
    /// The beginning of a verb in -ise, up to the `s`.
    Ise(&'static str),
}

impl Spelling {
    /// The beginning of the words that have this spelling.
    pub(super) fn british(&self) -> &'static str {
        match self {
            Spelling::Stem(british, _) | Spelling::Whole(british, _) | Spelling::Ise(british) => {
                british
            }
        }
    }

    /// The American spelling of a word in lower case, if this is its British one.
    pub(super) fn american(&self, word: &str) -> Option<String> {
        match self {
            Spelling::Stem(british, american) => {
                word.strip_prefix(british).map(|rest| format!("{american}{rest}"))
            }
            Spelling::Whole(british, american) => {
                (word == *british).then(|| (*american).to_owned())
            }
            Spelling::Ise(stem) => {
                let rest = word.strip_prefix(stem)?;
                let stem = stem.trim_end_matches('s');
                ENDINGS.contains(&rest).then(|| format!("{stem}z{rest}"))
            }
        }
    }
}

/// The endings of verbs in -ise after the `s`; others make other words, such as "optimism".
const ENDINGS: &[&str] =
    &["e", "ed", "es", "er", "ers", "ing", "able", "ation", "ations", "ational"];

pub(super) const SPELLINGS: &[Spelling] = {
    use Spelling::{Ise, Stem, Whole};
    &[
        Stem("behaviour", "behavior"),
        Stem("neighbour", "neighbor"),
        Stem("colour", "color"),
        Stem("favour", "favor"),
        Stem("flavour", "flavor"),
        Stem("honour", "honor"),
        Stem("labour", "labor"),
        Stem("endeavour", "endeavor"),
        Stem("rumour", "rumor"),
        Stem("centre", "center"),
        Stem("metre", "meter"),
        Stem("kilometre", "kilometer"),
        Stem("millimetre", "millimeter"),
        Stem("litre", "liter"),
        Stem("fibre", "fiber"),
        Stem("grey", "gray"),
        Stem("artefact", "artifact"),
        Stem("judgement", "judgment"),
        Stem("licence", "license"),
        Stem("defence", "defense"),
        Stem("analyse", "analyze"),
        Stem("analysing", "analyzing"),
        Stem("catalogue", "catalog"),
        Stem("modelled", "modeled"),
        Stem("modelling", "modeling"),
        Whole("labelled", "labeled"),
        Whole("unlabelled", "unlabeled"),
        Whole("labelling", "labeling"),
        Stem("travelled", "traveled"),
        Stem("travelling", "traveling"),
        Stem("cancelled", "canceled"),
        Stem("cancelling", "canceling"),
        Stem("signalled", "signaled"),
        Stem("signalling", "signaling"),
        Stem("marshalled", "marshaled"),
        Stem("fuelled", "fueled"),
        Stem("tunnelled", "tunneled"),
        Whole("fulfil", "fulfill"),
        Whole("fulfils", "fulfills"),
        Whole("whilst", "while"),
        Whole("amongst", "among"),
        Whole("spelt", "spelled"),
        Stem("misspelt", "misspelled"),
        Stem("programme", "program"),
        Stem("sceptic", "skeptic"),
        Whole("ageing", "aging"),
        Ise("apologis"),
        Ise("canonicalis"),
        Ise("capitalis"),
        Ise("categoris"),
        Ise("characteris"),
        Ise("concretis"),
        Ise("criticis"),
        Ise("customis"),
        Ise("deserialis"),
        Ise("emphasis"),
        Ise("factoris"),
        Ise("finalis"),
        Ise("formalis"),
        Ise("generalis"),
        Ise("initialis"),
        Ise("itemis"),
        Ise("localis"),
        Ise("materialis"),
        Ise("maximis"),
        Ise("memoris"),
        Ise("minimis"),
        Ise("modularis"),
        Ise("monomorphis"),
        Ise("normalis"),
        Ise("optimis"),
        Ise("organis"),
        Ise("parallelis"),
        Ise("parameteris"),
        Ise("penalis"),
        Ise("prioritis"),
        Ise("randomis"),
        Ise("realis"),
        Ise("recognis"),
        Ise("sanitis"),
        Ise("serialis"),
        Ise("specialis"),
        Ise("stabilis"),
        Ise("standardis"),
        Ise("summaris"),
        Ise("symbolis"),
        Ise("synchronis"),
        Ise("tokenis"),
        Ise("uninitialis"),
        Ise("utilis"),
        Ise("virtualis"),
        Ise("visualis"),
    ]
};

/// The paths that a scope covers today.
#[derive(Debug)]
pub(super) struct Covered {
    pub(super) scopes: &'static [Scope],
    pub(super) paths: &'static [&'static str],
}

pub(super) const COVERED: &[Covered] = &[
    Covered {
        scopes: &[Prose],
        paths: &[
            "README.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "CHANGELOG.md",
            "ARCHITECTURE.md",
            "docs/guide/*.md",
            "bench/README.md",
        ],
    },
    Covered {
        scopes: &[Messages],
        paths: &["crates/*/src/**", "xtask/src/**", "examples/tour/**"],
    },
    Covered { scopes: &[Rustdoc, Comments], paths: &["crates/*/src/**", "xtask/src/**"] },
];

/// Files that have these words for a reason.
pub(super) const EXCLUDED: &[(&str, &str)] = &[
    ("xtask/src/words/table.rs", "this table"),
    ("crates/cargo-rebut/src/init/laws/words.rs", "names of functions in crates of users"),
];
