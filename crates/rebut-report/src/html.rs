//! Writes the report as an HTML page: one file that needs no other file and no network.
//!
//! Long lists and dense plots are reduced here, so that the browser has little to do. The page
//! works without JavaScript; its script only adds copy buttons and a filter. Its content security
//! policy allows only this script, by hash, so that even a bug in escaping would not run other
//! code.

mod compared;
mod distribution;
mod explored;
mod overview;
mod plot;
mod property;
mod search;

use crate::markup::Markup;
use crate::model::Report;
use crate::words::{self, Tone};

const STYLE: &str = include_str!("html/report.css");
const SCRIPT: &str = include_str!("html/report.js");

/// The content security policy, with the hash of the script. A test compares the hash.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-r/CmWW3Zm4myifWCrUJd8PRBA8Ew1vhYUVEIZcpv+c8='; base-uri 'none'; form-action 'none'";

impl Report {
    /// Returns the HTML page, with a comparison if there is a report to compare with.
    #[must_use]
    pub fn to_html(&self, against: Option<&Report>) -> String {
        let mut page = Markup::html();
        page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"");
        page.raw(POLICY);
        page.raw("\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
        page.text(self.title())
            .raw("</title>\n<style>")
            .raw(STYLE)
            .raw("</style>\n</head>\n<body>\n");
        page.raw("<a class=\"skip\" href=\"#properties\">Skip to the properties</a>\n");
        overview::write(&mut page, self);
        if let Some(before) = against {
            compared::write(&mut page, before, self);
        }
        for nth in self.most_urgent_first() {
            property::write(&mut page, &self.properties[nth], nth, self);
        }
        page.raw("</main>\n<footer>Written by Rebut. This page works without JavaScript, except for its buttons and filter.</footer>\n<script>");
        page.raw(SCRIPT).raw("</script>\n</body>\n</html>\n");
        page.finish()
    }

    /// Returns the indices of the properties, those that failed first.
    fn most_urgent_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.properties.len()).collect();
        order.sort_by_key(|&nth| match words::tone(&self.properties[nth]) {
            Tone::Bad => 0,
            Tone::Doubtful => 1,
            Tone::Good => 2,
        });
        order
    }

    fn title(&self) -> String {
        let failing = self.properties.iter().filter(|one| !one.is_success()).count() as u64;
        let all = words::counted(self.properties.len() as u64, "property", "properties");
        if failing == 0 {
            format!("Rebut: {all}, all passed")
        } else {
            format!("Rebut: {failing} of {all} failed")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// Encodes bytes in base64, as a policy requires for hashes.
    fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for chunk in bytes.chunks(3) {
            let at = |nth: usize| u32::from(chunk.get(nth).copied().unwrap_or(0));
            let bits = at(0) << 16 | at(1) << 8 | at(2);
            for nth in 0..4 {
                let digit = DIGITS[(bits >> (18 - 6 * nth) & 63) as usize];
                text.push(if nth > chunk.len() { '=' } else { char::from(digit) });
            }
        }
        text
    }

    #[test]
    fn policy_has_the_hash_of_the_script() {
        assert_eq!(base64(b"any carnal pleas"), "YW55IGNhcm5hbCBwbGVhcw==");
        let hash = base64(&Sha256::digest(SCRIPT.as_bytes()));
        assert!(POLICY.contains(&format!("'sha256-{hash}'")), "put sha256-{hash} into POLICY");
    }
}
