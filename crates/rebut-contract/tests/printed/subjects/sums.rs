//! A function that is not cloneable state, moved between calls.

use crate::fault::tick;

#[derive(Debug)]
pub struct Token(u8);

#[derive(Debug)]
pub struct Vault {
    tokens: Vec<Token>,
}

#[rebut::contract]
impl Vault {
    pub fn new() -> Vault {
        tick("new");
        Vault { tokens: Vec::new() }
    }

    pub fn token(n: u8) -> Token {
        tick("token");
        Token(n)
    }

    pub fn put(&mut self, token: Token) -> Result<usize, Token> {
        tick("put");
        if token.0 == 3 {
            return Err(token);
        }
        self.tokens.push(token);
        Ok(self.tokens.len())
    }

    pub fn take(&mut self) -> Option<Token> {
        tick("take");
        self.tokens.pop()
    }

    pub fn read(&self, token: &Token, mark: &mut Token) -> u8 {
        tick("read");
        std::mem::replace(&mut mark.0, token.0)
    }

    pub fn both(token: Token, other: Option<Token>) -> bool {
        tick("both");
        other.is_some_and(|other| other.0 == token.0)
    }
}
