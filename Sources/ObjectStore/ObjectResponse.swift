internal import BellwetherBase

/// The answer to one request: its status, headers with lower-case names, and the bounded body.
struct ObjectResponse {
    var status = 0
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var isSuccess: Bool { 200..<300 ~= status }

    /// Whether the object does not exist. Another 404 is that of the bucket, or of a server that is no object store.
    var lacksObject: Bool { status == 404 && code == "NoSuchKey" }

    /// The code of an error in its XML, such as `NoSuchKey`; nil for other bodies and for what is no identifier.
    var code: String? { short(errorText("Code")) }

    /// The region that an error names: in a header, in its XML, or in the name of the endpoint that it gives.
    var region: String? {
        if let region = short(headers["x-amz-bucket-region"]) ?? short(errorText("Region")) { return region }
        let labels = (errorText("Endpoint") ?? "").split(separator: ".").map(String.init)
        guard let place = labels.lastIndex(of: "amazonaws"), place > 0 else { return nil }
        let label = labels[place - 1]
        // The older form of a host has the service and the region in one label.
        return short(label.hasPrefix("s3-") ? String(label.dropFirst(3)) : label == "s3" ? nil : label)
    }

    /// The time of the server, in milliseconds since 1970.
    var time: Int64? { headers["date"].flatMap(ResponseDate.milliseconds) }

    private func errorText(_ name: String) -> String? {
        guard !isSuccess, !body.isEmpty else { return nil }
        return ResponseXML(body, only: [name])?.first(name)
    }

    /// A text that may stand in a sentence.
    private func short(_ text: String?) -> String? {
        guard let text, 1...64 ~= text.utf8.count, text.utf8.allSatisfy(ASCIISet.scheme.contains) else { return nil }
        return text
    }
}

extension ObjectResponse {
    /// Whether the server has no conditional writes: 501, or 400 with a code that old servers and gateways give.
    var rejectsPreconditions: Bool {
        if status == 501 { return true }
        guard status == 400 else { return false }
        return code.map(["NotImplemented", "InvalidArgument", "InvalidRequest", "NotSupported", "BadRequest"].contains)
            ?? true
    }

    /// The fault of an answer that no operation expects.
    func fault(bucket: String) -> ObjectStoreFault {
        let code = code
        switch (status, code) {
        case (301...308, _), (400, "AuthorizationHeaderMalformed"), (400, "IllegalLocationConstraintException"):
            return .otherRegion(bucket: bucket, region: region)
        case (_, "RequestTimeTooSkewed"): return .skewedClock(seconds: nil)
        case (400, "RequestTimeout"), (400, "IncompleteBody"), (403, "SlowDown"):
            return .busy(status: status, code: code)
        case (400, "ExpiredToken"), (400, "InvalidToken"), (400, "TokenRefreshRequired"), (401, _), (403, _):
            return .refused(status: status, code: code)
        case (404, "NoSuchBucket"): return .noBucket(bucket)
        case (408, _), (409, _), (425, _), (429, _): return .busy(status: status, code: code)
        case (501, _), (505, _): return .unexpected(status: status, code: code)
        case (500...599, _): return .busy(status: status, code: code)
        default: return .unexpected(status: status, code: code)
        }
    }
}

/// Dates of answers, in the format of HTTP: `Sun, 29 Nov 2026 12:11:51 GMT`.
enum ResponseDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Milliseconds since 1970; nil for another format and for a day that does not exist.
    static func milliseconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])),
            let day = number(words[1], digits: 2), let year = number(words[3], digits: 4)
        else { return nil }
        let date = CivilDate(year: year, month: Int64(month) + 1, day: day)
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2) }
        guard date.exists, clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour <= 23, minute <= 59, second <= 60
        else { return nil }
        let seconds = date.daysSinceEpoch * Timestamp.secondsPerDay + hour * 3600 + minute * 60 + second
        return seconds * 1000
    }

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        text.utf8.count == digits && text.utf8.allSatisfy(ASCIISet.digits.contains) ? Int64(text) : nil
    }
}
