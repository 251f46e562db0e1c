import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { BatchWriter } from './batch-writer.js';
import { withStorageErrors } from './local-disk.js';
import { storageErrors } from '../storage.errors.js';
import type { WriteOptions, WriteResult } from '../storage.js';

/**
 * Writes a source into a new file and flushes it. While one batch is written, the next is buffered and hashed; a source
 * that is faster than the disk has to wait.
 * @throws OBJECT_TOO_LARGE, STORAGE_UNAVAILABLE, and whatever the source throws
 */
export async function writeDraft(
  handle: FileHandle,
  source: AsyncIterable<Uint8Array>,
  { maxBytes = Infinity, onProgress }: WriteOptions,
): Promise<WriteResult> {
  const hash = createHash('sha256');
  const batches = new BatchWriter(handle);
  let size = 0;
  try {
    for await (const chunk of source) {
      size += chunk.byteLength;
      if (size > maxBytes) throw storageErrors.OBJECT_TOO_LARGE();
      hash.update(chunk);
      await batches.add(chunk);
      onProgress?.(size);
    }
    await batches.end();
  } catch (error) {
    await batches.waitForWrites();
    throw error;
  }
  await withStorageErrors(() => handle.sync());
  return { size, sha256: hash.digest('hex') };
}
