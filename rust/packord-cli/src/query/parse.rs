//! The grammar of queries.

use packord::{Timestamp, Value};
use regex::bytes::Regex;

use super::grammar::{Comparator, Entries, Operand, Query, QueryPath, QueryStep, Test};
use crate::values::path::{self, PathStep};

/// Maximum depth of brackets and braces, which are read recursively.
const DEPTH: usize = 64;

impl Query {
    /// Parses a query. In one that is a path alone, names may have any letters but `.` and `[`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and a caret under the place.
    pub fn parse(text: &str) -> Result<Query, String> {
        whole(text, |parser| {
            let more = ["[?", "['", "..", ".{"];
            parser.has_any_names = !text.starts_with('{') && !more.iter().any(|part| text.contains(part));
            parser.query()
        })
    }
}

impl Test {
    /// Parses a test, as it is written after `[?`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and a caret under the place.
    pub fn parse(text: &str) -> Result<Test, String> {
        whole(text, |parser| {
            let parsed = parser.test(0)?;
            parser.space();
            Ok(parsed)
        })
    }
}

impl Entries {
    /// Parses entries, as they are written between `.{` and `}`.
    ///
    /// # Errors
    ///
    /// What is wrong with them, and a caret under the place.
    pub fn parse(text: &str) -> Result<Entries, String> {
        whole(text, |parser| parser.entries(0))
    }
}

impl QueryPath {
    /// Parses a path, as it is written in a test.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and a caret under the place.
    pub fn parse(text: &str) -> Result<QueryPath, String> {
        whole(text, |parser| parser.path(0))
    }

    /// Parses paths to sort by, each with `Some(true)` if `desc` follows it and `Some(false)` if `asc` does.
    ///
    /// # Errors
    ///
    /// What is wrong with them, and a caret under the place.
    pub fn parse_order(text: &str) -> Result<Vec<(QueryPath, Option<bool>)>, String> {
        whole(text, |parser| {
            parser.list(|parser| {
                parser.space();
                let path = parser.path(0)?;
                if parser.word("desc") {
                    return Ok((path, Some(true)));
                }
                Ok((path, parser.word("asc").then_some(false)))
            })
        })
    }
}

/// Parses the whole string, and points to what is wrong with it.
fn whole<'t, T>(text: &'t str, parse: impl FnOnce(&mut QueryParser<'t>) -> Parsed<T>) -> Result<T, String> {
    let mut parser = QueryParser {
        text,
        rest: text,
        has_any_names: false,
    };
    match parse(&mut parser) {
        Ok(parsed) if parser.rest.is_empty() => Ok(parsed),
        Ok(_) => Err(parser.point(&parser.expected("the end"))),
        Err(what) => Err(parser.point(&what)),
    }
}

struct QueryParser<'t> {
    text: &'t str,
    rest: &'t str,
    /// Whether only `.` and `[` end a name.
    has_any_names: bool,
}

type Parsed<T> = Result<T, String>;

impl<'t> QueryParser<'t> {
    fn point(&self, what: &str) -> String {
        let before = &self.text[..self.text.len() - self.rest.len()];
        format!("{what}\n  {}\n  {}^", self.text, " ".repeat(before.chars().count()))
    }

    /// Says what was expected, or how packord writes an operator of SQL that is there.
    fn expected(&self, token: &str) -> String {
        let others = [
            ("=", "=="),
            ("and", "&&"),
            ("or", "||"),
            ("is", "=="),
            ("like", "contains(a, b) or =~"),
            ("between", "a >= b && a <= c"),
        ];
        let word = self.rest.split_whitespace().next().unwrap_or_default();
        match others.iter().find(|(sql, _)| word.eq_ignore_ascii_case(sql)) {
            Some((_, own)) => format!("{word} is written {own}"),
            None => format!("expected {token}"),
        }
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Parsed<()> {
        self.space();
        if self.eat(token) {
            Ok(())
        } else {
            Err(self.expected(token))
        }
    }

    /// Takes a word between spaces, brackets and commas.
    fn word(&mut self, word: &str) -> bool {
        self.space();
        let rest = self.rest.strip_prefix(word);
        let is_end =
            |rest: &&str| rest.is_empty() || rest.starts_with(|it: char| it.is_whitespace() || "(,".contains(it));
        match rest.filter(is_end) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Parses one or more items with commas between them.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.operator(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn query(&mut self) -> Parsed<Query> {
        let mut messages = None;
        if self.eat("$") {
            let range = self.take(|letter| letter.is_ascii_digit() || "-:".contains(letter));
            if !range.is_empty() {
                let (step, _) = path::bracket(&format!("{range}]"))?;
                messages = Some(step);
            }
        }
        let steps = self.steps(messages.is_none() && self.text == self.rest, 0)?;
        Ok(Query { messages, steps })
    }

    /// Takes the letters for which `is_wanted` holds.
    fn take(&mut self, is_wanted: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|letter| !is_wanted(letter)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn name(&mut self) -> Parsed<PathStep> {
        let has_any = self.has_any_names;
        let name = self.take(|letter| match letter {
            '.' | '[' => false,
            _ => has_any || !letter.is_whitespace() && !"]{}(),:?!=<>&|\"'@".contains(letter),
        });
        match name {
            "" => Err("expected a name".to_owned()),
            "*" => Ok(PathStep::Any),
            name => PathStep::key(Value::from(name)),
        }
    }

    /// Parses the steps of a path. A bare path begins with a name.
    fn steps(&mut self, is_bare: bool, depth: usize) -> Parsed<Vec<QueryStep>> {
        if depth > DEPTH {
            return Err(format!("more than {DEPTH} levels of brackets"));
        }
        let mut steps = Vec::new();
        if is_bare && self.rest.starts_with('{') {
            steps.push(self.projection(depth)?);
            return Ok(steps);
        }
        if is_bare && !self.rest.starts_with(['.', '[']) {
            steps.push(QueryStep::Into(self.name()?));
        }
        loop {
            if self.eat("[") {
                steps.push(self.bracket(depth)?);
            } else if self.eat("..") {
                let step = if self.eat("[") { self.index()? } else { self.name()? };
                steps.push(QueryStep::Within(step));
            } else if self.eat(".") {
                if self.rest.starts_with('{') {
                    steps.push(self.projection(depth)?);
                    return Ok(steps);
                }
                let is_root = steps.is_empty()
                    && !self.rest.starts_with(|letter: char| {
                        self.has_any_names || letter.is_alphanumeric() || "*_$-".contains(letter)
                    });
                if !is_root && !self.rest.starts_with('[') {
                    steps.push(QueryStep::Into(self.name()?));
                }
            } else {
                return Ok(steps);
            }
        }
    }

    fn index(&mut self) -> Parsed<PathStep> {
        if self.rest.starts_with('\'') {
            let key = self.quoted()?;
            self.expect("]")?;
            return PathStep::key(Value::from(key));
        }
        let (step, rest) = path::bracket(self.rest)?;
        self.rest = rest;
        Ok(step)
    }

    fn bracket(&mut self, depth: usize) -> Parsed<QueryStep> {
        if !self.eat("?") {
            return Ok(QueryStep::Into(self.index()?));
        }
        let test = self.test(depth + 1)?;
        self.expect("]")?;
        Ok(QueryStep::Where(test))
    }

    /// Parses `{id, first: names[0]}`.
    fn projection(&mut self, depth: usize) -> Parsed<QueryStep> {
        self.expect("{")?;
        let entries = self.entries(depth)?;
        self.expect("}")?;
        Ok(QueryStep::Project(entries))
    }

    fn entries(&mut self, depth: usize) -> Parsed<Entries> {
        let mut entries: Vec<(String, Vec<QueryStep>)> = Vec::new();
        loop {
            self.space();
            let start = self.rest;
            let QueryPath(mut steps) = self.path(depth + 1)?;
            let name = &start[..start.len() - self.rest.len()];
            if entries.iter().any(|(other, _)| other == name) {
                self.rest = start;
                return Err(format!("two entries are named {name}"));
            }
            self.space();
            if self.eat(":") {
                self.space();
                QueryPath(steps) = self.path(depth + 1)?;
                self.space();
            }
            entries.push((name.to_owned(), steps));
            if !self.eat(",") {
                return Ok(Entries(entries));
            }
        }
    }

    fn test(&mut self, depth: usize) -> Parsed<Test> {
        let mut any = vec![self.all(depth)?];
        while self.operator("||") {
            any.push(self.all(depth)?);
        }
        Ok(if any.len() == 1 { any.remove(0) } else { Test::Or(any) })
    }

    fn all(&mut self, depth: usize) -> Parsed<Test> {
        let mut all = vec![self.single(depth)?];
        while self.operator("&&") {
            all.push(self.single(depth)?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Test::And(all) })
    }

    fn operator(&mut self, operator: &str) -> bool {
        self.space();
        self.eat(operator)
    }

    fn single(&mut self, depth: usize) -> Parsed<Test> {
        if depth > DEPTH {
            return Err(format!("more than {DEPTH} levels of brackets"));
        }
        self.space();
        if self.eat("!") {
            return Ok(Test::Not(Box::new(self.single(depth + 1)?)));
        }
        if self.eat("(") {
            let test = self.test(depth + 1)?;
            self.expect(")")?;
            return Ok(test);
        }
        for (name, test) in [
            ("contains(", Test::Contains as fn(Operand, Operand) -> Test),
            ("starts_with(", Test::StartsWith),
            ("ends_with(", Test::EndsWith),
        ] {
            if self.eat(name) {
                let left = self.operand(depth + 1)?;
                self.expect(",")?;
                let right = self.operand(depth + 1)?;
                self.expect(")")?;
                return Ok(test(left, right));
            }
        }
        let left = self.operand(depth + 1)?;
        if self.operator("=~") {
            return Ok(Test::Matches(left, self.pattern()?));
        }
        if self.word("in") {
            self.expect("(")?;
            let any = self.list(|parser| {
                let right = parser.operand(depth + 1)?;
                Ok(Test::Compare(left.clone(), Comparator::Equal, right))
            })?;
            self.expect(")")?;
            return Ok(Test::Or(any));
        }
        let comparators = [
            ("==", Comparator::Equal),
            ("!=", Comparator::Unequal),
            ("<=", Comparator::AtMost),
            (">=", Comparator::AtLeast),
            ("<", Comparator::Less),
            (">", Comparator::Greater),
        ];
        for (sign, comparator) in comparators {
            if self.eat(sign) {
                return Ok(Test::Compare(left, comparator, self.operand(depth + 1)?));
            }
        }
        match left {
            Operand::At(path) => Ok(Test::Exists(path)),
            _ => Err("expected ==, !=, <, <=, >, >=, =~ or in".to_owned()),
        }
    }

    fn operand(&mut self, depth: usize) -> Parsed<Operand> {
        self.space();
        if self.eat("length(") {
            self.space();
            let path = self.path(depth)?;
            self.expect(")")?;
            return Ok(Operand::Length(path));
        }
        if self.rest.starts_with(['"', '\'']) {
            return Ok(Operand::Literal(Value::from(self.quoted()?)));
        }
        if self
            .rest
            .starts_with(|letter: char| letter.is_ascii_digit() || letter == '-')
        {
            let start = self.rest;
            let digits = self.take(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
            let number = digits.parse::<i64>().map(Value::from);
            let number = number.or_else(|_| digits.parse::<u64>().map(Value::from));
            return match number.or_else(|_| digits.parse::<f64>().map(Value::from)) {
                Ok(number) => Ok(Operand::Literal(number)),
                Err(_) => {
                    self.rest = start;
                    Err("expected a number".to_owned())
                }
            };
        }
        if let Some(time) = self.time()? {
            return Ok(Operand::Literal(Value::Timestamp(time)));
        }
        let before = self.rest;
        let path = self.path(depth)?;
        let word = before[..before.len() - self.rest.len()].trim();
        Ok(match word {
            "true" => Operand::Literal(Value::from(true)),
            "false" => Operand::Literal(Value::from(false)),
            "null" | "nil" => Operand::Literal(Value::Nil),
            _ => Operand::At(path),
        })
    }

    /// Parses a time in RFC 3339 after an `@`, or a date, which stands for its midnight in UTC.
    fn time(&mut self) -> Parsed<Option<Timestamp>> {
        let is_time = |text: &str| text.starts_with(|letter: char| letter.is_ascii_digit());
        let Some(rest) = self.rest.strip_prefix('@').filter(|rest| is_time(rest)) else {
            return Ok(None);
        };
        let start = std::mem::replace(&mut self.rest, rest);
        let text = self.take(|letter| letter.is_ascii_alphanumeric() || "+-:.".contains(letter));
        let midnight = format!("{text}T00:00:00Z");
        let time = text.parse().or_else(|_| midnight.parse());
        time.map(Some).map_err(|_| {
            self.rest = start;
            "expected a time like @2026-03-01T12:00:00Z, or a date".to_owned()
        })
    }

    fn path(&mut self, depth: usize) -> Parsed<QueryPath> {
        if self.rest.starts_with('$') {
            return Err("expected a path that begins with @ or a name".to_owned());
        }
        let is_bare = !self.eat("@");
        Ok(QueryPath(self.steps(is_bare, depth)?))
    }

    /// Parses a regular expression between quotes. In it, a backslash belongs to the expression.
    fn pattern(&mut self) -> Parsed<Regex> {
        self.space();
        if !self.rest.starts_with(['"', '\'']) {
            return Err("expected a regular expression in quotes".to_owned());
        }
        let start = self.rest;
        let (_, inner) = self.between_quotes()?;
        Regex::new(inner).map_err(|error| {
            self.rest = start;
            let text = error.to_string();
            let what = text.rsplit("error: ").next().unwrap_or_default();
            format!("not a regular expression: {what}")
        })
    }

    /// Parses a str of JSON, or the same between single quotes.
    fn quoted(&mut self) -> Parsed<String> {
        let start = self.rest;
        let (quote, inner) = self.between_quotes()?;
        let json = if quote == '"' {
            format!("\"{inner}\"")
        } else {
            format!("\"{}\"", inner.replace("\\'", "'").replace('"', "\\\""))
        };
        serde_json::from_str(&json).map_err(|_| {
            self.rest = start;
            "not a str of JSON".to_owned()
        })
    }

    /// Takes what is between quotes, in which a backslash keeps the next letter from ending it.
    fn between_quotes(&mut self) -> Parsed<(char, &'t str)> {
        let quote = if self.rest.starts_with('"') { '"' } else { '\'' };
        let mut is_escaped = false;
        let end = self.rest.char_indices().skip(1).find(|&(_, letter)| {
            let is_end = letter == quote && !is_escaped;
            is_escaped = letter == '\\' && !is_escaped;
            is_end
        });
        let Some((end, _)) = end else {
            return Err(format!("no {quote} at the end of this str"));
        };
        let inner = &self.rest[1..end];
        self.rest = &self.rest[end + 1..];
        Ok((quote, inner))
    }
}
