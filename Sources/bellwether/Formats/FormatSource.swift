internal import ArgumentParser
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// A document in the format of another system, from a file or standard input.
struct FormatSource {
    let file: SourceFile
    let document: JSONValue
    /// Findings about trailing commas, which were removed.
    let commas: [Finding]

    private static let maximumCommas = 100

    /// Reads a document. Trailing commas are removed, because examples contain them. Any other text that is not JSON is
    /// an error.
    static func read(_ path: String, leavingOutCommas: Bool = false) throws -> FormatSource {
        var text = try FileAccess.text(of: path)
        var commas: [Finding] = []
        while true {
            do throws(JSONError) {
                let document = try JSONValue(parsing: text)
                return FormatSource(
                    file: SourceFile(FileCatalog.File(path: path, text: text)), document: document, commas: commas)
            } catch {
                guard leavingOutCommas, commas.count < maximumCommas, leaveOutComma(at: error, in: &text) else {
                    StandardError.write(LocatedFinding(error, path: path).line)
                    throw ExitCode(1)
                }
                commas.append(Finding(pointer: .root, code: "trailing_comma", message: error.message))
            }
        }
    }

    /// A space replaces the comma, so lines and columns stay the same.
    private static func leaveOutComma(at error: JSONError, in text: inout [UInt8]) -> Bool {
        guard error.kind == .syntax, text.indices.contains(error.offset), text[error.offset] == UInt8(ascii: ","),
            let next = text[(error.offset + 1)...].first(where: { !" \t\r\n".utf8.contains($0) }),
            next == UInt8(ascii: "}") || next == UInt8(ascii: "]")
        else { return false }
        text[error.offset] = UInt8(ascii: " ")
        return true
    }
}
