import HTTPWire
import Testing

struct QueryItemsTests {
    @Test(
        arguments: [
            ("", []), ("a=b", ["a", "b"]), ("a=b&c=d", ["a", "b", "c", "d"]), ("a", ["a", ""]), ("a=", ["a", ""]),
            ("=b", ["", "b"]), ("a=b=c", ["a", "b=c"]), ("&&a=b&", ["a", "b"]), ("a+b=c+d", ["a b", "c d"]),
            ("a%20b=%2B", ["a b", "+"]), ("a=1&a=2", ["a", "1", "a", "2"]), ("a=%C3%A9", ["a", "é"]),
            ("a=%c3%a9", ["a", "é"]), ("%61%3D=%26", ["a=", "&"]), ("a=%00", ["a", "\0"]), ("a?=/", ["a?", "/"]),
        ] as [(String, [String])])
    func parse(_ query: String, _ expected: [String]) throws {
        let items = try QueryItems.parse(Array(query.utf8)[...])
        #expect(items.flatMap { [$0.name, $0.value] } == expected)
    }

    @Test func `A plus sign that stands for a space is told apart from an encoded space`() throws {
        let items = try QueryItems.parse(Array("a=x+y&b=x%20y&c=x%2By&d+=x".utf8)[...])
        #expect(items.map(\.value) == ["x y", "x y", "x+y", "x"])
        #expect(items.map(\.hasRawPlus) == [true, false, false, false])
    }

    @Test(
        arguments: [
            ("a=%", "a", 0), ("a=%4", "a", 0), ("a=%zz", "a", 0), ("x=1&b=%ff", "b", 1), ("%=a", nil, 0),
            ("%c3=a", nil, 0), ("a=%ed%a0%80", "a", 0), ("a=%+1", "a", 0), ("a=%-1", "a", 0),
        ] as [(String, String?, Int)])
    func refuse(_ query: String, _ name: String?, _ item: Int) {
        do throws(QueryError) {
            _ = try QueryItems.parse(Array(query.utf8)[...])
            Issue.record("\(query) was read")
        } catch {
            #expect(error.name == name)
            #expect(error.item == item)
            #expect(error.message.contains(name ?? "query item \(item + 1)"))
        }
    }
}
