//! The pages in a real browser, if there is one: Chromium in the path, or named by `CHROMIUM`.
#![cfg(unix)]

mod tool;

use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use tool::succeeds;

/// Does what a user would do, and reports what is visible as the title of the page.
const CLICKS: &str = r##"<script>
const rows = () => document.querySelectorAll("#tree .row").length;
const selected = () => document.querySelector("#tree .selected").textContent;
const seen = [];
document.getElementById("fold").click();
seen.push(rows());
const search = document.getElementById("search");
const enter = () => search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
search.value = "needle";
enter();
seen.push(selected(), document.querySelectorAll("#hex .own").length);
document.querySelector('#hex .byte[data-at="0"]').click();
seen.push(selected());
search.value = "0x1";
enter();
seen.push(selected());
document.getElementById("unfold").click();
seen.push(rows());
document.title = JSON.stringify(seen);
</script>"##;

#[test]
fn the_page_of_inspect_folds_searches_and_selects() {
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    let found = Command::new(&browser)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if found.is_err() {
        eprintln!("not tested: there is no {browser}");
        return;
    }
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    let packed = succeeds(
        &["pack"],
        br#"{"a":[1,2,{"b":"the needle </script>"}],"c":[[]]}"#,
    );
    succeeds(&["inspect", "--html", &page.display().to_string()], &packed);
    let html = fs::read_to_string(&page).unwrap();
    for outside in ["http:", "https:", "<link", "@import", "url("] {
        assert!(!html.contains(outside), "not on its own: {outside}");
    }
    fs::write(&page, html + CLICKS).unwrap();
    let output = Command::new(&browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--dump-dom",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg(format!("file://{}", page.display()))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let seen = String::from_utf8(output.stdout).unwrap();
    let expected = [
        "5",
        r#""00000009fixstr\"the needle &lt;/script&gt;\"""#,
        "21",
        r#""00000000▾fixmap2 entries""#,
        r#""00000001fixstr\"a\":""#,
        "11",
    ]
    .join(",");
    assert!(
        seen.contains(&format!("<title>[{expected}]</title>")),
        "{}",
        seen.lines()
            .find(|line| line.contains("<title>"))
            .unwrap_or("no title")
    );
}

#[test]
fn a_large_input_is_shown_in_pages_with_a_warning() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("page.html").display().to_string();
    // 3 MB of strs of 100 bytes.
    let message = [&b"\xd9\x62"[..], &[b'x'; 98]].concat();
    let output = tool::run(&["inspect", "--html", &file], &message.repeat(30_000));
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{warning}");
    assert_eq!(
        warning,
        "warning: 2 MiB shown; the next page: --range 0x200030..\n"
    );
    assert!(std::fs::metadata(&file).unwrap().len() < 8 << 20);
    let rest = tool::run(
        &["inspect", "--html", &file, "--range", "0x200030.."],
        &message.repeat(30_000),
    );
    assert!(rest.status.success() && rest.stderr.is_empty());
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(
        page.contains(&format!("{} values", 30_000 - 20_972)),
        "{}",
        &page[..500]
    );
}
