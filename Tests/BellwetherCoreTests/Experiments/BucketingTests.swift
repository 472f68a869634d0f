import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

struct BucketingTests {
    @Test(arguments: EnrollmentVector.all)
    func enrollmentsAreUpstreams(vector: EnrollmentVector) throws {
        let hash = Bucketing.enrollmentHash(id: vector.id, namespace: vector.namespace)
        #expect(Hash48.hexadecimal(hash) == vector.hash48)
        let isIn = try Bucketing.isSelected(
            id: vector.id, namespace: vector.namespace, start: vector.start, count: vector.count, total: vector.total)
        #expect(isIn == vector.isIn)
    }

    @Test(arguments: BranchCase.all)
    func branchesAreUpstreams(vector: BranchCase) throws {
        let hash = Bucketing.branchHash(id: vector.id, slug: vector.slug)
        #expect(try Bucketing.branchIndex(hash48: hash, ratios: vector.ratios) == vector.index)
    }

    @Test func theVectorsAreAllThere() {
        #expect(EnrollmentVector.all.count == 54)
        #expect(BranchCase.all.count == 48)
    }

    @Test(arguments: [
        (#"[1234,"test_namespace"]"#, "2a6e18a86edc"), ("null", "74234e98afe7"), (#""""#, "12ae32cb1ec0"),
        (#"{"id":1234,"namespace":"experiment"}"#, "5d1effd4b032"),
    ])
    func textsHashAsUpstream(text: String, hash48: String) {
        #expect(Hash48.hexadecimal(Hash48.hash([UInt8](text.utf8))) == hash48)
    }

    @Test(arguments: [
        ("4a1d71ab-29a2-4c5f-9e1d-9d9df2e6e449", "989189725fef"),
        ("29686b11-00c0-4905-b5e4-f5f945eda60a", "3cc0d45c3760"),
        ("299eed1e-be6d-457d-9e53-da7b1a03f10d", "9098292d95c9"),
        ("542213c0-9aef-47eb-bc6b-3b8529736ba2", "976cfe06afba"),
        ("c590d3f5-fe9d-4820-97c9-f403535dd306", "577c480b4154"),
        ("3d2142de-53bf-2d48-a92d-45fb7036cbf6", "e9bf72c19349"),
        ("00000000-0000-0000-0000-000000000000", "d1abede75d22"),
        ("ffffffff-ffff-ffff-ffff-ffffffffffff", "a92732b48254"),
    ])
    func branchHashes(id: String, hash48: String) {
        #expect(Hash48.hexadecimal(Bucketing.branchHash(id: id, slug: "homepage-microsurvey")) == hash48)
    }

    @Test(arguments: [
        ("299eed1e-be6d-457d-9e53-da7b1a03f10d", 0, true), ("299eed1e-be6d-457d-9e53-da7b1a03f10d", 2000, false),
        ("c590d3f5-fe9d-4820-97c9-f403535dd306", 0, false), ("c590d3f5-fe9d-4820-97c9-f403535dd306", 2000, true),
    ])
    func upstreamsOwnEnrollments(id: String, start: UInt32, isIn: Bool) throws {
        let namespace = "bug-1637316-message-aboutwelcome-pull-factor-reinforcement-76-rel-release-76-77"
        let result = try Bucketing.isSelected(
            id: id, namespace: namespace, start: start, count: start == 0 ? 2000 : 3000)
        #expect(result == isIn)
    }

    @Test(arguments: [
        ("3d2142de-53bf-2d48-a92d-45fb7036cbf6", 1), ("542213c0-9aef-47eb-bc6b-3b8529736ba2", 0),
    ])
    func upstreamsOwnBranches(id: String, index: Int) throws {
        let hash = Bucketing.branchHash(id: id, slug: "TEST_EXP1")
        #expect(try Bucketing.branchIndex(hash48: hash, ratios: [1, 1]) == index)
    }

    @Test(arguments: [
        ("299eed1e-be6d-457d-9e53-da7b1a03f10d", 1), ("542213c0-9aef-47eb-bc6b-3b8529736ba2", 0),
    ])
    func aRawStringIsSampledAsItsJSON(id: String, index: Int) throws {
        let hash = Hash48.hash([UInt8]("\"experiment-manager-\(id)-TEST_EXP1-branch\"".utf8))
        #expect(try Bucketing.branchIndex(hash48: hash, ratios: [1, 1]) == index)
    }

    @Test func quotesInIdsAreEscapedInTheHashedText() {
        #expect(
            Bucketing.enrollmentHash(id: "a\"b\n", namespace: "n") == Hash48.hash([UInt8](#"["a\"b\n","n"]"#.utf8))
        )
    }

    @Test func theEndsOfTheRange() throws {
        let last: UInt64 = 0xFFFF_FFFF_FFFF
        #expect(try !Bucketing.isSelected(hash48: last, start: 0, count: 10_000), "the greatest hash is in no bucket")
        #expect(try Bucketing.isSelected(hash48: last - 1, start: 0, count: 10_000))
        #expect(try Bucketing.isSelected(hash48: 0, start: 0, count: 1))
        #expect(try !Bucketing.isSelected(hash48: 0, start: 0, count: 0))
        #expect(try Bucketing.isSelected(hash48: 0, start: .max, count: .max, total: .max), "such a start is 0")
        #expect(try Bucketing.branchIndex(hash48: last, ratios: [1, 1]) == 1)
        #expect(
            try Bucketing.branchIndex(hash48: 0x7FFF_FFFF_FFFF, ratios: [1, 1]) == 0, "a share ends with its last value"
        )
        #expect(try Bucketing.branchIndex(hash48: 0, ratios: [0, 1]) == 0)
    }

    @Test func whatCannotBeSampledIsRefused() {
        #expect(throws: BucketingError.noBuckets) { try Bucketing.isSelected(hash48: 0, start: 0, count: 1, total: 0) }
        #expect(throws: BucketingError.noBranches) { try Bucketing.branchIndex(hash48: 0, ratios: []) }
        #expect(throws: BucketingError.ratiosSumToZero) { try Bucketing.branchIndex(hash48: 0, ratios: [0, 0]) }
        #expect(throws: BucketingError.ratioOutOfRange) { try Bucketing.branchIndex(hash48: 0, ratios: [2, -1]) }
        #expect(throws: BucketingError.ratioOutOfRange) { try Bucketing.branchIndex(hash48: 0, ratios: [.max, 1]) }
    }
}

struct EnrollmentVector: Sendable, CustomTestStringConvertible {
    let id: String
    let namespace: String
    let hash48: String
    let start: UInt32
    let count: UInt32
    let total: UInt32
    let isIn: Bool

    var testDescription: String { "\(id) in \(start)+\(count) of \(total)" }

    static let all: [EnrollmentVector] = (vectorFile("bucketing")["buckets"]?.array ?? []).compactMap { vector in
        guard let id = vector["id"]?.string, let namespace = vector["namespace"]?.string,
            let hash48 = vector["hash48"]?.string, let start = vector["start"]?.integer,
            let count = vector["count"]?.integer, let total = vector["total"]?.integer, let isIn = vector["in"]?.bool
        else { return nil }
        return EnrollmentVector(
            id: id, namespace: namespace, hash48: hash48, start: UInt32(start), count: UInt32(count),
            total: UInt32(total), isIn: isIn)
    }
}

struct BranchCase: Sendable, CustomTestStringConvertible {
    let id: String
    let slug: Identifier
    let ratios: [Int64]
    let index: Int

    var testDescription: String { "\(id) by \(ratios)" }

    static let all: [BranchCase] = (vectorFile("bucketing")["branches"]?.array ?? []).compactMap { vector in
        guard let id = vector["id"]?.string, let slug = vector["slug"]?.identifier,
            let ratios = vector["ratios"]?.array?.compactMap(\.integer), let index = vector["index"]?.integer
        else { return nil }
        return BranchCase(id: id, slug: slug, ratios: ratios, index: Int(index))
    }
}
