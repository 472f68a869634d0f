import Testing

@testable import BellwetherBase

/// The CSV writer of all routes and commands.
@Suite struct CSVTests {
    private func line(_ fields: CSV.Field...) -> String {
        var output: [UInt8] = []
        CSV.write(fields, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"yes\"", "\"say \"\"yes\"\"\""), ("a\nb", "\"a\nb\""),
        ("a\rb", "\"a\rb\""), ("", "\"\""), (" a ", " a "), ("ünï🦊", "ünï🦊"), ("\"", "\"\"\"\""), ("1-1", "1-1"),
    ])
    func `A text that would end its field is quoted, and an empty one is no null`(_ text: String, _ field: String) {
        #expect(line(.text(text)) == field + "\r\n")
    }

    @Test(arguments: [
        ("=1+1", "'=1+1"), ("+49 30", "'+49 30"), ("-1", "'-1"), ("@a", "'@a"), ("\t=1", "'\t=1"),
        ("\r=1", "\"'\r=1\""), ("\r\n=1", "\"'\r\n=1\""), ("\n=1", "\"'\n=1\""), ("=A1,\"b\"", "\"'=A1,\"\"b\"\"\""),
    ])
    func `A text that begins like a formula gets an apostrophe`(_ text: String, _ field: String) {
        #expect(line(.text(text)) == field + "\r\n")
    }

    @Test func `Numbers stay as they are, and what is not there is nothing`() {
        #expect(line(.number(-3), .literal("-0.5"), .number(nil), .text(nil), .null) == "-3,-0.5,,,\r\n")
    }
}
