/**
 * The files of a backup. {@link io.polytable.store.backup.BackupFiles} is the list of them with lengths and checksums,
 * {@link io.polytable.store.backup.FileTransfer} brings them into the backup, by hard links where it can, and
 * {@link io.polytable.store.backup.Attachments} are the files outside the store that rows of the store name.
 */
@NullMarked
package io.polytable.store.backup;

import org.jspecify.annotations.NullMarked;
