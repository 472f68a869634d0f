internal import CKafka
internal import Glibc

/// The functions of librdkafka, as `dlsym` found them. Any thread may call them.
struct KafkaFunctions: @unchecked Sendable {
    let version: bellwether_kafka_version_str
    let errorText: bellwether_kafka_err2str
    let errorName: bellwether_kafka_err2name

    let makeOptions: bellwether_kafka_conf_new
    let destroyOptions: bellwether_kafka_conf_destroy
    let setOption: bellwether_kafka_conf_set
    let setEvents: bellwether_kafka_conf_set_events

    let make: bellwether_kafka_new
    let destroy: bellwether_kafka_destroy
    let setLogQueue: bellwether_kafka_set_log_queue
    let mainQueue: bellwether_kafka_queue_get_main
    let destroyQueue: bellwether_kafka_queue_destroy
    let poll: bellwether_kafka_queue_poll

    let makeHeaders: bellwether_kafka_headers_new
    let addHeader: bellwether_kafka_header_add
    let destroyHeaders: bellwether_kafka_headers_destroy
    let produce: bellwether_kafka_produceva
    let code: bellwether_kafka_error_code
    let text: bellwether_kafka_error_string
    let destroyError: bellwether_kafka_error_destroy
    let fatalError: bellwether_kafka_fatal_error
    let purge: bellwether_kafka_purge

    let eventType: bellwether_kafka_event_type
    let eventReports: bellwether_kafka_event_message_array
    let eventLog: bellwether_kafka_event_log
    let eventError: bellwether_kafka_event_error
    let eventErrorText: bellwether_kafka_event_error_string
    let destroyEvent: bellwether_kafka_event_destroy
    let topicName: bellwether_kafka_topic_name

    init(library name: String) throws(KafkaLibrary.Fault) {
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? name
            throw KafkaLibrary.Fault(reason: "librdkafka cannot be loaded (Debian's package librdkafka1): \(reason)")
        }
        let symbols = Symbols(library: library, name: name)
        version = try symbols.function("rd_kafka_version_str")
        errorText = try symbols.function("rd_kafka_err2str")
        errorName = try symbols.function("rd_kafka_err2name")
        makeOptions = try symbols.function("rd_kafka_conf_new")
        destroyOptions = try symbols.function("rd_kafka_conf_destroy")
        setOption = try symbols.function("rd_kafka_conf_set")
        setEvents = try symbols.function("rd_kafka_conf_set_events")
        make = try symbols.function("rd_kafka_new")
        destroy = try symbols.function("rd_kafka_destroy")
        setLogQueue = try symbols.function("rd_kafka_set_log_queue")
        mainQueue = try symbols.function("rd_kafka_queue_get_main")
        destroyQueue = try symbols.function("rd_kafka_queue_destroy")
        poll = try symbols.function("rd_kafka_queue_poll")
        makeHeaders = try symbols.function("rd_kafka_headers_new")
        addHeader = try symbols.function("rd_kafka_header_add")
        destroyHeaders = try symbols.function("rd_kafka_headers_destroy")
        produce = try symbols.function("rd_kafka_produceva")
        code = try symbols.function("rd_kafka_error_code")
        text = try symbols.function("rd_kafka_error_string")
        destroyError = try symbols.function("rd_kafka_error_destroy")
        fatalError = try symbols.function("rd_kafka_fatal_error")
        purge = try symbols.function("rd_kafka_purge")
        eventType = try symbols.function("rd_kafka_event_type")
        eventReports = try symbols.function("rd_kafka_event_message_array")
        eventLog = try symbols.function("rd_kafka_event_log")
        eventError = try symbols.function("rd_kafka_event_error")
        eventErrorText = try symbols.function("rd_kafka_event_error_string")
        destroyEvent = try symbols.function("rd_kafka_event_destroy")
        topicName = try symbols.function("rd_kafka_topic_name")
    }
}

/// The symbols of one loaded library.
private struct Symbols {
    let library: UnsafeMutableRawPointer
    let name: String

    func function<Function>(_ symbol: String) throws(KafkaLibrary.Fault) -> Function {
        guard let address = dlsym(library, symbol) else {
            throw KafkaLibrary.Fault(reason: "\(name) has no \(symbol): librdkafka 1.5 or newer is needed")
        }
        return unsafeBitCast(address, to: Function.self)
    }
}
