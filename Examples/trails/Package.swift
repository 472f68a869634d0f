// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "trails",
    platforms: [.iOS(.v17), .macOS(.v14)],
    // An app outside of this repository names its address and a version.
    dependencies: [.package(name: "bellwether", path: "../..")],
    targets: [
        .executableTarget(
            name: "trails", dependencies: [.product(name: "BellwetherClient", package: "bellwether")])
    ]
)
