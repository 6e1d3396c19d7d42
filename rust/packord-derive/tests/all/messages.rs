//! What the compiler says of types that lack a trait: the lines that are packord's own. The rest of
//! a message differs between versions of the compiler, so whole messages are not compared.

use std::fs;
use std::path::Path;
use std::process::Command;

const WRONG: [(&str, &[&str]); 8] = [
    (
        "pub fn f() -> packord::Value { 5 }",
        &["expected enum `packord::generic::Value`"],
    ),
    (
        "struct Plain; fn f(plain: &Plain) { send(plain); }
         fn send(_: &impl packord::Packable) {}",
        &[
            "`Plain` cannot be packed",
            "`Packable` is not implemented for this type",
            "derive `MsgPacker` for a type of your own",
        ],
    ),
    (
        "struct Plain; #[derive(packord::MsgPacker)] struct Outer { inner: Plain }",
        &[
            "`Plain` cannot be packed",
            "`Plain` cannot be unpacked into a value that owns all it holds",
            "a field of another crate's type can have `#[msgpacker(with = module)]`",
        ],
    ),
    (
        "struct Plain;\n#[derive(packord::Packable)]\nstruct Outer {\n    a: u8,\n    inner: Plain,\n}",
        &["`Plain` cannot be packed", "--> wrong.rs:5:12"],
    ),
    (
        "#[derive(packord::MsgPacker)] struct Owner<'a> { name: &'a str }",
        &[
            "`&str` cannot be unpacked into a value that owns all it holds",
            "a type that borrows from the input needs `MsgPackerBorrowed`, and so do types that contain it",
        ],
    ),
    (
        "struct Plain; #[derive(packord::MsgUnpackerBorrowed)] struct Outer { inner: Plain }",
        &[
            "`Plain` cannot be unpacked by borrowing from the input",
            "derive `MsgPackerBorrowed` for a type of your own",
        ],
    ),
    (
        "#[derive(packord::MsgPacker)] struct Log { #[msgpacker(timestamp)] at: String }",
        &["`String` cannot be a timestamp"],
    ),
    (
        "#[derive(packord::MsgPacker)] #[msgpacker(map)] struct Page { #[msgpacker(flatten)] rest: Vec<u8> }",
        &["`Vec<u8>` cannot be flattened into another type"],
    ),
];

/// Returns what cargo says of a package with this code, and with packord under this name, if the code does not
/// compile.
fn messages(name: &str, code: &str) -> Option<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages");
    let packord = Path::new(env!("CARGO_MANIFEST_DIR")).join("../packord");
    fs::create_dir_all(&folder).unwrap();
    let manifest = format!(
        "[package]\nname = \"wrong\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [lib]\npath = \"wrong.rs\"\n[workspace]\n[dependencies]\n{name} = {{ package = \"packord\", path = '{}' }}\n",
        packord.display()
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(packord.join("../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    fs::write(folder.join("wrong.rs"), code).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--offline", "--quiet", "--color=never"]);
    cargo
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"));
    let output = cargo.output().unwrap();
    let is_wrong = !output.status.success();
    is_wrong.then(|| String::from_utf8(output.stderr).unwrap())
}

#[test]
fn missing_traits_are_explained() {
    for (code, lines) in WRONG {
        let messages = messages("packord", code).unwrap();
        for line in lines {
            assert!(messages.contains(line), "{line}\nis not in\n{messages}");
        }
    }
    // A dependency may have the name of the crate that packord is used in place of.
    let code = "use msgpacker::{MsgPacker, Packable as _};
        #[derive(MsgPacker)] struct Pair(u8, String);
        pub fn f() -> Vec<u8> { Pair(1, String::new()).pack_to_vec() }";
    assert_eq!(messages("msgpacker", code), None);
}
