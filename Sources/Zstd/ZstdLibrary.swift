internal import CZstd
internal import Glibc

/// libzstd, loaded when it is first asked for. A daemon that writes no Parquet never maps it.
///
/// It stays loaded until the process ends.
public struct ZstdLibrary: @unchecked Sendable {  // Functions of C, which any thread may call.
    /// The library, loaded once; nil if the system has none.
    public static let shared = ZstdLibrary()

    private let compressBound: bellwether_zstd_compress_bound
    private let isError: bellwether_zstd_is_error
    private let createContext: bellwether_zstd_create_context
    private let freeContext: bellwether_zstd_free_context
    private let compressContext: bellwether_zstd_compress

    /// Nil if there is no library with this name, or if it lacks a function.
    init?(name: String = "libzstd.so.1") {
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL),
            let compressBound = dlsym(library, "ZSTD_compressBound"),
            let isError = dlsym(library, "ZSTD_isError"),
            let createContext = dlsym(library, "ZSTD_createCCtx"),
            let freeContext = dlsym(library, "ZSTD_freeCCtx"),
            let compressContext = dlsym(library, "ZSTD_compressCCtx")
        else { return nil }
        self.compressBound = unsafeBitCast(compressBound, to: bellwether_zstd_compress_bound.self)
        self.isError = unsafeBitCast(isError, to: bellwether_zstd_is_error.self)
        self.createContext = unsafeBitCast(createContext, to: bellwether_zstd_create_context.self)
        self.freeContext = unsafeBitCast(freeContext, to: bellwether_zstd_free_context.self)
        self.compressContext = unsafeBitCast(compressContext, to: bellwether_zstd_compress.self)
    }

    /// Compresses the whole input as one frame; nil if libzstd cannot allocate memory.
    public func compress(_ bytes: [UInt8], level: Int32 = 3) -> [UInt8]? {
        guard let context = createContext() else { return nil }
        defer { _ = freeContext(context) }
        let capacity = compressBound(bytes.count)
        let output = [UInt8](unsafeUninitializedCapacity: max(1, capacity)) { target, count in
            guard let start = target.baseAddress else { return }
            let result = bytes.withUnsafeBytes { source in
                compressContext(context, start, target.count, source.baseAddress, source.count, level)
            }
            count = isError(result) == 0 ? result : 0
        }
        // A frame has at least a head: no bytes are an error.
        return output.isEmpty ? nil : output
    }
}
