//! Methods, status codes, headers and addresses: types of the crate `http`.
