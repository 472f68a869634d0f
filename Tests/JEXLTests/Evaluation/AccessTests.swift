import JEXL
import Testing

@Suite struct AccessTests {
    static let context = #"""
        {"n":null,"s":"text","i":7,"b":true,"xs":[10,20.5,"c"],"o":{"a":{"b":[1,{"c":"d"}]},"0":"zero","":"empty","in":1},
         "m":[[1,2],[3]]}
        """#

    @Test(arguments: [
        Example("o.a.b[1].c", #""d""#), Example("o['a'].b", #"[1,{"c":"d"}]"#), Example("o['a']['b'][0]", "1"),
        Example("o.missing", "null"), Example("o.missing.more[3]['x'].y", "null"), Example("n.x", "null"),
        Example("s.length", "null"), Example("i.x", "null"), Example("b.x", "null"), Example("xs.length", "null"),
        Example("n['x']", "null"), Example("s['x']", "null"), Example("xs['0']", "null"), Example("o['0']", #""zero""#),
        Example("o['']", #""empty""#), Example("o['in']", "1"), Example("'abc'.x", "null"), Example("'abc'[0]", "null"),
        Example("null.x", "null"), Example("true.x", "null"), Example("{'a':1}.a", "1.0"),
        Example("{a:{b:2}}.a.b", "2.0"),
        Example("[1,2][0]", "1.0"), Example("[[1,2],[3]][0][1]", "2.0"), Example("m[0][1]", "2"),
        Example("m[1][1]", "null"),
        Example("{}.a", "null"), Example("{}['a']", "null"), Example("(o).a.b[0]", "1"), Example("(o.a).b[0]", "1"),
        Example("xs[0]", "10"), Example("xs[2]", #""c""#), Example("xs[3]", "null"), Example("xs[1.99]", "20.5"),
        Example("xs[.5]", "10"), Example("xs[0.5 + 0.5]", "20.5"), Example("xs[0 - 1]", "10"),
        Example("xs[0 - 100.5]", "10"),
        Example("xs[0 - 0.5]", "10"), Example("xs[99999999999999999999999]", "null"),
        Example("xs[9223372036854775807]", "null"),
        Example("xs[10 ^ 300]", "null"), Example("xs[0 - 10 ^ 300]", "10"), Example("xs[i]", "null"),
        Example("xs[xs[0] - 9]", "20.5"),
        Example("o[0]", "null"), Example("n[0]", "null"), Example("s[0]", "null"), Example("i[0]", "null"),
        Example("xs[true]", fails: .indexType), Example("xs[null]", fails: .indexType),
        Example("xs[1 / 0]", fails: .indexType),
        Example("xs[[0]]", fails: .indexType), Example("xs[{}]", fails: .indexType),
        Example("n[null]", fails: .indexType),
        Example("xs[missing]", fails: .undefinedIdentifier), Example("missing[0]", fails: .undefinedIdentifier),
        Example("missing.x", fails: .undefinedIdentifier), Example("missing[true]", fails: .undefinedIdentifier),
        Example("xs['a' == 1]", fails: .indexType), Example("o['a' + 1]", fails: .unsupportedOperands),
        Example("xs[0][true]", fails: .indexType), Example("[1,2,3][[1][0]]", "2.0"),
    ]) func membersAndItems(_ example: Example) throws {
        let example = Example(example.expression, example.outcome, in: Self.context)
        #expect(try example.evaluated() == example.outcome)
    }

    static let list = #"""
        {"xs":[{"a":1,"t":"x"},{"a":2.0},{"a":"1"},{"a":null},{"b":1},5,"s",null,[1],{"a":[1]},{"a":true}],
         "o":{"a":1},"names":["x","y"],"one":1,"deep":[{"k":{"v":1}}]}
        """#

    @Test(arguments: [
        Example("xs[.a == 1]", #"[{"a":1,"t":"x"}]"#), Example("xs[.a == one]", #"[{"a":1,"t":"x"}]"#),
        Example("xs[.a == 2]", #"[{"a":2.0}]"#), Example("xs[.a >= 1]", #"[{"a":1,"t":"x"},{"a":2.0}]"#),
        Example("xs[.a < '2']", #"[{"a":"1"}]"#), Example("xs[.a > 5]", "[]"),
        // A missing member is null, also on a value that is not an object.
        Example("xs[.a == null]", #"[{"a":null},{"b":1},5,"s",null,[1]]"#),
        Example("xs[.t != null]", #"[{"a":1,"t":"x"}]"#), Example("xs[.a == true]", #"[{"a":true}]"#),
        Example("xs[.t in names]", #"[{"a":1,"t":"x"}]"#), Example("xs[.t in ['x']]", #"[{"a":1,"t":"x"}]"#),
        Example("xs[.t in 'xyz']", #"[{"a":1,"t":"x"}]"#), Example("xs[.a in [1]]", "[]"),
        Example("xs[.a == [1]]", "[]"),
        Example("xs[.a in [2]]", #"[{"a":2.0}]"#), Example("xs[.t in {x: 1}]", #"[{"a":1,"t":"x"}]"#),
        Example("xs[.a == 1][0].t", #""x""#), Example("xs[.a == 1][.t == 'x'][0].a", "1"),
        Example("xs[.a == (0 + 2)]", #"[{"a":2.0}]"#),
        Example("xs[.a == 1].t", "null"), Example("[][.a == 1]", "[]"),
        Example("[{a:1},{a:2}][.a > 1]", #"[{"a":2.0}]"#),
        Example("xs[ . a == 1 ][0].a", "1"), Example("deep[.k == {'v': 1}]", "[]"), Example("xs[.a in 'z']", "[]"),
        Example("o[.a == 1]", fails: .filterSubject), Example("'s'[.a == 1]", fails: .filterSubject),
        Example("null[.a == 1]", fails: .filterSubject), Example("one[.a == 1]", fails: .filterSubject),
        Example("o.missing[.a == 1]", fails: .filterSubject), Example("missing[.a == 1]", fails: .undefinedIdentifier),
        // The right side is evaluated once, before any item; the subject's type is checked before it.
        Example("[][.a == missing]", fails: .undefinedIdentifier), Example("o[.a == missing]", fails: .filterSubject),
        Example("[.a == 1]", fails: .parse), Example("[.a == 1][0]", fails: .parse), Example("xs[.a]", fails: .parse),
        Example("xs[.a + 1]", fails: .parse), Example("xs[.a && true]", fails: .parse),
        Example("xs[.a || true]", fails: .parse),
        Example("xs[.a == 1 && true]", fails: .parse), Example("xs[.a == o.a]", fails: .parse),
        Example("xs[.a == one|id]", fails: .parse),
        Example("xs[.a.b == 1]", fails: .parse), Example("xs[.a[0] == 1]", fails: .parse),
        Example("xs[.'a' == 1]", fails: .parse),
        Example("xs[.in == 1]", fails: .parse), Example("xs[.null == 1]", fails: .parse),
        Example("xs[1 == .a]", fails: .parse),
        Example("xs[.a ? 1 : 2]", fails: .parse), Example("xs[.a|id == 1]", fails: .parse),
        Example("xs[.a == true ? 1 : 2]", fails: .parse),
        Example("xs[.5 == .5]", fails: .indexType), Example("xs[(.5)]", #"{"a":1,"t":"x"}"#),
        Example("xs[(.a == 1)]", fails: .parse),
    ]) func filters(_ example: Example) throws {
        let example = Example(example.expression, example.outcome, in: Self.list)
        #expect(try example.evaluated() == example.outcome)
    }
}
