//! What the command is built from: of Talkdrum the wire types alone, and of others nothing that a client has no use for.

use std::process::Command;

/// What core and the daemon are built from: databases, passwords, carriers, number metadata, mail, a server.
const NOT_OURS: [&str; 8] =
    ["sqlx", "libsqlite3", "argon2", "rusmpp", "rlibphonenumber", "lettre", "ammonia", "axum"];

/// The names of the packages in the release of the command.
fn packages() -> Vec<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| env!("CARGO").to_owned());
    let output = Command::new(cargo)
        .args(["tree", "--offline", "--locked", "--package", "talkdrum", "--edges", "normal"])
        .args(["--prefix", "none", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[test]
fn the_command_is_a_client_and_has_nothing_of_core_in_it() {
    let mut packages = packages();
    packages.sort_unstable();
    packages.dedup();
    let ours: Vec<&String> = packages.iter().filter(|name| name.starts_with("talkdrum")).collect();
    assert_eq!(ours, ["talkdrum", "talkdrum-api"]);
    let foreign = |name: &&String| NOT_OURS.iter().any(|prefix| name.starts_with(prefix));
    let found: Vec<&String> = packages.iter().filter(foreign).collect();
    assert!(found.is_empty(), "{found:?}");
}
