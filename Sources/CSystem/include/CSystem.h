/* System calls and constants that Swift's Glibc module does not show: GNU extensions, variadic functions, macros.
   Every function returns what the call returns: -1 and errno on failure unless said otherwise. */
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Flags of open(2) that need _GNU_SOURCE. */
int csystem_o_path(void);
int csystem_o_noatime(void);

/* flags: 0 replace, 1 no replace, 2 exchange. */
int csystem_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
ssize_t csystem_copy_file_range(int from, int64_t from_offset, int to, int64_t to_offset, size_t count);
/* Makes `to` share the extents of `from`. */
int csystem_clone(int from, int to);
/* getdents64(2): entries of a folder from where the descriptor stands, 0 at the end. */
ssize_t csystem_read_folder(int fd, void *buffer, size_t count);
off_t csystem_seek_data(int fd, off_t from);
off_t csystem_seek_hole(int fd, off_t from);
int csystem_syncfs(int fd);
/* Whether syncfs tells of writes that failed, as Linux does from 5.8 on. */
int csystem_syncfs_reports_errors(void);
/* 1: the file system keeps no birth time. */
int csystem_birth_time(const char *path, int64_t *seconds, uint32_t *nanoseconds);
int csystem_file_system_type(const char *path, uint64_t *type);
/* Fills the buffer; ends the process where the kernel has no random bytes at all. */
void csystem_random(void *buffer, size_t count);
/* The width of a terminal in columns. */
int csystem_terminal_columns(int fd);

/* Both ends close on exec and are numbered 3 or higher. */
int csystem_pipe(int ends[2]);
int csystem_set_nonblocking(int fd, int nonblocking);
/* A write to a pipe that nobody reads fails with EPIPE and raises no signal. */
ssize_t csystem_write_without_signal(int fd, const void *bytes, size_t count);
/* fds: what becomes 0, 1 and 2 (-1: inherited). A program without a slash is searched in PATH.
   Returns the process id. */
int csystem_spawn(const char *program, char *const arguments[], char *const environment[], const char *folder,
                  const int fds[3]);
/* The exit status, or 256 + the signal that ended the process, or -2 where it still runs (only without waiting). */
int csystem_wait(int process, int without_waiting);
char **csystem_environment(void);
/* What the process was started with; a count of 0 where the C library doesn't tell. */
int csystem_argument_count(void);
char *const *csystem_arguments(void);

/* SIGINT and SIGTERM are noted once, a second one ends the process; SIGPIPE is ignored. */
int csystem_install_interruption(void);
int csystem_interruption_signal(void);

/* Memory is asked for in larger steps and not given back at once: a short process has less calls and page faults. */
void csystem_tune_memory(void);

/* One pointer for each thread, for the fault injection of debug builds. */
void *csystem_thread_value(void);
void csystem_set_thread_value(void *value);

#endif
