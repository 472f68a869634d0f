internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherService
internal import Logging
internal import ObjectStore
internal import Sinks

/// A sink of the settings (docs/operators-guide.md#sinks).
struct SinkConfiguration {
    enum Target {
        case folder(String)
        case objects(ObjectStoreAccess)
        case kafka(KafkaSettings)
    }

    let settings: SinkSettings
    let target: Target
}

extension SinkConfiguration {
    func sink(_ persistence: Persistence, _ publisher: Publisher, _ logger: Logger) -> any Sink {
        let name = settings.name
        switch target {
        case .folder(let path): return files(FolderTarget(path), persistence, publisher, logger)
        case .objects(let access):
            let objects = ObjectTarget { sentence in
                logger.warning("a sink", metadata: ["sink": "\(name)", "warning": "\(sentence)"])
            } _: { () throws(ObjectStoreFault) in
                try ObjectStore(access.address, access.credentials) { Clock.system.now().milliseconds }
            }
            return files(objects, persistence, publisher, logger)
        case .kafka(let kafka):
            return KafkaSink(settings, kafka, from: persistence, queue: Wiring.background(), logger: logger) {
                $0.write(to: &$1)
            }
        }
    }

    private func files(
        _ target: any FileTarget, _ persistence: Persistence, _ publisher: Publisher, _ logger: Logger
    ) -> FileSink {
        FileSink(
            settings, to: target, from: persistence, compressor: .ofProgram, queue: Wiring.background(),
            logger: logger
        ) { publisher.app($0) }
    }
}
