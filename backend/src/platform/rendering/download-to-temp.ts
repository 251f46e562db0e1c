import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../storage/storage.js';
import { storageErrors } from '../storage/storage.errors.js';

/**
 * Downloads a document from the storage into a file that only we can read.
 * @throws STORAGE_UNAVAILABLE; AbortError
 */
export async function downloadToTemp(
  storage: Storage,
  { objectKey, size }: { readonly objectKey: string; readonly size: number },
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const bytes = await storage.read(objectKey, { start: 0, end: size - 1 });
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(bytes, file, { signal });
  // A truncated file would be recorded as damaged permanently.
  if (file.bytesWritten < size) throw storageErrors.STORAGE_UNAVAILABLE();
}
