internal import BellwetherSettings
internal import FoundationEssentials

/// The settings of a file as a layer below flags and environment, and the faults of the file.
struct SettingsFile {
    private(set) var values: [String: SettingValue] = [:]
    private(set) var faults: [String] = []

    init() {}

    init(path: String) throws(SettingsError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsError(["\(path): the configuration cannot be read"])
        }
        let document = SettingsDocument(Array(data))
        values = document.values
        faults = document.faults.map { "\(path):\($0.line): \($0.sentence)" }
        if document.furtherFaults > 0 { faults.append("\(path): \(document.furtherFaults) further faults") }
    }
}

/// All faults of a configuration, one sentence each.
struct SettingsError: Error, CustomStringConvertible {
    let sentences: [String]

    init(_ sentences: [String]) { self.sentences = sentences }

    var description: String { sentences.joined(separator: "\n") }
}
