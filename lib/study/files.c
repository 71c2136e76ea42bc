#include "study/files.h"

#include "base/error.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 512, MOST_FOLDERS = 64 };

/* An entry is complete before the count includes it: the signal handler may read at any moment. */
typedef struct {
    char *temporary; /* NULL: nothing is written, `path` is to be removed */
    char *path;
} pending_file;

static pending_file pending[MOST_FILES];
static atomic_size_t n_pending;
static char *made_folders[MOST_FOLDERS];
static atomic_size_t n_made;

/* Who came first, the signal handler (of any thread) or the commit: each moves on from OPEN only by exchange.
 */
enum { OPEN, COMMITTING, COMMITTED, INTERRUPTED };
static atomic_int phase = OPEN;

static int make_one(const char *path) {
    if (mkdir(path, 0777) == 0) {
        size_t n = atomic_load(&n_made);
        if (n < MOST_FOLDERS && (made_folders[n] = strdup(path)))
            atomic_store(&n_made, n + 1);
        return GSL_SUCCESS;
    }
    struct stat info;
    if (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return GSL_SUCCESS;
    return LEM_ERROR(GSL_EFAILED, "cannot make the folder %s: %s", path,
                     errno == EEXIST ? "a file of that name is in the way" : strerror(errno));
}

int lem_files_make_folder(const char *path) {
    char partial[PATH_MAX];
    if (!path[0] || strlen(path) >= sizeof partial)
        return LEM_ERROR(GSL_EINVAL, "the folder name '%.40s' is empty or too long", path);
    for (const char *end = path; *end; end++) {
        if (*end != '/' || end == path)
            continue;
        (void)snprintf(partial, sizeof partial, "%.*s", (int)(end - path), path);
        int status = make_one(partial);
        if (status)
            return status;
    }
    return make_one(path);
}

static int add(char *temporary, char *path) {
    size_t n = atomic_load(&n_pending);
    if (n == MOST_FILES || !path) {
        free(temporary);
        free(path);
        return LEM_ERROR(GSL_ENOMEM, "too many output files (at most %d), or out of memory", MOST_FILES);
    }
    pending[n] = (pending_file){temporary, path};
    atomic_store(&n_pending, n + 1);
    return GSL_SUCCESS;
}

const char *lem_files_pending(const char *path) {
    for (size_t i = 0; i < atomic_load(&n_pending); i++)
        if (pending[i].temporary && strcmp(pending[i].path, path) == 0)
            return pending[i].temporary;
    return NULL;
}

/* The process in ".<base>.<process>.tmp"; 0: the name is none of these. */
static long process_in(const char *name, const char *base) {
    size_t length = strlen(base);
    if (name[0] != '.' || strncmp(name + 1, base, length) != 0 || name[1 + length] != '.' ||
        !isdigit((unsigned char)name[2 + length]))
        return 0;
    char *end;
    long process = strtol(name + 2 + length, &end, 10);
    return strcmp(end, ".tmp") == 0 && process > 0 && process <= INT_MAX ? process : 0;
}

/* What runs that were killed outright had not renamed yet. */
static void remove_stale(const char *folder, const char *base) {
    DIR *directory = opendir(folder);
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        long process = process_in(entry->d_name, base);
        if (process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH)
            (void)unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (directory)
        (void)closedir(directory);
}

/* The folder a path is in, in fresh memory; NULL when there is none left. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return !slash ? strdup(".") : slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

FILE *lem_files_open(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    char *temporary = NULL;
    if (lem_files_pending(path)) {
        (void)LEM_ERROR(GSL_EINVAL, "%s is written twice in one run", path);
        return NULL;
    }
    if (asprintf(&temporary, "%.*s.%s.%ld.tmp", (int)(base - path), path, base, (long)getpid()) < 0)
        temporary = NULL;
    if (!temporary || add(temporary, strdup(path)))
        return NULL;
    (void)unlink(temporary); /* of a killed run that had the same process number */
    char *folder = folder_of(path);
    if (folder)
        remove_stale(folder, base);
    free(folder);
    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        (void)LEM_ERROR(GSL_EFAILED, "cannot write %s: %s", path, strerror(errno));
    return file;
}

int lem_files_close(FILE *file, const char *path) {
    errno = 0;
    bool written = !ferror(file) && fflush(file) == 0 && (fsync(fileno(file)) == 0 || errno == EINVAL);
    int why = errno;
    if (fclose(file) != 0 && written) {
        written = false;
        why = errno;
    }
    if (!written)
        return LEM_ERROR(GSL_EFAILED, "cannot write %s: %s", path,
                         why ? strerror(why) : "an earlier write failed");
    return GSL_SUCCESS;
}

int lem_files_write(const char *path, const void *bytes, size_t count) {
    FILE *file = lem_files_open(path);
    if (!file)
        return GSL_EFAILED;
    if (fwrite(bytes, 1, count, file) != count) {
        int why = errno;
        (void)fclose(file);
        return LEM_ERROR(GSL_EFAILED, "cannot write %s: %s", path, strerror(why));
    }
    return lem_files_close(file, path);
}

int lem_files_retire(const char *path) {
    return add(NULL, strdup(path));
}

static void forget_all(void) { /* the handler keeps off: the phase is COMMITTING */
    size_t n = atomic_exchange(&n_pending, 0);
    for (size_t i = 0; i < n; i++) {
        free(pending[i].temporary);
        free(pending[i].path);
        pending[i] = (pending_file){NULL, NULL};
    }
    n = atomic_exchange(&n_made, 0);
    for (size_t i = 0; i < n; i++) {
        free(made_folders[i]);
        made_folders[i] = NULL;
    }
}

static int put_in_place(const pending_file *file) {
    if (!file->temporary) {
        if (unlink(file->path) != 0 && errno != ENOENT)
            return LEM_ERROR(GSL_EFAILED, "cannot remove the outdated %s: %s", file->path, strerror(errno));
        return GSL_SUCCESS;
    }
    if (rename(file->temporary, file->path) != 0)
        return LEM_ERROR(GSL_EFAILED, "cannot put %s into place: %s", file->path, strerror(errno));
    return GSL_SUCCESS;
}

/* Two runs into one folder take turns, so that its files are of one of them. The lock is on the folder of the
 * last file and ends with the descriptor; -1 where there are no locks. */
static int take_turn(void) {
    size_t n = atomic_load(&n_pending);
    char *folder = n > 0 ? folder_of(pending[n - 1].path) : NULL;
    int lock = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    while (lock >= 0 && flock(lock, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return lock;
}

int lem_files_commit(void) {
    int status = GSL_SUCCESS, expected = OPEN, lock = take_turn();
    if (!atomic_compare_exchange_strong(&phase, &expected, COMMITTING))
        for (;;)
            (void)pause(); /* the handler, in another thread, is about to end the process */
    size_t n = atomic_load(&n_pending);
    for (size_t i = 0; i < n && !status; i++)
        status = put_in_place(&pending[i]);
    if (status)
        lem_files_abort();
    forget_all();
    atomic_store(&phase, status ? OPEN : COMMITTED);
    if (lock >= 0)
        (void)close(lock);
    return status;
}

lem_files_state lem_files_interrupt(void) {
    int expected = OPEN;
    if (!atomic_compare_exchange_strong(&phase, &expected, INTERRUPTED))
        return expected == COMMITTING  ? LEM_FILES_COMMITTING
               : expected == COMMITTED ? LEM_FILES_COMMITTED
                                       : LEM_FILES_REMOVED;
    lem_files_abort();
    return LEM_FILES_REMOVED;
}

void lem_files_abort(void) {
    for (size_t i = 0; i < atomic_load(&n_pending); i++)
        if (pending[i].temporary)
            (void)unlink(pending[i].temporary);
    for (size_t i = atomic_load(&n_made); i-- > 0;)
        (void)rmdir(made_folders[i]); /* fails, as it should, where something else lives */
}

char *lem_files_read(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t size = 0, room = 0;
    while (file) {
        if (size + 1 >= room) {
            room = room ? 2 * room : 65536;
            char *more = realloc(bytes, room);
            if (!more)
                break;
            bytes = more;
        }
        size_t got = fread(bytes + size, 1, room - size - 1, file);
        size += got;
        if (got == 0)
            break;
    }
    if (!file || ferror(file) || !feof(file)) {
        (void)LEM_ERROR(GSL_EFAILED, "cannot read %s: %s", path, strerror(errno));
        if (file)
            (void)fclose(file);
        free(bytes);
        return NULL;
    }
    (void)fclose(file);
    bytes[size] = '\0';
    *count = size;
    return bytes;
}
