internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The scripts, style sheets and pictures that pages load. They are built into the program, or come from the folder in
/// the setting `web.directory`.
enum WebAsset {
    /// The files by the addresses in scripts: the renderer, its parts, and the page's own script.
    private static let hashed: [String: String] = {
        let lines = EmbeddedFile.at("Web/dist/digests").map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        let names = lines.split(separator: "\n")
        return Dictionary(names.map { ("assets/" + $0, unhashed($0)) }, uniquingKeysWith: { $1 })
    }()

    /// The address of a file in the list of digests, relative to the daemon's address.
    static func address(of file: String) -> String { hashed.first { $0.value == file }?.key ?? "assets/\(file)" }

    /// The name without its digest: `render.js` for `render-DIGEST.js`.
    static func unhashed(_ name: some StringProtocol) -> String {
        name.prefix { $0 != "-" } + "." + (name.split(separator: ".").last ?? "")
    }

    /// The file for an address below `assets/`, such as `render-DIGEST.js`.
    static func file(hashedName name: String) -> String? { hashed["assets/" + name] }

    static func builtIn(_ file: String) -> EmbeddedFile? { EmbeddedFile.at("Web/dist/" + file) }
}

/// Serves the scripts (docs/web.md#addresses).
enum WebAssetRoutes {
    static let all = [
        Endpoint(.get, "/bellwether.js", .open) { call throws(APIError) in
            try serve(call, "bellwether.js", .loader)
        }.admittingOtherSites,
        Endpoint(.get, "/bellwether.mjs", .open) { call throws(APIError) in
            try serve(call, "bellwether.mjs", .loader)
        }.admittingOtherSites,
        Endpoint(.get, "/assets/{file}", .open, handle: hashed).admittingOtherSites,
    ]

    /// How browsers may keep a file.
    enum Keeping: String {
        case loader = "public, max-age=300"
        /// The file's address contains the digest of its content.
        case immutable = "public, max-age=31536000, immutable"
        case revalidated = "no-cache"
    }

    @Sendable private static func hashed(_ call: Call) throws(APIError) -> Handling {
        let name = call.parameter("file").text
        if call.worker.settings.webFiles != nil {
            // During development, a name with any digest leads to the current file.
            return try serve(call, WebAsset.unhashed(name), .immutable)
        }
        guard let file = WebAsset.file(hashedName: name) else { throw .notFound("There is no asset \"\(name)\".") }
        return try serve(call, file, .immutable)
    }

    private static let types = [
        "css": "text/css", "svg": "image/svg+xml", "json": "application/json", "html": "text/html", "txt": "text/plain",
    ]
    /// The policy of a page that is a file.
    private static let pagePolicy = PageHTML(title: "", body: "", styleSheet: "").policy

    static func serve(_ call: Call, _ file: String, _ keeping: Keeping) throws(APIError) -> Handling {
        var response = Response(200)
        let type = types[String(file.split(separator: ".").last ?? "")] ?? "text/javascript"
        response.add("Content-Type", "\(type); charset=utf-8")
        if type == "text/html" {
            PageHTML.protect(&response, policy: pagePolicy)
        } else {
            // Any page may load these files, because they contain no secret.
            response.isForAnyOrigin = true
            response.add("Access-Control-Allow-Origin", "*")
            response.add("Cross-Origin-Resource-Policy", "cross-origin")
            response.add("X-Content-Type-Options", "nosniff")
        }
        if let read = call.worker.settings.webFiles {
            guard let bytes = read(file) else { throw .notFound("There is no file \"\(file)\" in web.directory.") }
            response.add("Cache-Control", "no-store")
            response.body = .bytes(bytes)
            return .now(response)
        }
        guard let asset = WebAsset.builtIn(file) else { throw .notFound("There is no file \"\(file)\".") }
        response.add("Cache-Control", keeping.rawValue)
        send(asset, &response, to: call.request)
        return .now(response)
    }

    private static func send(_ asset: EmbeddedFile, _ response: inout Response, to request: Request) {
        response.isEncoded = true
        response.add("Vary", response.isForAnyOrigin ? "Accept-Encoding" : "Accept, Accept-Encoding")
        response.add("ETag", "\"\(asset.digest)\"")
        let known = request.header(.ifNoneMatch)
        if let known, EntityTag.matches(ifNoneMatch: known, etag: "\"\(asset.digest)\"") {
            response.status = 304
        } else if Compression.isAccepted(request.header(.acceptEncoding)), let compressed = asset.compressed {
            response.add("Content-Encoding", "gzip")
            response.body = .bytes(compressed)
        } else {
            response.body = .bytes(asset.bytes)
        }
    }
}
