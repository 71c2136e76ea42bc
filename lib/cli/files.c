#include "cli/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *lem_text(const char *format, ...) {
    char *text;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0) {
        (void)fputs("lemmata: no memory\n", stderr);
        exit(1);
    }
    return text;
}

bool lem_is_directory(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool lem_is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static char *read_stream(FILE *file, const char *path, size_t *size) {
    size_t capacity = 1 << 16, used = 0;
    char *bytes = malloc(capacity);
    while (bytes) {
        used += fread(bytes + used, 1, capacity - used - 1, file);
        if (used < capacity - 1)
            break;
        char *larger = realloc(bytes, capacity *= 2);
        if (!larger)
            free(bytes);
        bytes = larger;
    }
    if (bytes && !ferror(file)) {
        bytes[used] = '\0';
        *size = used;
        return bytes;
    }
    free(bytes);
    LEM_ERROR(GSL_EFAILED, "%s cannot be read: %s", path, strerror(errno));
    return NULL;
}

char *lem_read_file(const char *path, size_t *size) {
    if (lem_is_directory(path)) {
        LEM_ERROR(GSL_EFAILED, "%s is a directory", path);
        return NULL;
    }
    FILE *file = fopen(path, "rbe");
    if (!file) {
        LEM_ERROR(GSL_EFAILED, "%s cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    char *bytes = read_stream(file, path, size);
    (void)fclose(file);
    return bytes;
}

static bool holds_already(const char *path, const char *bytes, size_t size) {
    size_t old_size;
    struct stat info;
    if (stat(path, &info) != 0 || (size_t)info.st_size != size)
        return false;
    char *old = lem_read_file(path, &old_size);
    bool same = old && old_size == size && memcmp(old, bytes, size) == 0;
    free(old);
    return same;
}

static int write_descriptor(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return -1;
        bytes += written;
        size -= (size_t)written;
    }
    return fsync(descriptor);
}

static mode_t mode_for(const char *path) {
    struct stat info;
    if (stat(path, &info) == 0)
        return info.st_mode & 07777;
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

int lem_write_file(const char *path, const char *bytes, size_t size, bool *changed) {
    *changed = false;
    if (holds_already(path, bytes, size))
        return GSL_SUCCESS;
    char *temporary = lem_text("%s.XXXXXX", path);
    int descriptor = mkstemp(temporary), problem = 0;
    if (descriptor < 0)
        problem = errno;
    if (!problem &&
        (fchmod(descriptor, mode_for(path)) != 0 || write_descriptor(descriptor, bytes, size) != 0))
        problem = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && !problem)
        problem = errno;
    if (!problem && rename(temporary, path) != 0)
        problem = errno;
    if (problem && descriptor >= 0)
        (void)unlink(temporary);
    free(temporary);
    if (problem)
        return LEM_ERROR(GSL_EFAILED, "%s cannot be written: %s", path, strerror(problem));
    *changed = true;
    return GSL_SUCCESS;
}

int lem_copy_file(const char *from, const char *to, bool *changed) {
    size_t size;
    char *bytes = lem_read_file(from, &size);
    if (!bytes)
        return GSL_EFAILED;
    int status = lem_write_file(to, bytes, size, changed);
    free(bytes);
    return status;
}

int lem_make_directory(const char *path) {
    char *partial = lem_text("%s", path);
    int status = GSL_SUCCESS;
    for (char *slash = strchr(partial + 1, '/'); !status; slash = slash ? strchr(slash + 1, '/') : NULL) {
        if (slash)
            *slash = '\0';
        if (mkdir(partial, 0777) != 0 && !lem_is_directory(partial))
            status = LEM_ERROR(GSL_EFAILED, "%s cannot be made: %s", partial, strerror(errno));
        if (!slash)
            break;
        *slash = '/';
    }
    free(partial);
    return status;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int lem_list_directory(const char *path, const char *suffix, char ***names, size_t *n) {
    DIR *directory = opendir(path);
    *names = NULL;
    *n = 0;
    if (!directory)
        return LEM_ERROR(GSL_EFAILED, "%s cannot be read: %s", path, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name), tail = strlen(suffix);
        if (entry->d_name[0] == '.' || length <= tail || strcmp(entry->d_name + length - tail, suffix) != 0)
            continue;
        char **larger = realloc(*names, (*n + 1) * sizeof **names);
        if (!larger)
            continue;
        *names = larger;
        (*names)[(*n)++] = lem_text("%s", entry->d_name);
    }
    (void)closedir(directory);
    if (*n)
        qsort(*names, *n, sizeof **names, by_name);
    return GSL_SUCCESS;
}

void lem_free_names(char **names, size_t n) {
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
}
