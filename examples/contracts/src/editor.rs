//! An editor with hooks and four levels of locking, after the one in which Klein, Flatt and
//! Findler (2010) found dozens of bugs. It has one bug of each category of their Figure 8.

use std::rc::Rc;

/// How much of an editor is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lock {
    /// Everything may be called.
    Unlocked,
    /// Nothing that moves soft line breaks.
    Flow,
    /// Nothing that changes the text.
    Write,
    /// Hardly anything.
    Read,
}

/// What can be overridden.
#[rebut::contract]
pub trait Hooks {
    /// Called before `length` characters are inserted, while the text is locked.
    fn on_insert(&self, editor: &mut Editor, length: usize) {
        let _ = (editor, length);
    }

    /// The number of the keymap, if there is one.
    fn keymap(&self) -> Option<u8> {
        Some(0)
    }

    /// Whether several edits are to be undone as one.
    fn in_edit_sequence(&self) -> bool {
        true
    }

    /// The style of new text; asked for while the editor is made.
    fn style(&self, editor: &Editor) -> u8 {
        let _ = editor;
        0
    }
}

/// A text with hooks.
pub struct Editor {
    text: Vec<char>,
    lock: Lock,
    hooks: Rc<dyn Hooks>,
    edits: usize,
    lines: Vec<usize>,
    style: u8,
}

#[rebut::contract]
impl Editor {
    /// An empty editor. Bug: while the hook is asked for the style, the editor is not ready,
    /// and not locked either.
    pub fn new(hooks: Rc<dyn Hooks>) -> Editor {
        let mut editor = Editor {
            text: Vec::new(),
            lock: Lock::Unlocked,
            hooks,
            edits: 0,
            lines: Vec::new(),
            style: 0,
        };
        let hooks = Rc::clone(&editor.hooks);
        editor.style = hooks.style(&editor);
        editor.lines.push(0);
        editor
    }

    /// Inserts characters at the end.
    #[requires(!self.is_write_locked())]
    #[requires(length <= 100)]
    #[ensures(self.len() >= length)]
    pub fn insert(&mut self, length: usize) {
        self.lock = Lock::Write;
        let hooks = Rc::clone(&self.hooks);
        hooks.on_insert(self, length);
        self.lock = Lock::Unlocked;
        let style = char::from(b'a' + self.style % 26);
        self.text.extend(std::iter::repeat_n(style, length));
        self.edits += 1;
    }

    /// Deletes the text from a position on.
    #[requires(!self.is_write_locked())]
    #[requires(from <= self.len())]
    pub fn delete(&mut self, from: usize) {
        self.text.truncate(from);
        self.edits += 1;
    }

    /// Deletes all. Bug: it should require what `delete` does.
    #[requires(!self.is_read_locked())]
    pub fn clear(&mut self) {
        self.delete(0);
    }

    /// Begins a line at the end of the text.
    #[requires(!self.is_flow_locked())]
    pub fn break_line(&mut self) {
        self.lines.push(self.text.len());
    }

    /// Where a line begins.
    #[requires(line == 0, "there is a first line")]
    #[ensures(result <= self.len())]
    pub fn line_start(&self, line: u8) -> usize {
        self.lines[usize::from(line)]
    }

    /// The number of the keymap. Bug: it relies on the default of the hook.
    pub fn keymap(&self) -> u8 {
        self.hooks.keymap().expect("there is a keymap")
    }

    /// Ends a sequence of edits.
    #[requires(self.hooks.in_edit_sequence())]
    #[program(skip)]
    pub fn end_edit_sequence(&mut self) {
        self.edits = 0;
    }

    /// Undoes the last edits. Bug: the hook it relies on should not be one.
    pub fn undo(&mut self) {
        self.text.clear();
        self.lines.truncate(1);
        self.end_edit_sequence();
    }

    /// How many characters there are.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether there are none. Bug of the documentation: an editor in which nothing was written
    /// but lines were begun is said not to be empty.
    #[ensures(result == (self.len() == 0 && self.lines.len() <= 1))]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The character before a position. Bug of the first order: the first has none.
    #[requires(position <= self.len())]
    pub fn before(&self, position: usize) -> char {
        *self.text[..position].last().expect("a character before the position")
    }

    /// Whether soft line breaks are fixed.
    pub fn is_flow_locked(&self) -> bool {
        self.lock >= Lock::Flow
    }

    /// Whether the text is fixed.
    pub fn is_write_locked(&self) -> bool {
        self.lock >= Lock::Write
    }

    /// Whether nothing can be asked.
    pub fn is_read_locked(&self) -> bool {
        self.lock >= Lock::Read
    }
}

impl std::fmt::Debug for Editor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} characters in {} lines, {:?}", self.text.len(), self.lines.len(), self.lock)
    }
}
