//! What needs a feature that is not in the build is refused, and the feature is named. `make test-rust` runs this
//! without features, too.

mod tool;

use tool::{Folder, fails, run};

/// The name of a feature, and whether it is in this build.
type Feature = (&'static str, bool);

const ARROW: Feature = ("arrow", cfg!(feature = "arrow"));
const SCHEMA: Feature = ("json-schema", cfg!(feature = "json-schema"));
const TERMINAL: Feature = ("terminal", cfg!(feature = "terminal"));
const ZSTD: Feature = ("zstd", cfg!(feature = "zstd"));

/// A container file of one row, whose block is compressed with zstd.
const CONTAINER: &str = "\
    94a77061636b6f72640182a473796e63c41012a98c394942bca71f431aef2d6c9e0da5636f646563a47a737464cede091de2\
    d85d12a98c394942bca71f431aef2d6c9e0d950101c0934216ce4d576b61c41628b52ffd20426d0000389181a161d93c6201\
    00908011d85d12a98c394942bca71f431aef2d6c9e0d94a5696e64657801919432360181a1619300d93c6262626262626262\
    6262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262\
    6262d93c62626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262\
    626262626262626262626262626282a5636f756e7401a6736368656d6181a1619291a3737472c2c70c5d0000000000000068\
    64a29f68";

#[test]
fn what_needs_a_missing_feature_names_it() {
    let folder = Folder::new();
    let schema = folder.write("schema.json", "{}");
    let container = hex::decode(CONTAINER).unwrap();
    let cases: &[(Feature, &[&str], &[u8])] = &[
        (ARROW, &["pack", "--from", "parquet"], b""),
        (ARROW, &["pack", "--from", "arrow", "--each"], b""),
        (ARROW, &["unpack", "--to", "parquet"], b"\x81\xa1a\x01"),
        (ARROW, &["get", ".", "--to", "arrow"], b"\x81\xa1a\x01"),
        (ARROW, &["container", "create", "--codec", "none"], b"PAR1"),
        (SCHEMA, &["validate", "--schema", &schema], b"\x01"),
        (TERMINAL, &["view"], b"\x01"),
        (ZSTD, &["container", "create"], b"1"),
        (ZSTD, &["pack", "--container"], b"1"),
        (ZSTD, &["unpack"], b"\x28\xb5\x2f\xfd"),
        (ZSTD, &["unpack"], &container),
    ];
    for ((feature, is_built), arguments, input) in cases {
        let refusal = format!("built without {feature}: cargo install packord-cli --features {feature}");
        if *is_built {
            let output = run(arguments, input);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(!stderr.contains("built without"), "{arguments:?}: {stderr}");
        } else {
            fails(arguments, input, 2, &refusal);
        }
    }
}

#[test]
fn deflate_and_comparing_need_no_feature() {
    let folder = Folder::new();
    let file = folder.path("log.pkd");
    let create = ["container", "create", "--codec", "deflate", "-o", &file];
    assert!(run(&create, b"{\"a\":1}\n").status.success());
    assert_eq!(tool::succeeds(&["unpack", &file], b""), b"{\"a\":1}\n");
    let shown = tool::succeeds(&["compare", "--quick"], b"{\"a\":[1,2,3]}");
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("gzip 6") && shown.contains("brotli 5"), "{shown}");
    assert_eq!(shown.contains("zstd 3"), ZSTD.1, "{shown}");
    assert_eq!(shown.contains("built without zstd"), !ZSTD.1, "{shown}");
}
