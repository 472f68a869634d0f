import BellwetherJSON
import JEXL
import Testing

@Suite struct BucketSampleTests {
    @Test(
        arguments: [
            (0.0, 0x0), (0.0001, 0x0006_8db8_bac7), (0.2, 0x3333_3333_3333), (0.25, 0x3fff_ffff_ffff),
            (1.0 / 3, 0x5555_5555_5555),
            (0.5, 0x7fff_ffff_ffff), (0.9999, 0xfff9_7247_4537), (1.0, 0xffff_ffff_ffff), (-1.0, 0),
            (2.0, 0xffff_ffff_ffff),
        ] as [(Double, UInt64)]) func keys(_ fraction: Double, _ key: UInt64)
    {
        #expect(BucketSample.key(fraction) == key)
    }

    /// An id and a namespace, and whether they are in each of some ranges (docs/reference/experiments.md#bucketing).
    static let clients: [(String, [Bool])] = [
        ("4a1d71ab-29a2-4c5f-9e1d-9d9df2e6e449", [false, true, false]),
        ("29686b11-00c0-4905-b5e4-f5f945eda60a", [false, false, true]),
        ("299eed1e-be6d-457d-9e53-da7b1a03f10d", [true, false, true]),
        ("542213c0-9aef-47eb-bc6b-3b8529736ba2", [false, true, false]),
        ("c590d3f5-fe9d-4820-97c9-f403535dd306", [true, false, false]),
        ("3d2142de-53bf-2d48-a92d-45fb7036cbf6", [false, false, false]),
        ("Zoë", [false, false, false]),
    ]

    @Test(arguments: clients) func aClientInItsBuckets(_ id: String, _ isIn: [Bool]) {
        let environment = TestEnvironment(context: ["id": .string(id)])
        for (range, expected) in zip(["0, 5000", "7000, 500", "9000, 5000"], isIn) {
            let expression = "[id, 'ios-microsurvey-homepage']|bucketSample(\(range), 10000)"
            #expect(Example.outcome(of: expression, in: environment) == "\(expected)")
        }
    }

    @Test(
        arguments: [
            ("[i, 'test_namespace']", #"[1234,"test_namespace"]"#, 0x2a6e_18a8_6edc), ("''", "\"\"", 0x12ae_32cb_1ec0),
            ("null", "null", 0x7423_4e98_afe7),
            ("{namespace: 'experiment', id: i}", #"{"id":1234,"namespace":"experiment"}"#, 0x5d1e_ffd4_b032),
            ("0", "0.0", nil), ("i", "1234", nil), ("1 / 3", "0.3333333333333333", nil), ("10 ^ 16", "1e16", nil),
            ("'\"é\\n'", nil, nil),
            ("[{b: 1, a: {d: true, c: null}}]", #"[{"a":{"c":null,"d":true},"b":1.0}]"#, nil),
            ("'Zoë'", "\"Zoë\"", nil),
        ] as [(String, String?, UInt64?)]) func hashesTheJSONOfItsSubject(
            _ subject: String, _ text: String?, _ hash: UInt64?
        ) throws
    {
        let environment = TestEnvironment(context: ["i": 1234]) { _ in
            0
        } hash: { bytes in
            #expect(text == nil || String(decoding: bytes, as: UTF8.self) == text)
            #expect(hash == nil || SHA256.hash48(bytes) == hash)
            return 0
        }
        guard let text else {
            #expect(Example.outcome(of: "\(subject)|bucketSample(0, 1, 1)", in: environment) == "ERR parse")
            return
        }
        #expect(Example.outcome(of: "(\(subject))|bucketSample(0, 1, 1)", in: environment) == "true", "\(text)")
    }

    @Test(
        arguments: [
            // (hash48, start, count, total, in)
            (0, 0, 1, 10_000, true), (0, 0, 0, 10_000, false), (0, 1, 9_999, 10_000, false),
            (0xffff_ffff_ffff, 0, 10_000, 10_000, false),
            (0xffff_ffff_fffe, 0, 10_000, 10_000, true), (0xffff_ffff_ffff, 9_999, 2, 10_000, false),
            (0xffff_ffff_fffe, 9_999, 2, 10_000, true),
            // A start of 5000 and a count of 15000 contain only the upper half, because the end wraps around to 0.
            (0, 5_000, 15_000, 10_000, false), (0x7fff_ffff_fffe, 5_000, 15_000, 10_000, false),
            (0x8000_0000_0000, 5_000, 15_000, 10_000, true),
            (0, 10_000, 1, 10_000, true), (0, 20_000, 1, 10_000, true), (0, 0, .max, 10_000, true),
            (0, .max, .max, .max, true),
            (0, .max, 1, 1, true), (0, 0, 1, 0, false), (0x0006_8db8_bac7, 0, 1, 10_000, false),
            (0x0006_8db8_bac7, 1, 1, 10_000, true),
        ] as [(UInt64, UInt32, UInt32, UInt32, Bool)])
    func ranges(_ hash: UInt64, _ start: UInt32, _ count: UInt32, _ total: UInt32, _ isIn: Bool) {
        #expect(BucketSample.contains(hash48: hash, start: start, count: count, total: total) == isIn)
    }

    @Test(arguments: [
        Example("0|bucketSample(1.1, 1000, 1000)", "true"), Example("0|bucketSample(0, 1.1, 1000)", "false"),
        Example("0|bucketSample(0, 0, 1000.1)", "false"),
        Example("0|bucketSample(0 - 5, 1000, 1000)", "true"), Example("0|bucketSample(0, 0 - 1, 1000)", "false"),
        Example("0|bucketSample(0, 1, 1, 'x')", "true"),
        Example("0|bucketSample(0, 4294967295, 4294967295)", "true"),
        Example("0|bucketSample(4294967296, 1, 1000)", fails: .transform),
        Example("0|bucketSample(4294967295.5, 1, 1000)", fails: .transform),
        Example("0|bucketSample(0, 4294967296, 1000)", fails: .transform),
        Example("0|bucketSample(0, 1, 10 ^ 300)", fails: .transform),
        Example("0|bucketSample('hello', 0, 1000)", fails: .transform),
        Example("0|bucketSample(0, null, 1000)", fails: .transform),
        Example("0|bucketSample(0, 1, true)", fails: .transform),
        Example("0|bucketSample(0, 1, 1 / 0)", fails: .transform),
        Example("0|bucketSample(0, 1)", fails: .transform), Example("0|bucketSample", fails: .transform),
        Example("0|bucketSample()", fails: .transform),
        // Upstream divides by zero; this implementation refuses.
        Example("0|bucketSample(0, 1, 0)", fails: .transform), Example("0|bucketSample(0, 1, 0.9)", fails: .transform),
        Example("0|bucketSample(0, 1, 0 - 3)", fails: .transform),
        Example("x|bucketSample(0, 1, 1)", fails: .undefinedIdentifier),
        Example("x|bucketSample(0, 1, 1) || 'd'", #""d""#),
    ]) func arguments(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }
}
