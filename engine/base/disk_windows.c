/* SPDX-License-Identifier: MIT
 *
 * The manifest of the programs makes UTF-8 the code page of the functions whose names end in A.
 */
#include "engine/base/disk.h"

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/system_private.h"

#define PATH_BYTES 32768

/* Others may read, write, rename and remove a file that is open. */
#define SHARED     (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/* Windows counts tenths of microseconds since 1601. */
static int64_t disk_time(LARGE_INTEGER t)
{
	return (t.QuadPart - 116444736000000000) * 100;
}

static bool disk_describe(HANDLE handle, struct disk_file *file)
{
	BY_HANDLE_FILE_INFORMATION about;
	FILE_BASIC_INFO times;
	*file = (struct disk_file) { 0 };
	if (GetFileType(handle) != FILE_TYPE_DISK) {
		file->kind = DISK_OTHER;
		return true;
	}
	if (!GetFileInformationByHandle(handle, &about) ||
	    !GetFileInformationByHandleEx(handle, FileBasicInfo, &times, sizeof times))
		return system_fail();
	*file = (struct disk_file) {
		.kind = about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? DISK_FOLDER
									  : DISK_PLAIN,
		.size = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow,
		.written = disk_time(times.LastWriteTime),
		.changed = disk_time(times.ChangeTime),
		.device = about.dwVolumeSerialNumber,
		.number = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow,
	};
	return true;
}

/* Opens what exists. FILE_FLAG_BACKUP_SEMANTICS opens folders, too. */
static HANDLE disk_handle(const char *path, DWORD access)
{
	return CreateFileA(path, access, SHARED, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS,
			   NULL);
}

static HANDLE disk_handle_of(FILE *f)
{
	return (HANDLE)_get_osfhandle(_fileno(f));
}

/* Makes a stream of a handle, which it closes on failure. */
static FILE *disk_stream(HANDLE handle, const char *mode)
{
	int fd = _open_osfhandle((intptr_t)handle, _O_BINARY);
	if (fd < 0)
		CloseHandle(handle);
	return fd < 0 ? NULL : _fdopen(fd, mode);
}

bool disk_look(const char *path, struct disk_file *file)
{
	HANDLE handle = disk_handle(path, FILE_READ_ATTRIBUTES);
	*file = (struct disk_file) { 0 };
	if (handle == INVALID_HANDLE_VALUE)
		return system_fail();
	bool good = disk_describe(handle, file);
	CloseHandle(handle);
	return good;
}

FILE *disk_read(const char *path, struct disk_file *file, const char **reason)
{
	HANDLE handle = disk_handle(path, GENERIC_READ);
	*file = (struct disk_file) { 0 };
	*reason = NULL;
	if (handle == INVALID_HANDLE_VALUE || !disk_describe(handle, file)) {
		system_fail();
		*reason = strerror(errno);
	} else if (file->kind != DISK_PLAIN) {
		*reason = "it is not a regular file";
	}
	if (!*reason)
		return disk_stream(handle, "rb");
	if (handle != INVALID_HANDLE_VALUE)
		CloseHandle(handle);
	return NULL;
}

FILE *disk_open(const char *path, const char *mode)
{
	return fopen(path, mode);
}

char *disk_new_file(void)
{
	char folder[MAX_PATH + 1], path[MAX_PATH + 1];
	if (GetTempPathA(sizeof folder, folder) && GetTempFileNameA(folder, "yomi", 0, path))
		return xstrdup(path);
	system_fail();
	return NULL;
}

bool disk_sync(FILE *f)
{
	return fflush(f) == 0 && !ferror(f) && _commit(_fileno(f)) == 0;
}

bool disk_cut(FILE *f, uint64_t size)
{
	return fflush(f) == 0 && _chsize_s(_fileno(f), (int64_t)size) == 0;
}

/* --- folders --- */

/* The folders of a user are private already. */
bool disk_make_folder(const char *path, bool is_private)
{
	struct disk_file file;
	return CreateDirectoryA(path, NULL) || disk_look(path, &file) || system_fail();
}

bool disk_list(const char *path, void (*take)(void *arg, const char *name), void *arg)
{
	WIN32_FIND_DATAA entry;
	char *pattern = xasprintf("%s/*", path);
	HANDLE search = FindFirstFileA(pattern, &entry);
	free(pattern);
	if (search == INVALID_HANDLE_VALUE)
		return system_fail();
	do
		if (strcmp(entry.cFileName, ".") != 0 && strcmp(entry.cFileName, "..") != 0)
			take(arg, entry.cFileName);
	while (FindNextFileA(search, &entry));
	bool good = GetLastError() == ERROR_NO_MORE_FILES || system_fail();
	FindClose(search);
	return good;
}

bool disk_touch(const char *path)
{
	FILETIME now;
	HANDLE handle = disk_handle(path, FILE_WRITE_ATTRIBUTES);
	GetSystemTimeAsFileTime(&now);
	bool good = handle != INVALID_HANDLE_VALUE && SetFileTime(handle, NULL, NULL, &now);
	if (!good)
		system_fail();
	if (handle != INVALID_HANDLE_VALUE)
		CloseHandle(handle);
	return good;
}

/* --- locks --- */

/* Locks keep others from reading and writing, so they are far behind the end of any file. */
static OVERLAPPED disk_part(int part)
{
	return (OVERLAPPED) { .Offset = (DWORD)part, .OffsetHigh = 0x40000000 };
}

static bool disk_lock_handle(HANDLE handle, int part, bool waits)
{
	OVERLAPPED at = disk_part(part);
	DWORD flags = LOCKFILE_EXCLUSIVE_LOCK | (waits ? 0 : LOCKFILE_FAIL_IMMEDIATELY);
	return LockFileEx(handle, flags, 0, 1, 0, &at) || GetLastError() != ERROR_LOCK_VIOLATION;
}

bool disk_lock(FILE *f, bool waits)
{
	return disk_lock_handle(disk_handle_of(f), 0, waits);
}

bool disk_lock_part(FILE *f, int part)
{
	return disk_lock_handle(disk_handle_of(f), part, false);
}

void disk_unlock_part(FILE *f, int part)
{
	OVERLAPPED at = disk_part(part);
	UnlockFileEx(disk_handle_of(f), 0, 1, 0, &at);
}

bool disk_is_part_locked(FILE *f, int part)
{
	if (!disk_lock_part(f, part))
		return true;
	disk_unlock_part(f, part);
	return false;
}

/* --- drafts --- */

/* Returns the path of a file after symbolic links. The caller frees it. */
static char *draft_real_path(const char *path)
{
	char *found = xmalloc(PATH_BYTES);
	HANDLE handle = disk_handle(path, FILE_READ_ATTRIBUTES);
	DWORD length = handle == INVALID_HANDLE_VALUE
			       ? 0
			       : GetFinalPathNameByHandleA(handle, found, PATH_BYTES, 0);
	if (handle != INVALID_HANDLE_VALUE)
		CloseHandle(handle);
	if (length > 0 && length < PATH_BYTES)
		return xrealloc(found, length + 1);
	free(found);
	return xstrdup(path);
}

/* Opens an empty draft. Returns NULL on failure. */
static FILE *draft_create(const char *path)
{
	struct disk_file opened, named;
	for (;;) {
		HANDLE handle = CreateFileA(path, GENERIC_READ | GENERIC_WRITE | DELETE, SHARED,
					    NULL, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
		if (handle == INVALID_HANDLE_VALUE) {
			system_fail();
			return NULL;
		}
		disk_lock_handle(handle, 0, true);
		/* Who had the lock has renamed or removed what was opened. */
		bool is_named = disk_describe(handle, &opened) && disk_look(path, &named) &&
				opened.number == named.number;
		if (is_named && SetEndOfFile(handle))
			return disk_stream(handle, "wb");
		system_fail();
		CloseHandle(handle);
		if (is_named)
			return NULL;
	}
}

bool disk_draft_open(struct disk_draft *d, const char *path, const char **reason)
{
	struct disk_file old;
	*d = (struct disk_draft) { 0 };
	*reason = NULL;
	if (!disk_look(path, &old))
		*reason = errno == ENOENT ? NULL : strerror(errno);
	else if (old.kind != DISK_PLAIN)
		*reason = "it is not a regular file";
	else if (_access(path, 2) != 0)
		*reason = strerror(errno);
	if (*reason)
		return false;
	d->target = draft_real_path(path);
	d->path = xasprintf("%s" DISK_DRAFT, d->target);
	d->file = draft_create(d->path);
	if (!d->file)
		*reason = strerror(errno);
	return d->file;
}

/* Renames an open file in a way that may replace one that others read. Old systems and some file systems cannot. */
static bool draft_rename(HANDLE file, const char *to)
{
	enum { RENAME_INFO_EX = 22, REPLACE = 1, POSIX_SEMANTICS = 2 };
	int length = MultiByteToWideChar(CP_UTF8, 0, to, -1, NULL, 0); /* with the NUL */
	size_t size = sizeof(FILE_RENAME_INFO) + (size_t)length * sizeof(WCHAR);
	FILE_RENAME_INFO *info = xcalloc(1, size);
	DWORD flags = REPLACE | POSIX_SEMANTICS;
	memcpy(info, &flags, sizeof flags); /* in the place of ReplaceIfExists */
	info->FileNameLength = (DWORD)(length - 1) * sizeof(WCHAR);
	MultiByteToWideChar(CP_UTF8, 0, to, -1, info->FileName, length);
	bool done = SetFileInformationByHandle(file, (FILE_INFO_BY_HANDLE_CLASS)RENAME_INFO_EX,
					       info, (DWORD)size);
	free(info);
	return done;
}

bool disk_draft_finish(struct disk_draft *d)
{
	if (!disk_sync(d->file))
		return false;
	if (!draft_rename(disk_handle_of(d->file), d->target) &&
	    !MoveFileExA(d->path, d->target, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
		return system_fail();
	free(d->path);
	d->path = NULL;
	return true;
}

void disk_draft_close(struct disk_draft *d)
{
	/* It is removed while its lock is held. */
	if (d->file && d->path)
		DeleteFileA(d->path);
	if (d->file)
		fclose(d->file);
	free(d->path);
	free(d->target);
}
