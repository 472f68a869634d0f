internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The query of a list of responses (docs/reference/http-api.md#responses).
struct RunListQuery {
    private(set) var query: RunQuery
    private(set) var filter = RunFilter()
    /// Whether the request is an export, which the audit records. Without a filter by `development`, an export has no
    /// development runs.
    private(set) var isExport = false
    private var saysData = false
    private var end: Timestamp?

    private enum DataMode: String, CaseIterable { case production, development, all }

    private static let attribute = "attr."

    /// - Parameter slug: The recipe whose runs are listed.
    init(_ call: Call, slug: Identifier, in app: AppSnapshot) throws(APIError) {
        query = RunQuery(app: app.name, limit: 50)
        query.slug = slug
        let reader = try QueryReader(call)
        for item in reader.items { read(item, reader) }
        try reader.finish()
        if isExport, !saysData { query.isDevelopment = false }
        if let end, query.after.map({ end < $0.createdAt }) ?? true { query.after = RunCursor(before: end) }
    }

    private mutating func read(_ item: QueryItem, _ reader: QueryReader) {
        switch item.name {
        case "status": query.status = choice(item, reader)
        case "submitted_only": query.isSubmittedOnly = reader.bool(item)
        case "is_dev": (query.isDevelopment, saysData) = (reader.bool(item), true)
        case "data_mode":
            saysData = true
            let mode: DataMode? = choice(item, reader)
            query.isDevelopment = mode == .all ? nil : mode == .development
        case "user_id": query.userID = Identifier(item.value)
        case "client_id": query.clientID = Identifier(item.value)
        case "cursor":
            query.after = RunCursor(item.value)
            if query.after == nil { reader.fault("cursor", at: "cursor", "the cursor is not one of a list") }
        case "limit": query.limit = Int(reader.integer("limit", item.value, in: 1...200))
        case "export": isExport = reader.bool(item)
        default: readFilter(item, reader)
        }
    }

    private mutating func readFilter(_ item: QueryItem, _ reader: QueryReader) {
        switch item.name {
        case "from": filter.from = day(item, reader)
        case "to": end = day(item, reader)?.adding(seconds: Timestamp.secondsPerDay)
        case "experiment": filter.experiment = Identifier(item.value)
        case "branch": filter.branch = Identifier(item.value)
        case "revision": filter.revision = Int(reader.integer("revision", item.value, in: 1...Int64(Int32.max)))
        case "round": filter.round = Int(reader.integer("round", item.value, in: 1...Int64(Int32.max)))
        case "question": filter.question = Identifier(item.value)
        case "q":
            filter.text = item.value
            if !(1...200).contains(item.value.unicodeScalars.count) {
                reader.fault("length", at: "q", "q has 1 to 200 characters")
            }
        default:
            guard item.name.hasPrefix(Self.attribute) else { return reader.refuse(item.name) }
            filter.attributes[Identifier(item.name.dropFirst(Self.attribute.count))] = item.value
        }
    }

    private func choice<Word: CaseIterable & RawRepresentable<String>>(
        _ item: QueryItem, _ reader: QueryReader
    ) -> Word? {
        if let word = Word(rawValue: item.value) { return word }
        let names = Word.allCases.map(\.rawValue).joined(separator: ", ")
        reader.fault("choice", at: item.name, "\(item.name) is one of \(names)")
        return nil
    }

    /// The first instant of the day.
    private func day(_ item: QueryItem, _ reader: QueryReader) -> Timestamp? {
        if CalendarDay(item.value) != nil, let time = Timestamp(rfc3339: item.value + "T00:00:00Z") { return time }
        reader.fault("day", at: item.name, "\(item.name) is a day in UTC such as 2026-11-21")
        return nil
    }
}
