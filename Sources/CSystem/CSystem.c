#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* glibc and Darwin hand the arguments to constructors. */
static int argument_count;
static char *const *arguments;

__attribute__((constructor)) static void note_arguments(int count, char *const *values) {
#if defined(__GLIBC__) || defined(__APPLE__)
  argument_count = count;
  arguments = values;
#else
  (void)count;
  (void)values;
#endif
}

int csystem_argument_count(void) { return argument_count; }
char *const *csystem_arguments(void) { return arguments; }

#ifdef __GLIBC__
void csystem_tune_memory(void) {
  mallopt(M_TOP_PAD, 1 << 20);
  /* Texts come and go by the hundred: each would be mapped, filled with zeros and unmapped anew. */
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 8 << 20);
}
#else
void csystem_tune_memory(void) {}
#endif

int csystem_o_path(void) { return O_PATH; }
int csystem_o_noatime(void) { return O_NOATIME; }

int csystem_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  if (flags == 0) return renameat(from_folder, from, to_folder, to);
  return renameat2(from_folder, from, to_folder, to, flags == 1 ? RENAME_NOREPLACE : RENAME_EXCHANGE);
}

ssize_t csystem_copy_file_range(int from, int64_t from_offset, int to, int64_t to_offset, size_t count) {
  off64_t source = from_offset, target = to_offset;
  return copy_file_range(from, &source, to, &target, count, 0);
}

int csystem_clone(int from, int to) {
  /* FICLONE of <linux/fs.h>, whose other names clash with the C library's. */
  return ioctl(to, _IOW(0x94, 9, int), from);
}

int csystem_syncfs(int fd) { return syncfs(fd); }

int csystem_syncfs_reports_errors(void) {
  struct utsname name;
  int major = 0, minor = 0;
  if (uname(&name) != 0 || sscanf(name.release, "%d.%d", &major, &minor) != 2) return 0;
  return major > 5 || (major == 5 && minor >= 8);
}

off_t csystem_seek_data(int fd, off_t from) { return lseek(fd, from, SEEK_DATA); }
off_t csystem_seek_hole(int fd, off_t from) { return lseek(fd, from, SEEK_HOLE); }

int csystem_birth_time(const char *path, int64_t *seconds, uint32_t *nanoseconds) {
  struct statx status;
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &status) != 0) return -1;
  if (!(status.stx_mask & STATX_BTIME)) return 1;
  *seconds = status.stx_btime.tv_sec;
  *nanoseconds = status.stx_btime.tv_nsec;
  return 0;
}

int csystem_file_system_type(const char *path, uint64_t *type) {
  struct statfs status;
  if (statfs(path, &status) != 0) return -1;
  *type = (uint64_t)status.f_type & 0xFFFFFFFFu;
  return 0;
}

void csystem_random(void *buffer, size_t count) {
  char *next = buffer;
  while (count > 0) {
    ssize_t got = getrandom(next, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
      got = fd < 0 ? -1 : read(fd, next, count);
      if (fd >= 0) close(fd);
      if (got <= 0) abort();
    }
    next += got;
    count -= (size_t)got;
  }
}

int csystem_terminal_columns(int fd) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  return size.ws_col;
}

/* A pipe end numbered 0 to 2 would be overwritten while the child's streams are put in place. */
static int above_streams(int fd) {
  if (fd > 2) return fd;
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  int code = errno;
  close(fd);
  errno = code;
  return moved;
}

int csystem_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  ends[0] = above_streams(ends[0]);
  ends[1] = above_streams(ends[1]);
  if (ends[0] >= 0 && ends[1] >= 0) return 0;
  int code = errno;
  if (ends[0] >= 0) close(ends[0]);
  if (ends[1] >= 0) close(ends[1]);
  errno = code;
  return -1;
}

int csystem_set_nonblocking(int fd, int nonblocking) {
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0) return -1;
  return fcntl(fd, F_SETFL, nonblocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

ssize_t csystem_write_without_signal(int fd, const void *bytes, size_t count) {
  sigset_t pipe_signal, before, pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigemptyset(&pending);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  ssize_t written = write(fd, bytes, count);
  int code = errno;
  if (written < 0 && code == EPIPE && !sigismember(&pending, SIGPIPE)) {
    struct timespec none = {0, 0};
    while (sigtimedwait(&pipe_signal, NULL, &none) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = code;
  return written;
}

int csystem_spawn(const char *program, char *const arguments[], char *const environment[], const char *folder,
                  const int fds[3]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults, mask;
  pid_t process = -1;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) {
    errno = code;
    return -1;
  }
  code = posix_spawnattr_init(&attributes);
  if (code != 0) {
    posix_spawn_file_actions_destroy(&actions);
    errno = code;
    return -1;
  }
  /* What this process ignores or blocks would pass on to the program. */
  sigemptyset(&mask);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &mask);
  code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  for (int stream = 0; stream < 3 && code == 0; stream++)
    if (fds[stream] >= 0) code = posix_spawn_file_actions_adddup2(&actions, fds[stream], stream);
  if (code == 0 && folder) code = posix_spawn_file_actions_addchdir_np(&actions, folder);
  if (code == 0)
    code = (strchr(program, '/') ? posix_spawn : posix_spawnp)(&process, program, &actions, &attributes, arguments,
                                                               environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (code == 0) return process;
  errno = code;
  return -1;
}

int csystem_wait(int process, int without_waiting) {
  int status = 0;
  pid_t ended = waitpid(process, &status, without_waiting ? WNOHANG : 0);
  if (ended < 0) return -1;
  if (ended == 0) return -2;
  if (WIFSIGNALED(status)) return 256 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

char **csystem_environment(void) { return environ; }

ssize_t csystem_read_folder(int fd, void *buffer, size_t count) { return syscall(SYS_getdents64, fd, buffer, count); }

static volatile sig_atomic_t interruption_signal = 0;

static void note_interruption(int number) { interruption_signal = number; }

int csystem_install_interruption(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = note_interruption;
  action.sa_flags = SA_RESETHAND;
  if (sigaction(SIGINT, &action, NULL) != 0 || sigaction(SIGTERM, &action, NULL) != 0) return -1;
  action.sa_handler = SIG_IGN;
  action.sa_flags = 0;
  if (sigaction(SIGXFSZ, &action, NULL) != 0) return -1;
  return sigaction(SIGPIPE, &action, NULL);
}

int csystem_interruption_signal(void) { return interruption_signal; }

static _Thread_local void *thread_value = NULL;

void *csystem_thread_value(void) { return thread_value; }
void csystem_set_thread_value(void *value) { thread_value = value; }
