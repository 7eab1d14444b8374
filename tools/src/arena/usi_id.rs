//! Engine name and options.

/// Name and options that an engine declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsiId {
    /// Name; empty if not declared.
    pub name: String,
    /// Options in order of declaration.
    pub options: Vec<DeclaredOption>,
}

/// A declared option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOption {
    /// Option name.
    pub name: String,
    /// Option type: `spin`, `check`, `combo`, …
    pub kind: String,
    /// Range of a `spin`; `None` for other types and for invalid ranges.
    pub spin: Option<Spin>,
    /// Values of a `combo`; empty for other types.
    pub values: Vec<String>,
}

/// Range of a `spin` option; the default is in the range.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Spin {
    /// Default.
    pub default: i64,
    /// Minimum.
    pub min: i64,
    /// Maximum.
    pub max: i64,
}

impl UsiId {
    /// Parses a line sent before `usiok`.
    pub(super) fn parse_line(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = name.trim().to_owned();
        } else if let Some(option) = line.strip_prefix("option name ") {
            self.options.push(DeclaredOption::parse(option));
        }
    }

    /// The option with this name.
    pub fn option(&self, name: &str) -> Option<&DeclaredOption> {
        self.options.iter().find(|option| option.name == name)
    }
}

impl DeclaredOption {
    /// Parses the text after `option name `.
    fn parse(text: &str) -> Self {
        let (name, rest) = text.split_once(" type ").unwrap_or((text, ""));
        let kind = rest.split_ascii_whitespace().next().unwrap_or_default();
        let spin = if kind == "spin" { Spin::parse(rest) } else { None };
        let values = if kind == "combo" {
            rest.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect()
        } else {
            vec![]
        };
        Self { name: name.trim().to_owned(), kind: kind.to_owned(), spin, values }
    }

    /// The permitted values, if `value` is not one of them.
    pub fn rejects(&self, value: &str) -> Option<String> {
        let is = |word: &str| value.eq_ignore_ascii_case(word);
        match (self.kind.as_str(), self.spin) {
            ("spin", Some(Spin { min, max, .. })) => {
                let fits = value.trim().parse().is_ok_and(|number| (min..=max).contains(&number));
                (!fits).then(|| format!("{min} to {max}"))
            }
            ("check", _) => (!is("true") && !is("false")).then(|| "true or false".to_owned()),
            ("combo", _) => (!self.values.iter().any(|known| is(known))).then(|| self.values.join(", ")),
            _ => None,
        }
    }
}

impl Spin {
    fn parse(text: &str) -> Option<Self> {
        let number = |key| text.split_ascii_whitespace().skip_while(|&word| word != key).nth(1)?.parse().ok();
        let spin = Self { default: number("default")?, min: number("min")?, max: number("max")? };
        (spin.min..=spin.max).contains(&spin.default).then_some(spin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(lines: &[&str]) -> UsiId {
        let mut usi_id = UsiId::default();
        lines.iter().for_each(|line| usi_id.parse_line(line));
        usi_id
    }

    #[test]
    fn parses_name_and_options() {
        let usi_id = parsed(&[
            "id name Some Engine 1.0 ",
            "id author Somebody",
            "option name Own Book type check default true",
            "option name Style type combo default Normal var Solid var Normal",
            "option name Bare",
        ]);
        assert_eq!(usi_id.name, "Some Engine 1.0");
        let reported: Vec<_> =
            usi_id.options.iter().map(|option| (option.name.as_str(), option.kind.as_str())).collect();
        assert_eq!(reported, [("Own Book", "check"), ("Style", "combo"), ("Bare", "")]);
        assert_eq!(usi_id.option("Style"), Some(&usi_id.options[1]));
        assert_eq!(usi_id.option("style"), None);
    }

    #[test]
    fn rejects_undeclared_values() {
        let usi_id = parsed(&[
            "option name Hash type spin default 16 min 1 max 64",
            "option name Book type check default true",
            "option name Style type combo default Normal var Very Solid var Normal",
            "option name File type string default x",
            "option name Odd type spin default 5",
        ]);
        let rejected = |name: &str, value: &str| usi_id.option(name).unwrap().rejects(value);
        for (name, value) in
            [("Hash", "1"), ("Hash", "64"), ("Book", "False"), ("Style", "very solid"), ("File", ""), ("Odd", "99")]
        {
            assert_eq!(rejected(name, value), None, "{name}={value}");
        }
        for (name, value, takes) in [
            ("Hash", "0", "1 to 64"),
            ("Hash", "many", "1 to 64"),
            ("Book", "yes", "true or false"),
            ("Style", "Wild", "Very Solid, Normal"),
        ] {
            assert_eq!(rejected(name, value).as_deref(), Some(takes), "{name}={value}");
        }
    }

    #[test]
    fn spin_needs_default_in_range() {
        let spin = |rest: &str| parsed(&[&format!("option name X type spin{rest}")]).options[0].spin;
        let whole = Some(Spin { default: -3, min: -10, max: 20 });
        assert_eq!(spin(" default -3 min -10 max 20"), whole);
        assert_eq!(spin(" min -10 max 20 default -3"), whole);
        for bad in [
            "",
            " default 3",
            " default 3 min 1",
            " default 0 min 1 max 2",
            " default 3 min 9 max 1",
            " default x min 1 max 2",
            " default 1 min 1 max",
            " default 1 min 1 max 99999999999999999999",
        ] {
            assert_eq!(spin(bad), None, "{bad}");
        }
        assert_eq!(parsed(&["option name X type string default 1 min 0 max 2"]).options[0].spin, None);
    }
}
