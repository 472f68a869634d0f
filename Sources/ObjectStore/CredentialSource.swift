internal import BellwetherBase

/// Where credentials come from.
public enum CredentialSource: Sendable, Hashable {
    /// A profile of a file in the format of AWS's `credentials`.
    case file(path: String, profile: String)
    /// The variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
    case environment
    /// The role of the machine, which its metadata service knows.
    case instance(endpoint: String)
}

/// The rule that chooses the source of credentials. The first that is set is the source, and a broken one is a fault:
/// nothing falls back to other rights. The order: the setting `credentials_file`; the variables with a key; the file
/// that `AWS_SHARED_CREDENTIALS_FILE` or `AWS_PROFILE` names; `~/.aws/credentials` if it exists; the machine's role, if
/// the settings ask for it.
public struct ObjectCredentialChain: Sendable {
    private let credentialsFile: String?
    private let environment: [String: String]
    private let asksInstance: Bool

    /// Variables that are set and empty count as unset.
    public init(credentialsFile: String?, environment: [String: String], asksInstance: Bool) {
        self.credentialsFile = credentialsFile.flatMap { $0.isEmpty ? nil : $0 }
        self.environment = environment.filter { !$0.value.isEmpty }
        self.asksInstance = asksInstance
    }

    /// The source that the settings and the environment choose.
    public func source() throws(ObjectStoreFault) -> CredentialSource {
        let profile = environment["AWS_PROFILE"] ?? "default"
        if let credentialsFile { return .file(path: credentialsFile, profile: profile) }
        if environment["AWS_ACCESS_KEY_ID"] != nil { return .environment }
        if let path = environment["AWS_SHARED_CREDENTIALS_FILE"] { return .file(path: path, profile: profile) }
        if let home = environment["HOME"] {
            let path = home + "/.aws/credentials"
            if environment["AWS_PROFILE"] != nil || CredentialsFile.exists(path) {
                return .file(path: path, profile: profile)
            }
        }
        guard asksInstance else {
            throw .noCredentials(
                "no credentials are set: neither credentials_file nor AWS_ACCESS_KEY_ID nor a file of AWS")
        }
        return .instance(
            endpoint: environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? InstanceCredentials.standardEndpoint)
    }

    /// Reads the credentials anew, so that rotated ones are found.
    func load(over connection: ObjectConnection) throws(ObjectStoreFault) -> ObjectCredentials {
        switch try source() {
        case .file(let path, let profile): return try CredentialsFile.read(path).credentials(of: profile, in: path)
        case .environment: return try fromEnvironment()
        case .instance(let endpoint): return try InstanceCredentials(endpoint).load(over: connection)
        }
    }

    private func fromEnvironment() throws(ObjectStoreFault) -> ObjectCredentials {
        guard let secret = environment["AWS_SECRET_ACCESS_KEY"] else {
            throw .noCredentials("AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY")
        }
        let credentials = ObjectCredentials(
            accessKey: environment["AWS_ACCESS_KEY_ID"] ?? "", secret: secret,
            sessionToken: environment["AWS_SESSION_TOKEN"])
        guard let credentials else {
            throw .noCredentials(
                "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or AWS_SESSION_TOKEN has a space or is no ASCII")
        }
        return credentials
    }
}
