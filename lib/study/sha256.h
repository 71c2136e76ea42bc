/* SHA-256 (FIPS 180-4) of a buffer, as 64 hexadecimal digits. */
#ifndef LEM_STUDY_SHA256_H
#define LEM_STUDY_SHA256_H

#include <stddef.h>

enum { LEM_SHA256_TEXT = 65 };
void lem_sha256(const void *bytes, size_t count, char text[LEM_SHA256_TEXT]);
/* ... of a file, read in pieces. A GSL status. */
int lem_sha256_file(const char *path, char text[LEM_SHA256_TEXT]);

#endif
