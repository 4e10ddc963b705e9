#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H
#include <sqlite3.h>
/* SQLITE_TRANSIENT and SQLITE_STATIC are cast macros and sqlite3_db_config is variadic: none is imported. */
static inline int csqlite_bind_blob_transient(sqlite3_stmt *s, int i, const void *p, int n) { return sqlite3_bind_blob(s, i, p, n, SQLITE_TRANSIENT); }
static inline int csqlite_bind_text_transient(sqlite3_stmt *s, int i, const char *p, int n) { return sqlite3_bind_text(s, i, p, n, SQLITE_TRANSIENT); }
static inline int csqlite_keep_log_on_close(sqlite3 *db, int keeps) { return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0); }
/* Without counts of the memory in use, which nobody asks for and each allocation takes a lock for. Before the first use. */
static inline int csqlite_leave_out_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
/* A result through void *, which is not typed: SQLITE_FCNTL_HAS_MOVED wants an int. */
static inline int csqlite_has_moved(sqlite3 *db) { int moved = 0; return sqlite3_file_control(db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved; }
#endif
