/// A type with a private field.
#[derive(Clone, Debug, rebut::Generate)]
pub struct Secret {
    inner: u8,
}

impl Secret {
    pub fn is_small(&self) -> bool {
        self.inner < 7
    }
}

/// A type that anybody can make.
#[derive(Clone, Debug, rebut::Generate)]
pub struct Open {
    pub inner: u8,
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[rebut::test]
    fn inside(secret: Secret) {
        assert!(secret.is_small());
    }
}
