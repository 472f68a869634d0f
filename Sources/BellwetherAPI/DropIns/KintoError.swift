internal import BellwetherJSON
internal import HTTPWire

/// A refusal in the form that Kinto's clients read (Kinto API 1.x, "Error responses").
struct KintoError: Error {
    let status: Int
    let errno: Int64
    let error: String
    let message: String

    static func parameter(_ name: String, _ message: String) -> KintoError {
        KintoError(status: 400, errno: 107, error: "Invalid parameters", message: "\(name) in querystring: \(message)")
    }

    static let noCollection = KintoError(
        status: 404, errno: 111, error: "Not Found", message: "No app names this collection.")

    static let noRecord = KintoError(
        status: 404, errno: 110, error: "Not Found", message: "The collection has no such record.")

    var response: Response {
        .json(
            status,
            [
                "code": .integer(Int64(status)), "errno": .integer(errno), "error": .string(error),
                "message": .string(message),
            ])
    }
}
