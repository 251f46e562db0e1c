import { proxyBodyLimit } from '../../../../shared/api/proxy-body-limit';
import { foldCase } from '../../../../shared/format/case-folding';
import { isSameTarget, type UploadItem } from './upload-item';

/** Maximum size in bytes of a file that is sent in a batch. */
const SMALL_FILE_BYTES = 2 ** 20;
/** Limits of one batch request. */
const BATCH_LIMITS = { files: 50, bytes: 8 * 2 ** 20 };
/** Maximum form overhead in bytes for each file: field name, file name and separators. */
const FORM_OVERHEAD_BYTES = 1200;
/** Maximum bytes of files in one request: a proxy in front may accept less. */
const maxBatchBytes = () => Math.min(BATCH_LIMITS.bytes, proxyBodyLimit.chunkSize);

/**
 * A file can be batched if it is small and isn't renamed: a retried batch could store a numbered file twice. Replaced
 * files that get the same content again don't change.
 */
const isBatchable = ({ file, onConflict, replaces, sendAlone, sent }: UploadItem) =>
  file instanceof File &&
  file.size <= Math.min(SMALL_FILE_BYTES, maxBatchBytes() - FORM_OVERHEAD_BYTES) &&
  onConflict !== 'rename' &&
  !replaces &&
  !sendAlone &&
  sent === 0;

/**
 * Returns the items to send next, in queue order: one file, or small files with the same target in one request. Files
 * of a request without a response are sent together again, because the server identifies the request by its key.
 */
export function selectNextBatch(pending: readonly UploadItem[]): readonly UploadItem[] {
  const [first] = pending;
  if (!first) return [];
  if (first.batchKey) return pending.filter(({ batchKey }) => batchKey === first.batchKey);
  if (!isBatchable(first)) return [first];
  const names = new Set<string>();
  let bytes = 0;
  const overhead = proxyBodyLimit.chunkSize === Infinity ? 0 : FORM_OVERHEAD_BYTES;
  const fits = (item: UploadItem) => {
    const name = foldCase(item.file.name);
    const isEligible =
      isBatchable(item) &&
      !item.batchKey &&
      item.onConflict === first.onConflict &&
      isSameTarget(item.target, first.target) &&
      !names.has(name);
    if (!isEligible || names.size === BATCH_LIMITS.files || bytes + item.file.size + overhead > maxBatchBytes())
      return false;
    names.add(name);
    bytes += item.file.size + overhead;
    return true;
  };
  return pending.filter(fits);
}
