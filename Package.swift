// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target: warnings are errors, and imports are explicit.
let house: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "bellwether",
    // The platforms of devices. Scripts/check-ios compiles for iOS. The daemon runs on Linux.
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [
        .executable(name: "bellwether", targets: ["bellwether"]),
        .library(name: "BellwetherCore", targets: ["BellwetherBase", "BellwetherCore", "BellwetherJSON"]),
        .library(name: "JEXL", targets: ["JEXL"]),
        .library(name: "Surveys", targets: ["BellwetherBase", "BellwetherJSON", "Surveys"]),
        .library(
            name: "BellwetherClient",
            targets: ["BellwetherBase", "BellwetherClient", "BellwetherCore", "BellwetherJSON", "Surveys"]),
        .library(name: "BellwetherUI", targets: ["BellwetherUI"]),
    ],
    // The versions are exact: no lock file
    // (docs/decisions/archive/0082-dependencies-are-pinned-and-devices-have-a-minimum.md).
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: [
        // The pure targets use no I/O, clock, randomness, locks or Foundation.
        .target(name: "BellwetherJSON", swiftSettings: house),
        .target(
            name: "BellwetherBase",
            dependencies: ["BellwetherJSON", .target(name: "CCrypto", condition: .when(platforms: [.linux]))],
            swiftSettings: house),
        .target(name: "JEXL", dependencies: ["BellwetherJSON"], swiftSettings: house),
        .target(
            name: "BellwetherCore", dependencies: ["BellwetherBase", "BellwetherJSON", "JEXL"],
            swiftSettings: house),
        .target(name: "Surveys", dependencies: ["BellwetherBase", "BellwetherJSON"], swiftSettings: house),

        // The library of apps. URLSession, files and UIKit are each in one file; the others are pure.
        .target(
            name: "BellwetherClient", dependencies: ["BellwetherBase", "BellwetherCore", "BellwetherJSON", "Surveys"],
            resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: house),
        // Views for SwiftUI; on Linux the target is empty.
        .target(
            name: "BellwetherUI",
            dependencies: ["BellwetherBase", "BellwetherClient", "BellwetherCore", "BellwetherJSON", "Surveys"],
            exclude: ["README.md"], swiftSettings: house),

        // Pure too, but not for devices: files of Apache Parquet.
        .target(name: "Parquet", swiftSettings: house),

        // Pure too, but not for devices: the functions for owners of experiments.
        .target(
            name: "BellwetherAuthoring",
            dependencies: ["BellwetherBase", "BellwetherCore", "BellwetherJSON", "JEXL", "Surveys"],
            swiftSettings: house),

        // The SHA-256 of Linux systems; Apple's systems have CryptoKit instead.
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

        // Sign-in with an identity provider: its tokens and keys, verified with OpenSSL.
        .target(name: "CSignature", linkerSettings: [.linkedLibrary("crypto")]),
        .target(
            name: "OpenID", dependencies: ["BellwetherBase", "BellwetherJSON", "CSignature"], swiftSettings: house),

        // The targets with I/O.
        .systemLibrary(name: "CLibevent", pkgConfig: "libevent_pthreads", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        // The files in the program: documents, and the widget's scripts (Scripts/embed).
        .target(name: "CEmbedded"),
        // The library is loaded at the first request, and never linked.
        .systemLibrary(name: "CCurl"),
        .target(name: "Curl", dependencies: ["CCurl"], swiftSettings: house),
        .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: house),
        // The library is loaded when the first file of Parquet is written, and never linked.
        .systemLibrary(name: "CZstd"),
        .target(name: "Zstd", dependencies: ["CZstd"], swiftSettings: house),
        .target(name: "HTTPWire", dependencies: ["BellwetherJSON"], swiftSettings: house),
        // OpenSSL's contexts, certificates and tickets.
        .target(name: "CTLS", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(name: "EventLoop", dependencies: ["CLibevent", "CTLS", "HTTPWire"], swiftSettings: house),
        // The scheduling of a thread, a system call.
        .systemLibrary(name: "CScheduling"),
        .target(
            name: "BellwetherService",
            dependencies: [
                "BellwetherAuthoring", "BellwetherBase", "BellwetherCore", "BellwetherJSON", "CScheduling", "JEXL",
                "OpenID", "Parquet", "Surveys", logging,
            ],
            swiftSettings: house),
        // The tables that both stores have: the values of their rows, and the statements that both run.
        .target(
            name: "StoreTables",
            dependencies: [
                "BellwetherAuthoring", "BellwetherService", "BellwetherBase", "BellwetherCore", "BellwetherJSON",
                "Surveys",
            ],
            swiftSettings: house),
        // Connections to a file of SQLite.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "SQLiteWire", dependencies: ["CSQLite"], swiftSettings: house),
        .target(
            name: "SQLiteStore",
            dependencies: [
                "BellwetherService", "StoreTables", "Surveys", "BellwetherBase", "BellwetherCore", "BellwetherJSON",
                "SQLiteWire",
            ],
            swiftSettings: house),
        // Connections to PostgreSQL, over libpq, which is loaded when an address is read, and never linked.
        .target(name: "CPostgres"),
        .target(name: "PostgresWire", dependencies: ["CPostgres"], swiftSettings: house),
        .target(
            name: "PostgresStore",
            dependencies: [
                "BellwetherService", "StoreTables", "Surveys", "BellwetherBase", "BellwetherCore", "BellwetherJSON",
                "PostgresWire",
            ],
            swiftSettings: house),
        // The requests that the daemon sends, with libcurl.
        .target(
            name: "Webhooks", dependencies: ["BellwetherService", "BellwetherBase", "CCurl", "Curl", "HTTPWire"],
            swiftSettings: house),
        // Objects in a store with the interface of S3: own signatures, requests with libcurl.
        .target(
            name: "ObjectStore", dependencies: ["BellwetherBase", "BellwetherJSON", "CCurl", "Curl"],
            swiftSettings: house),
        // A producer of Kafka's records, over librdkafka, which is loaded for the first producer, and never linked.
        .systemLibrary(name: "CKafka"),
        .target(name: "Kafka", dependencies: ["CKafka"], swiftSettings: house),
        // The places that sinks write to.
        .target(
            name: "Sinks",
            dependencies: [
                "BellwetherService", "BellwetherBase", "BellwetherCore", "BellwetherJSON", "Kafka", "ObjectStore",
                "Parquet", logging,
            ],
            swiftSettings: house),
        .target(name: "BellwetherSettings", dependencies: ["CYAML"], swiftSettings: house),
        .target(
            name: "BellwetherAPI",
            dependencies: [
                "HTTPWire", "BellwetherService", "BellwetherAuthoring", "BellwetherBase", "BellwetherCore",
                "BellwetherJSON", "CEmbedded", "JEXL", "Gzip", "OpenID", "Parquet", "Surveys",
            ],
            swiftSettings: house),

        // The commands that need neither a store nor the service, and what all commands print and read with.
        .target(
            name: "BellwetherCommands",
            dependencies: [
                "BellwetherAuthoring", "BellwetherBase", "BellwetherCore", "BellwetherJSON", "BellwetherSettings",
                "CCurl", "CEmbedded", "Curl", "Surveys",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: house),

        // Program.
        .executableTarget(
            name: "bellwether",
            dependencies: [
                "BellwetherAPI", "BellwetherAuthoring", "BellwetherBase", "BellwetherCommands", "BellwetherCore",
                "BellwetherJSON", "BellwetherService", "BellwetherSettings", "Gzip", "Parquet", "Surveys", "Webhooks",
                "EventLoop", "HTTPWire", "JEXL", "Kafka", "ObjectStore", "PostgresStore", "Sinks", "SQLiteStore",
                "Zstd",
                logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "BellwetherBase", "BellwetherClient", "BellwetherCore", "BellwetherJSON", "BellwetherService", "CTLS",
                "JEXL", "PostgresStore", "PostgresWire", "Surveys",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: house),

        // Tests.
        .target(
            name: "TestSupport", dependencies: ["BellwetherJSON", "CTLS", "HTTPWire"], path: "Tests/TestSupport",
            swiftSettings: house),
        // Manifests, recipes and catalogs for the tests of the pure targets.
        .target(
            name: "Samples", dependencies: ["BellwetherBase", "BellwetherCore", "BellwetherJSON", "JEXL"],
            path: "Tests/Samples", swiftSettings: house),
        // An SQLite store in memory, whose failures tests choose.
        .target(
            name: "StoreSupport",
            dependencies: [
                "BellwetherService", "BellwetherBase", "BellwetherCore", "BellwetherJSON", "SQLiteStore", "SQLiteWire",
            ],
            path: "Tests/StoreSupport", swiftSettings: house),
        // A PostgreSQL server that the tests start.
        .target(
            name: "PostgresSupport",
            dependencies: ["BellwetherService", "PostgresStore", "PostgresWire", "TestSupport"],
            path: "Tests/PostgresSupport", swiftSettings: house),
        // Simulated brokers in a process of their own, and kcat, which reads what they have.
        .target(
            name: "KafkaSupport", dependencies: ["Kafka", "TestSupport"], path: "Tests/KafkaSupport",
            exclude: ["mock-kafka.c"], swiftSettings: house),
        // The operations of ObjectStore and Parquet for the tests in Python.
        .executableTarget(
            name: "object-store-tool", dependencies: ["ObjectStore"], path: "Tests/ObjectStoreTool",
            swiftSettings: house),
        .executableTarget(
            name: "parquet-fixture", dependencies: ["Gzip", "Parquet", "Zstd"], path: "Tests/ParquetFixture",
            swiftSettings: house),
        // An app that the tests kill between append and send.
        .executableTarget(
            name: "client-tool", dependencies: ["BellwetherBase", "BellwetherClient", "BellwetherJSON"],
            path: "Tests/ClientTool", swiftSettings: house),
        // The checks of `make fuzz`; Fuzz/run.sh compiles the same files with libFuzzer.
        .target(
            name: "FuzzChecks",
            dependencies: [
                "BellwetherAuthoring", "BellwetherBase", "BellwetherCore", "BellwetherJSON", "BellwetherSettings",
                "Gzip", "HTTPWire", "JEXL", "Surveys",
            ],
            path: "Fuzz/Checks", swiftSettings: house),
        .testTarget(
            name: "BellwetherJSONTests", dependencies: ["BellwetherJSON", "FuzzChecks", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "BellwetherBaseTests", dependencies: ["BellwetherBase", "BellwetherJSON", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "JEXLTests", dependencies: ["JEXL", "BellwetherJSON", "FuzzChecks", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "BellwetherCoreTests",
            dependencies: [
                "BellwetherBase", "BellwetherCore", "BellwetherJSON", "FuzzChecks", "JEXL", "Samples", "TestSupport",
            ],
            swiftSettings: house),
        .testTarget(
            name: "SurveysTests",
            dependencies: [
                "Surveys", "BellwetherBase", "BellwetherJSON", "BellwetherService", "FuzzChecks", "TestSupport",
            ],
            swiftSettings: house),
        .testTarget(
            name: "BellwetherAuthoringTests",
            dependencies: [
                "BellwetherAuthoring", "BellwetherBase", "BellwetherCore", "BellwetherJSON", "JEXL", "Samples",
                "Surveys", "TestSupport",
            ],
            resources: [.copy("Vectors")], swiftSettings: house),
        .testTarget(
            name: "BellwetherClientTests",
            dependencies: [
                "BellwetherBase", "BellwetherClient", "BellwetherCore", "BellwetherJSON", "Surveys", "TestSupport",
                "bellwether", "client-tool",
            ],
            swiftSettings: house),
        .testTarget(
            name: "OpenIDTests", dependencies: ["OpenID", "BellwetherBase", "BellwetherJSON", "TestSupport"],
            swiftSettings: house),
        .testTarget(name: "GzipTests", dependencies: ["Gzip", "TestSupport"], swiftSettings: house),
        .testTarget(
            name: "HTTPWireTests", dependencies: ["HTTPWire", "BellwetherJSON", "FuzzChecks", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "EventLoopTests", dependencies: ["EventLoop", "CLibevent", "HTTPWire", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "BellwetherSettingsTests", dependencies: ["BellwetherSettings", "FuzzChecks", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "BellwetherServiceTests",
            dependencies: [
                "BellwetherService", "BellwetherAuthoring", "BellwetherBase", "BellwetherCore", "BellwetherJSON",
                "JEXL", "Parquet", "PostgresStore", "PostgresSupport", "PostgresWire", "SQLiteStore", "StoreSupport",
                "TestSupport", "Surveys",
                logging,
            ],
            exclude: ["Publishing/Mistakes", "Publishing/Seeds"], swiftSettings: house),
        .testTarget(
            name: "WebhooksTests",
            dependencies: [
                "Webhooks", "BellwetherService", "BellwetherBase", "BellwetherJSON", "HTTPWire", "StoreSupport",
                "TestSupport",
            ],
            swiftSettings: house),
        .testTarget(name: "ParquetTests", dependencies: ["Parquet"], swiftSettings: house),
        .testTarget(name: "ZstdTests", dependencies: ["Zstd"], swiftSettings: house),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: ["ObjectStore", "BellwetherBase", "BellwetherJSON", "TestSupport"],
            resources: [.copy("Vectors")], swiftSettings: house),
        .testTarget(name: "KafkaTests", dependencies: ["Kafka", "KafkaSupport", "TestSupport"], swiftSettings: house),
        .testTarget(
            name: "SinksTests",
            dependencies: [
                "Sinks", "BellwetherBase", "BellwetherCore", "BellwetherJSON", "BellwetherService", "KafkaSupport",
                "ObjectStore", "Parquet", "StoreSupport", "TestSupport", logging,
            ],
            swiftSettings: house),
        .testTarget(name: "SQLiteWireTests", dependencies: ["SQLiteWire", "TestSupport"], swiftSettings: house),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: [
                "SQLiteStore", "BellwetherService", "BellwetherAuthoring", "BellwetherBase", "BellwetherCore",
                "BellwetherJSON", "SQLiteWire", "StoreSupport", "TestSupport",
            ],
            swiftSettings: house),
        .testTarget(
            name: "PostgresWireTests", dependencies: ["PostgresWire", "PostgresSupport", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "PostgresStoreTests",
            dependencies: [
                "PostgresStore", "PostgresSupport", "PostgresWire", "BellwetherService", "BellwetherBase",
                "BellwetherCore", "BellwetherJSON", "TestSupport",
            ],
            swiftSettings: house),
        .testTarget(
            name: "BellwetherAPITests",
            dependencies: [
                "BellwetherAPI", "BellwetherService", "BellwetherAuthoring", "BellwetherBase", "BellwetherCore",
                "BellwetherJSON", "Gzip", "HTTPWire", "StoreSupport", "TestSupport", "Surveys", logging,
            ],
            swiftSettings: house),
        .testTarget(
            name: "GoldenTests",
            dependencies: [
                "BellwetherAPI", "BellwetherService", "BellwetherBase", "BellwetherCore", "BellwetherJSON", "Gzip",
                "HTTPWire", "PostgresStore", "PostgresSupport", "SQLiteStore", "TestSupport", logging,
            ],
            exclude: ["Recordings"], swiftSettings: house),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "BellwetherService", "PostgresSupport", "PostgresWire", "SQLiteStore", "bellwether", "BellwetherBase",
                "BellwetherCore", "BellwetherJSON", "BellwetherSettings", "Gzip", "Surveys", "TestSupport",
            ],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
