extension Volume {
  /// A library that is loaded before the program's others and takes the place of system calls.
  ///
  /// It acts on names in folders below `$VOLUME`, the store left out.
  static let source = #"""
    #define _GNU_SOURCE
    #include <dirent.h>
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <strings.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    static const char *setting(const char *name) { return getenv(name); }

    /* Tells that the library is in place. */
    __attribute__((constructor)) static void answer(void) {
      if (setting("VOLUME_TRIAL")) { write(1, "volume", 6); _exit(0); }
    }

    /* Whether a folder lies in the volume; the store is left out. */
    static int is_inside(int folder) {
      const char *root = setting("VOLUME");
      char link[64], path[8192];
      if (!root || folder < 0) return 0;
      snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
      ssize_t length = readlink(link, path, sizeof path - 1);
      if (length < 0) return 0;
      path[length] = 0;
      size_t count = strlen(root);
      if (strncmp(path, root, count) || (path[count] && path[count] != '/')) return 0;
      return strncmp(path + count, "/.dver", 6) != 0;
    }

    /* Fails with the code that a volume has for a name; 0 where it takes it. */
    static int refusal(int folder, const char *name) {
      if (!is_inside(folder)) return 0;
      const char *failing = setting("FAILING"), *longest = setting("LONGEST");
      if (failing && !strcmp(name, failing)) return atoi(setting("CODE"));
      if (longest && strlen(name) > (size_t)atoi(longest)) return ENAMETOOLONG;
      return 0;
    }

    /* A name that may not be made, as on FAT. */
    static int is_forbidden(int folder, const char *name) {
      return setting("FAT") && is_inside(folder) && strpbrk(name, ":?*\"<>|\\");
    }

    /* The entry that a volume without case means by a name. */
    static const char *entry(int folder, const char *name, char *space) {
      if (!setting("CASELESS") || !is_inside(folder) || strchr(name, '/')) return name;
      int copy = syscall(SYS_openat, folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      DIR *open = copy < 0 ? NULL : fdopendir(copy);
      if (!open) return name;
      const char *found = name;
      for (struct dirent *next; (next = readdir(open));) {
        if (strcasecmp(next->d_name, name)) continue;
        found = strcpy(space, next->d_name);
        if (!strcmp(space, name)) break;
      }
      closedir(open);
      return found;
    }

    static void round_times(struct stat *status) {
      if (!S_ISREG(status->st_mode)) return;
      if (setting("CHANGELESS")) status->st_ctim.tv_sec = status->st_ctim.tv_nsec = 0;
      if (!setting("COARSE")) return;
      status->st_mtim.tv_sec -= ((status->st_mtim.tv_sec % 2) + 2) % 2;
      status->st_ctim.tv_sec -= ((status->st_ctim.tv_sec % 2) + 2) % 2;
      status->st_mtim.tv_nsec = status->st_ctim.tv_nsec = 0;
    }

    #define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
    #define REFUSE(folder, name) do { int code = refusal(folder, name); if (code) { errno = code; return -1; } } while (0)
    #define FORBID(folder, name) do { REFUSE(folder, name); if (is_forbidden(folder, name)) { errno = EINVAL; return -1; } } while (0)

    int openat(int folder, const char *name, int flags, ...) {
      REAL(openat);
      va_list rest;
      va_start(rest, flags);
      mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
      va_end(rest);
      char space[256];
      if (flags & O_CREAT) FORBID(folder, name); else REFUSE(folder, name);
      if (setting("CLOSED") && !strcmp(name, setting("CLOSED")) && is_inside(folder)) { errno = EIO; return -1; }
      return real(folder, entry(folder, name, space), flags, mode);
    }

    int fstatat(int folder, const char *restrict name, struct stat *restrict status, int flags) {
      REAL(fstatat);
      char space[256];
      REFUSE(folder, name);
      int result = real(folder, entry(folder, name, space), status, flags);
      if (!result && is_inside(folder)) round_times(status);
      return result;
    }

    int fstat(int file, struct stat *status) {
      REAL(fstat);
      int result = real(file, status);
      if (!result && S_ISREG(status->st_mode) && is_inside(file)) round_times(status);
      return result;
    }

    int renameat(int from, const char *old, int to, const char *new) {
      REAL(renameat);
      char one[256], two[256];
      REFUSE(from, old);
      FORBID(to, new);
      return real(from, entry(from, old, one), to, entry(to, new, two));
    }

    int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
      REAL(renameat2);
      char one[256], two[256];
      REFUSE(from, old);
      FORBID(to, new);
      if (setting("FAT") && is_inside(to)) { errno = EINVAL; return -1; }
      return real(from, entry(from, old, one), to, entry(to, new, two), flags);
    }

    int linkat(int from, const char *old, int to, const char *new, int flags) {
      REAL(linkat);
      char one[256], two[256];
      FORBID(to, new);
      if (setting("FAT") && is_inside(to)) { errno = EPERM; return -1; }
      return real(from, entry(from, old, one), to, entry(to, new, two), flags);
    }

    int symlinkat(const char *target, int folder, const char *name) {
      REAL(symlinkat);
      FORBID(folder, name);
      if (setting("FAT") && is_inside(folder)) { errno = EPERM; return -1; }
      char space[256];
      return real(target, folder, entry(folder, name, space));
    }

    int mkdirat(int folder, const char *name, mode_t mode) {
      REAL(mkdirat);
      char space[256];
      FORBID(folder, name);
      return real(folder, entry(folder, name, space), mode);
    }

    int unlinkat(int folder, const char *name, int flags) {
      REAL(unlinkat);
      char space[256];
      REFUSE(folder, name);
      return real(folder, entry(folder, name, space), flags);
    }

    ssize_t readlinkat(int folder, const char *restrict name, char *restrict text, size_t size) {
      REAL(readlinkat);
      char space[256];
      REFUSE(folder, name);
      return real(folder, entry(folder, name, space), text, size);
    }
    """#
}
