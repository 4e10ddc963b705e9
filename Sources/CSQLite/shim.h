#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H
#include <sqlite3.h>
/* SQLITE_TRANSIENT and SQLITE_STATIC are cast macros and sqlite3_db_config is variadic: none is imported. */
static inline int csqlite_bind_blob_transient(sqlite3_stmt *s, int i, const void *p, int n) { return sqlite3_bind_blob(s, i, p, n, SQLITE_TRANSIENT); }
static inline int csqlite_bind_text_transient(sqlite3_stmt *s, int i, const char *p, int n) { return sqlite3_bind_text(s, i, p, n, SQLITE_TRANSIENT); }
static inline int csqlite_no_checkpoint_on_close(sqlite3 *db) { return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0); }
static inline int csqlite_persist_wal(sqlite3 *db) { int on = 1; return sqlite3_file_control(db, "main", SQLITE_FCNTL_PERSIST_WAL, &on); }
#endif
