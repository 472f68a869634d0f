internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService
internal import FoundationEssentials
internal import Kafka
internal import ObjectStore
internal import Sinks

/// Reads the members of `sinks.NAME`.
struct SinkReading {
    let name: String
    /// The target, and how it is reached if it is a store of objects.
    let objects: ObjectStoreReading
    /// The settings of texts for Kafka, by their members.
    let texts: [String: String]
    let apps: [String]
    let tables: [String]
    let everySeconds: Int
    let rows: Int
    let options: [String: String]
    let drainSeconds: Int

    private static let nameCharacters = Set("abcdefghijklmnopqrstuvwxyz0123456789-_")

    private func text(_ member: String) -> String { texts[member] ?? "" }

    /// Adds errors to the faults. A fault never quotes a secret.
    func configuration(_ faults: inout [String]) -> SinkConfiguration? {
        if !name.allSatisfy(Self.nameCharacters.contains) || name.utf8.count > 64 {
            faults.append("sinks.\(name): a name has at most 64 characters of a-z, 0-9, - and _")
        }
        let isKafka = objects.text.hasPrefix("kafka:")
        let settings = SinkSettings(
            name: Identifier(name), apps: apps == ["*"] ? nil : Set(apps.map { Identifier($0) }),
            tables: isKafka ? [.events] : readTables(&faults), everySeconds: Int64(everySeconds), rows: rows)
        return target(&faults).map { SinkConfiguration(settings: settings, target: $0) }
    }

    private func readTables(_ faults: inout [String]) -> Set<DataTable> {
        guard !tables.isEmpty else { return Set(DataTable.allCases) }
        var read: Set<DataTable> = []
        for table in tables {
            if let table = DataTable(rawValue: table) {
                read.insert(table)
            } else {
                let known = DataTable.allCases.map(\.rawValue).joined(separator: ", ")
                faults.append("sinks.\(name).tables: \"\(table)\" is none of \(known)")
            }
        }
        return read
    }

    private func target(_ faults: inout [String]) -> SinkConfiguration.Target? {
        let address = objects.text
        if address.hasPrefix("file:") {
            let path = String(address.dropFirst("file:".count))
            guard path.hasPrefix("/"), !path.utf8.contains(0) else {
                faults.append("sinks.\(name).to: a folder is file: and an absolute path, such as file:/srv/lake")
                return nil
            }
            return .folder(path)
        }
        if address.hasPrefix("s3://") { return objectTarget(&faults) }
        if address.hasPrefix("kafka://") { return kafka(String(address.dropFirst("kafka://".count)), &faults) }
        faults.append("sinks.\(name).to begins with none of file:, s3:// and kafka://")
        return nil
    }

    private func kafka(_ brokers: String, _ faults: inout [String]) -> SinkConfiguration.Target? {
        if brokers.isEmpty { faults.append("sinks.\(name).to: kafka:// is followed by hosts, as in kafka://b1:9092") }
        if !tables.isEmpty, tables != [DataTable.events.rawValue] {
            faults.append("sinks.\(name).tables: Kafka gets the table events only")
        }
        if !text("topic").contains("{app}"), apps.count != 1 || apps == ["*"] {
            faults.append("sinks.\(name).topic: without {app}, records of several apps would share a topic")
        }
        var options = options.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        let file = text("password_file")
        if !file.isEmpty {
            if let data = FileManager.default.contents(atPath: file) {
                let password = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
                options.append(("sasl.password", String(password)))
            } else {
                faults.append("sinks.\(name).password_file cannot be read: \(file)")
            }
        }
        do { try KafkaProducer.check(options) } catch { faults.append("sinks.\(name).options: \(error.reason)") }
        return .kafka(
            KafkaSettings(
                brokers: brokers, topic: text("topic"), options: options,
                library: text("library").isEmpty ? nil : text("library"), drainMilliseconds: drainSeconds * 1000))
    }

    private func objectTarget(_ faults: inout [String]) -> SinkConfiguration.Target? {
        do {
            return .objects(try objects.access())
        } catch {
            faults.append("sinks.\(name): \(error.sentence)")
            return nil
        }
    }
}
