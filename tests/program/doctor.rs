//! `sabi doctor`: all checks, with advice for each problem.

use sabi_test_support::{Folder, run, succeed};
use serde_json::Value;

const SABI: &str = env!("CARGO_BIN_EXE_sabi");

fn report(arguments: &[&str]) -> Value {
    let text = succeed(SABI, &[&["doctor", "--json"], arguments].concat());
    serde_json::from_str(&text).expect("JSON")
}

/// Problems as text, each with advice.
fn problems(report: &Value) -> Vec<String> {
    let list = report["problems"].as_array().expect("a list");
    let text = |problem: &Value, key: &str| problem[key].as_str().expect("a text").to_owned();
    assert!(list.iter().all(|problem| !text(problem, "advice").is_empty()));
    list.iter().map(|problem| text(problem, "problem")).collect()
}

/// No problem with the engine itself. Speed, cores and memory depend on the machine.
#[test]
fn healthy_engine_report() {
    let report = report(&[]);
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    for key in ["build", "kernel"] {
        assert!(report["machine"][key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {report:#}");
    }
    assert!(report["machine"]["usable_cores"].as_u64().is_some_and(|cores| cores > 0));
    assert_eq!((&report["network"]["is_valid"], &report["book"]["is_valid"]), (&true.into(), &true.into()));
    assert!(report["speed"]["nodes_per_second"].as_u64().is_some_and(|speed| speed > 1000), "{report:#}");
    assert!(report["speed"]["expected"].as_u64().is_some_and(|speed| speed > 1000));
    assert!(report["hash"]["wanted"].as_u64().is_some_and(|size| size > 0));
    assert!(!problems(&report).iter().any(|text| text.contains("network") || text.contains("book")), "{report:#}");
}

#[test]
fn one_line_per_check() {
    let text = succeed(SABI, &["doctor"]);
    let names = "version build processor features kernel cores memory huge hash network book speed problem";
    for name in names.split(' ') {
        assert_eq!(text.lines().filter(|line| line.starts_with(name)).count().min(1), 1, "{name}: {text}");
    }
    let advices = text.lines().filter(|line| line.starts_with("  advice")).count();
    let problems = text.lines().filter(|line| line.starts_with("problem")).count();
    assert!(problems == advices || advices == 0 && text.contains("none found"), "{text}");
}

#[test]
fn every_problem_has_advice() {
    let folder = Folder::new();
    let nonsense = folder.with("nonsense.bin", b"nonsense");
    let shogihome = folder.with(
        "usi_engine.json",
        r#"{"engines": {"es://x": {"name": "Sabi 0.2.0", "path": "/opt/sabi", "options": {
            "Threads": {"type": "spin", "value": 512}, "USI_Hash": {"type": "spin", "value": 1048576},
            "NoSuchOption": {"type": "check", "value": "true"}}}}}"#,
    );
    let list = folder.with("options.txt", format!("EvalFile={nonsense}\nsetoption name BookFile value {nonsense}\n"));
    let first = report(&["--gui", &shogihome]);
    let reported = problems(&first).join("\n");
    assert_eq!((&first["gui"]["accepted"], &first["gui"]["rejected"]), (&2.into(), &1.into()));
    assert!(reported.contains("Threads is 512") && reported.contains("no option 'NoSuchOption'"), "{reported}");
    // Free memory is known on some systems only.
    assert!(
        first["machine"]["memory_free"].is_null() || reported.contains("USI_Hash asks for 1048576 MB"),
        "{reported}"
    );
    let second = report(&["--gui", &list]);
    let reported = problems(&second).join("\n");
    assert_eq!((&second["network"]["is_valid"], &second["book"]["is_valid"]), (&false.into(), &false.into()));
    assert!(reported.contains("the evaluation") && reported.contains("the book"), "{reported}");
    let option = format!("EvalFile={nonsense}");
    assert_eq!(report(&["--option", &option])["network"]["is_valid"], false);
}

#[test]
fn unreadable_files_are_rejected() {
    let folder = Folder::new();
    for (name, content, reported) in [
        ("a.xml", "<?xml version=\"1.0\"?><x/>", "XML is not read"),
        ("b.json", "{}", "no key 'engines'"),
        ("c.json", "{\"engines\": {\"a\": {\"name\": \"Other\"}}}", "no engine called Sabi"),
        ("d.txt", "Threads=1\nThreads 2\n", "line 2 is not NAME=VALUE"),
    ] {
        let outcome = run(SABI, &["doctor", "--gui", &folder.with(name, content)]);
        assert!(!outcome.success && outcome.stderr.contains(reported), "{name}: {}", outcome.stderr);
        assert!(outcome.stderr.lines().count() == 1 && outcome.stdout.is_empty(), "{name}");
    }
    let missing = run(SABI, &["doctor", "--gui", &folder.name("none")]);
    assert!(!missing.success && missing.stderr.lines().count() == 1, "{}", missing.stderr);
}
