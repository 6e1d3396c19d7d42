//! The pages in a real browser, if there is one: Chromium in the path, or named by `CHROMIUM`.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::tool::{self, succeeds};
use tempfile::TempDir;

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

/// Looks at the page in a frame of a phone's width, and reports what is wrong as the title.
const PHONE: &str = r#"<script>
const look = (frame) => {
  const page = frame.contentDocument;
  const wrong = [];
  const parse = (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    const scale = text.startsWith("color(") ? 255 : 1;
    return [...numbers.slice(0, 3).map((part) => part * scale), numbers[3] ?? 1];
  };
  const over = (top, ground) => top.slice(0, 3).map((part, at) => part * top[3] + ground[at] * (1 - top[3]));
  const ground = (element) => {
    if (!element) return [255, 255, 255];
    const own = parse(frame.contentWindow.getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, ground(element.parentElement));
  };
  const light = (colour) => {
    const [red, green, blue] = colour.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  page.getElementById("jump")?.click();
  let strings = 0;
  for (const element of page.body.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    const name = `${element.tagName}.${element.className} ${element.textContent.slice(0, 20)}`;
    if (element.matches(".bar > i:not(.spread), .legend > span > i") && contrast(parse(frame.contentWindow.getComputedStyle(element).backgroundColor), ground(element.parentElement)) < 3) wrong.push(`faint: ${name}`);
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || !box.width || element.tagName === "SCRIPT") continue;
    strings++;
    const behind = ground(element);
    const found = contrast(over(parse(frame.contentWindow.getComputedStyle(element).color), behind), behind);
    if (found < 4.5) wrong.push(`contrast ${found.toFixed(2)}: ${name}`);
    const clipped = element.closest(".row");
    if (!clipped && (box.left < 0 || box.right > 390)) wrong.push(`outside: ${name}`);
    if (element.matches(".area")) {
      const map = page.querySelector(".map").getBoundingClientRect();
      if (box.left < map.left - 1 || box.right > map.right + 1 || box.bottom > map.bottom + 1) wrong.push(`not in the map: ${name}`);
      if (frame.contentWindow.getComputedStyle(element).overflow !== "hidden" || box.height < 15) wrong.push(`label outside: ${name}`);
    }
  }
  for (const scroller of [page.documentElement, ...page.querySelectorAll(".pane, .wide")])
    if (scroller.scrollWidth > scroller.clientWidth) wrong.push(`scrolls: ${scroller.id || scroller.className || scroller.tagName}`);
  if (frame.contentWindow.innerWidth !== 390) wrong.push("not the width of a phone");
  document.title = JSON.stringify({ wrong, many: strings > 20, selected: page.querySelector(".selected")?.textContent, messages: page.querySelectorAll(".message").length, legend: page.querySelectorAll(".legend span").length > 3, scale: page.querySelectorAll(".scale span").length > 3 || !!page.querySelector(".ruler span") });
};
</script><iframe width="390" height="844" style="border: 0" onload="look(this)" srcdoc=""#;

/// Returns the title of a page after its scripts, or nothing where there is no browser.
fn title(html: &str, folder: &Path) -> Option<String> {
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    let found = Command::new(&browser)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if found.is_err() {
        // Not by a macro, whose text a passing test does not show.
        let _ = writeln!(std::io::stderr(), "pages not tested: there is no {browser}");
        return None;
    }
    let page = folder.join("tested.html");
    fs::write(&page, html).unwrap();
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
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", page.display()))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let seen = String::from_utf8(output.stdout).unwrap();
    let start = seen.find("<title>").map_or(0, |at| at + "<title>".len());
    let end = seen[start..].find("</title>").unwrap_or_default();
    Some(seen[start..start + end].to_owned())
}

#[test]
fn the_page_of_inspect_folds_searches_and_selects() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    let packed = succeeds(&["pack"], br#"{"a":[1,2,{"b":"the needle </script>"}],"c":[[]]}"#);
    succeeds(&["inspect", "--html", &page.display().to_string()], &packed);
    let html = fs::read_to_string(&page).unwrap();
    for outside in ["http:", "https:", "<link", "@import", "url("] {
        assert!(!html.contains(outside), "not on its own: {outside}");
    }
    let records = succeeds(&["pack", "--records"], br#"{"a":1,"b":false}"#);
    let of_records = folder.path().join("records.html").display().to_string();
    succeeds(&["inspect", "--html", &of_records], &records);
    let data = data_of(&fs::read_to_string(&of_records).unwrap()).to_string();
    assert!(data.contains(r#""\"a\": 1""#) && data.contains(r#""\"b\"""#), "{data}");
    let Some(seen) = title(&(html + CLICKS), folder.path()) else {
        return;
    };
    let expected = [
        "5",
        r#""00000009fixstr\"the needle &lt;/script&gt;\"""#,
        "21",
        r#""00000000▾fixmap2 entries""#,
        r#""00000001fixstr\"a\":""#,
        "11",
    ]
    .join(",");
    assert_eq!(seen, format!("[{expected}]"));
}

#[test]
fn pages_are_readable_on_a_phone_light_and_dark() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let json = succeeds(&["sample", "--seed", "7", "--size", "60k"], b"");
    let packed = succeeds(&["pack"], &json);
    let (stats, compare, inspect) = (place("stats"), place("compare"), place("inspect"));
    succeeds(&["stats", "--html", &stats], &packed);
    tool::run(&["compare", "--quick", "--html", &compare], &json);
    let stream = [&packed[..2000], b"\xc1"].concat();
    let log = succeeds(&["pack"], br#"{"a":[1,2.5,null,"x"]}{"b":{"$bin":"AA=="}}"#);
    let damaged = [&log[..], b"\x92\x01\xc1\x05"].concat();
    tool::fails(&["inspect", "--html", &inspect], &damaged, 3, "reserved_marker");
    let wide = place("wide");
    tool::run(&["inspect", "--html", &wide], &stream);
    for page in [&stats, &compare, &inspect, &wide] {
        let html = fs::read_to_string(page).unwrap();
        let dark = html
            .replace("(prefers-color-scheme: dark)", "all")
            .replace("content=\"light dark\"", "content=\"dark\"");
        assert_ne!(html, dark);
        for html in [html, dark] {
            let escaped = html.replace('&', "&amp;").replace('"', "&quot;");
            let Some(seen) = title(&format!("{PHONE}{escaped}\"></iframe>"), folder.path()) else {
                return;
            };
            let seen: serde_json::Value =
                serde_json::from_str(&seen).unwrap_or_else(|error| panic!("{page}: {error}: {seen}"));
            assert_eq!(seen["wrong"], serde_json::json!([]), "{page}");
            assert_eq!(
                (&seen["many"], &seen["legend"]),
                (&true.into(), &true.into()),
                "{page}: {seen}"
            );
            if page == &inspect {
                let fault = seen["selected"].as_str().unwrap();
                assert!(fault.starts_with("00000019fault"), "{seen}");
                assert_eq!(seen["messages"], 3, "{seen}");
            } else if page != &wide {
                assert_eq!(seen["scale"], true, "{page}: {seen}");
            }
        }
    }
}

/// Holds without a browser: the colours themselves, light and dark.
#[test]
fn colours_of_text_have_enough_contrast() {
    let css = include_str!("../../src/report/page.css");
    let schemes: Vec<&str> = css.split(":root {").skip(1).collect();
    assert_eq!(schemes.len(), 2, "light and dark");
    for scheme in schemes {
        let colours: Vec<(&str, [f64; 3])> = (scheme.split('}').next().unwrap())
            .split(';')
            .filter_map(|line| line.trim().strip_prefix("--")?.split_once(": #"))
            .map(|(name, hex)| {
                let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
                (name, [0, 2, 4].map(|at| f64::from(part(at)) / 255.0))
            })
            .collect();
        let ground = colours.iter().find(|(name, _)| *name == "ground").unwrap().1;
        for (name, colour) in &colours {
            let found = contrast(*colour, ground);
            let exempt = ["ground", "line"].contains(name);
            assert!(exempt || found >= 4.5, "{name}: {found:.2}");
        }
        assert_eq!(colours.len(), 11);
    }
}

/// The contrast of WCAG 2.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let light = |colour: [f64; 3]| {
        let linear = colour.map(|part| {
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        });
        linear[0].mul_add(0.2126, linear[1].mul_add(0.7152, linear[2] * 0.0722)) + 0.05
    };
    let (one, other) = (light(one), light(other));
    one.max(other) / one.min(other)
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
    assert_eq!(warning, "warning: 2 MiB shown; the next page: --range 0x200030..\n");
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

/// Returns the data of a page of `inspect`.
fn data_of(html: &str) -> serde_json::Value {
    let (_, data) = html.split_once("id=\"data\">").unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

/// Goes to a value within a body, to its byte, and to the fault.
const IN_A_BODY: &str = r##"<script>
const selected = () => document.querySelector("#tree .selected").textContent;
const seen = [];
const search = document.getElementById("search");
search.value = "needle";
search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
seen.push(selected(), document.getElementById("status").textContent.split(",")[0]);
seen.push([...document.querySelectorAll("#hex .own")].map((byte) => byte.textContent).join(""));
search.value = "0x0";
search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
seen.push(selected());
document.getElementById("jump").click();
seen.push(selected().slice(0, 22));
seen.push(document.querySelectorAll("#hex .k5").length);
document.title = JSON.stringify(seen);
</script>"##;

#[test]
fn the_page_of_a_container_file_shows_bodies_and_what_is_wrong_with_them() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (file, page) = (place("log.pkd"), place("log.html"));
    let rows: String = (0..200)
        .map(|number| {
            let text = if number == 7 { "needle" } else { "some words" };
            format!("{{\"id\":{number},\"text\":\"{text}\"}}\n")
        })
        .collect();
    for codec in ["none", "deflate", "zstd"] {
        let create = format!("container create --columns off --block-rows 100 --codec {codec} -o");
        let mut create: Vec<&str> = create.split(' ').collect();
        create.push(&file);
        succeeds(&create, rows.as_bytes());
        succeeds(&["inspect", "--html", &page, &file], b"");
        let data = data_of(&fs::read_to_string(&page).unwrap());
        let parts = data["parts"].as_array().unwrap();
        assert_eq!(parts.len(), 3, "the file and two bodies");
        assert!(
            parts[1]["title"]
                .as_str()
                .unwrap()
                .starts_with("body of the block at byte "),
            "{codec}"
        );
        let values = data["rows"]["values"].as_array().unwrap();
        let notes = data["notes"].as_object().unwrap();
        // With those of the statistics.
        let count = |text: &str| values.iter().filter(|value| *value == text).count();
        assert_eq!((count("\"needle\""), count("\"some words\"")), (2, 202), "{codec}");
        let of_note = |text: &str| notes.values().filter(|note| *note == text).count();
        assert_eq!(of_note("data"), 2);
        assert_eq!(of_note("least"), 4);
        assert_eq!(of_note("offset of its mark"), 2);
    }

    // The data of the second block.
    let mut bytes = fs::read(&file).unwrap();
    let info = succeeds(&["container", "info", "--json", &file], b"");
    let info: serde_json::Value = serde_json::from_slice(&info).unwrap();
    let index = info["index"].as_u64().unwrap() as usize;
    bytes[index - 10] ^= 1;
    let damaged = place("damaged.pkd");
    fs::write(&damaged, &bytes).unwrap();
    let inspect = ["inspect", "--html", &page, &damaged];
    tool::fails(&inspect, b"", 3, "the checksum of chunk 0 is wrong");
    let html = fs::read_to_string(&page).unwrap();
    let data = data_of(&html);
    let values = data["rows"]["values"].as_array().unwrap();
    let faults: Vec<usize> = (0..values.len())
        .filter(|&row| data["rows"]["kinds"][row] == 5)
        .collect();
    assert_eq!(faults.len(), 1);
    let fault = values[faults[0]].as_str().unwrap();
    // The fault is at the block-array, as `validate` says.
    let validated = tool::run(&["validate", &damaged], b"");
    let validated = String::from_utf8(validated.stderr).unwrap();
    let said = fault.strip_prefix("not unpacked: ").unwrap();
    assert!(validated.contains(said), "{validated}: {said}");
    let start = &data["rows"]["starts"][faults[0]];
    assert!(said.contains(&format!("at byte {start}")), "{said}");
    let Some(seen) = title(&(html + IN_A_BODY), folder.path()) else {
        return;
    };
    let seen: serde_json::Value = serde_json::from_str(&seen).unwrap();
    assert_eq!(seen[0], "+00000a0fixstr\"needle\"", "{seen}");
    assert!(
        seen[1]
            .as_str()
            .unwrap()
            .starts_with("byte 160 (0xa0) of the body of the block at")
    );
    assert_eq!(seen[2], "a66e6565646c65", "{seen}");
    assert_eq!(seen[3], "00000000▾fixarray4 elementsmessage 0", "{seen}");
    assert!(seen[4].as_str().unwrap().contains("faultnot unp"), "{seen}");
    assert_eq!(seen[5], 1, "{seen}");
}

#[test]
fn a_page_of_a_large_container_file_is_bounded() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (file, page) = (place("log.pkd"), place("log.html"));
    // Two blocks of 3 MB that no codec makes smaller, by column and not.
    let text = |number: u64| {
        let mut state = number;
        let mut word = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state ^= state >> 29;
            format!("{state:016x}")
        };
        (0..6).map(|_| word()).collect::<String>()
    };
    let rows: String = (0..60_000)
        .map(|number| format!("{{\"text\":\"{}\"}}\n", text(number)))
        .collect();
    for columns in ["on", "off"] {
        let create = format!("container create --codec none --columns {columns} --block-rows 30000 -o");
        let mut create: Vec<&str> = create.split(' ').collect();
        create.push(&file);
        succeeds(&create, rows.as_bytes());
        succeeds(&["inspect", "--html", &page, &file], b"");
        let html = fs::read_to_string(&page).unwrap();
        assert!(html.len() < 3 << 20, "{columns}: {}", html.len());
        let data = data_of(&html);
        let values = data["rows"]["values"].as_array().unwrap();
        assert!(values.contains(&"\"index\"".into()), "the index is on the page");
        let left = values.iter().filter_map(|value| value.as_str());
        let left: Vec<&str> = left.filter(|value| value.contains("more of the body")).collect();
        assert_eq!(left.len(), if columns == "on" { 0 } else { 2 }, "{left:?}");
        if let Some(left) = left.first() {
            // The command that it names shows the rest.
            let command = left.split_once(": packord ").unwrap().1;
            let arguments: Vec<&str> = command.split(' ').chain([&file[..]]).collect();
            let messages = succeeds(&arguments, b"");
            let shown = succeeds(&["validate"], &messages);
            let shown = String::from_utf8(shown).unwrap();
            assert!(shown.contains("30000 messages") || shown.contains("30,000"), "{shown}");
        }
    }
}
