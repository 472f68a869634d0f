#ifndef CPOSTGRES_H
#define CPOSTGRES_H

// What the connections to PostgreSQL use of libpq, whose soname has been libpq.so.5 since 2007. It is loaded when the
// first address is read, so there is nothing to link, and no header of PostgreSQL is needed to build. The functions
// and types have the names and meanings of libpq-fe.h. bellwether_load_libpq must have returned NULL before a call.

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pg_cancel PGcancel;

typedef enum { CONNECTION_OK = 0 } ConnStatusType;

typedef enum { PQTRANS_IDLE = 0 } PGTransactionStatusType;

typedef enum {
    PGRES_COMMAND_OK = 1,
    PGRES_TUPLES_OK = 2,
    PGRES_PIPELINE_SYNC = 10,
    PGRES_PIPELINE_ABORTED = 11,
} ExecStatusType;

typedef struct {
    char *relname;
    int be_pid;
    char *extra;
} PGnotify;

typedef struct {
    char *keyword, *envvar, *compiled, *val, *label, *dispchar;
    int dispsize;
} PQconninfoOption;

// Loads the library once, on any thread. Returns NULL, or the reason why it cannot be used.
const char *bellwether_load_libpq(void);

// FUNCTION(result, name, parameters, arguments)
#define LIBPQ_FUNCTIONS(FUNCTION)                                                                                       \
    FUNCTION(PQconninfoOption *, PQconninfoParse, (const char *address, char **message), (address, message))            \
    FUNCTION(void, PQconninfoFree, (PQconninfoOption *options), (options))                                              \
    FUNCTION(PGconn *, PQconnectdbParams,                                                                               \
             (const char *const *keywords, const char *const *values, int expands), (keywords, values, expands))        \
    FUNCTION(ConnStatusType, PQstatus, (const PGconn *connection), (connection))                                        \
    FUNCTION(PGTransactionStatusType, PQtransactionStatus, (const PGconn *connection), (connection))                    \
    FUNCTION(int, PQsetnonblocking, (PGconn *connection, int isNonBlocking), (connection, isNonBlocking))               \
    FUNCTION(int, PQenterPipelineMode, (PGconn *connection), (connection))                                              \
    FUNCTION(int, PQpipelineSync, (PGconn *connection), (connection))                                                   \
    FUNCTION(int, PQsocket, (const PGconn *connection), (connection))                                                   \
    FUNCTION(int, PQflush, (PGconn *connection), (connection))                                                          \
    FUNCTION(int, PQisBusy, (PGconn *connection), (connection))                                                         \
    FUNCTION(int, PQconsumeInput, (PGconn *connection), (connection))                                                   \
    FUNCTION(PGnotify *, PQnotifies, (PGconn *connection), (connection))                                                \
    FUNCTION(char *, PQerrorMessage, (const PGconn *connection), (connection))                                          \
    FUNCTION(void, PQfinish, (PGconn *connection), (connection))                                                        \
    FUNCTION(PGcancel *, PQgetCancel, (PGconn *connection), (connection))                                               \
    FUNCTION(int, PQcancel, (PGcancel *cancel, char *message, int size), (cancel, message, size))                       \
    FUNCTION(void, PQfreeCancel, (PGcancel *cancel), (cancel))                                                          \
    FUNCTION(int, PQsendQueryParams,                                                                                    \
             (PGconn *connection, const char *sql, int count, const unsigned *types, const char *const *values,         \
              const int *lengths, const int *formats, int resultFormat),                                                \
             (connection, sql, count, types, values, lengths, formats, resultFormat))                                   \
    FUNCTION(PGresult *, PQgetResult, (PGconn *connection), (connection))                                               \
    FUNCTION(ExecStatusType, PQresultStatus, (const PGresult *result), (result))                                        \
    FUNCTION(char *, PQresultErrorField, (const PGresult *result, int code), (result, code))                            \
    FUNCTION(int, PQntuples, (const PGresult *result), (result))                                                        \
    FUNCTION(char *, PQcmdTuples, (PGresult *result), (result))                                                         \
    FUNCTION(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column))                    \
    FUNCTION(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column))                    \
    FUNCTION(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column))                  \
    FUNCTION(void, PQclear, (PGresult *result), (result))                                                               \
    FUNCTION(void, PQfreemem, (void *memory), (memory))

#define DECLARE(result, name, parameters, arguments) result name parameters;
LIBPQ_FUNCTIONS(DECLARE)
#undef DECLARE

#endif
