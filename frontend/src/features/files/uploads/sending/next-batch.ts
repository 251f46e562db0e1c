import { proxyBodyLimit } from '../../../../shared/api/proxy-body-limit';
import { foldCase } from '../../../../shared/format/case-folding';
import { isSameTarget, type UploadItem } from './upload-item';

/** Bytes up to which a file goes together with others. */
const SMALL_FILE_BYTES = 2 ** 20;
/** What one request with several files holds at most. */
const BATCH_LIMITS = { files: 50, bytes: 8 * 2 ** 20 };
/** Bytes of a form around each of its files, at most: the names of the field and of the file, and their separators. */
const FORM_OVERHEAD_BYTES = 1200;
/** Bytes of files in one request: a proxy in front may accept less. */
const maxBatchBytes = () => Math.min(BATCH_LIMITS.bytes, proxyBodyLimit.chunkSize);

/** Goes with others when it is small and takes no other name: a name with a number would be given twice when sent twice. */
const isBatchable = ({ file, rename, sendAlone, sent }: UploadItem) =>
  file instanceof File &&
  file.size <= Math.min(SMALL_FILE_BYTES, maxBatchBytes() - FORM_OVERHEAD_BYTES) &&
  !rename &&
  !sendAlone &&
  sent === 0;

/**
 * What is sent next, from what waits in its order: one file, or small ones of one target in one request. Those whose
 * request was lost go together again, as the server knows them by it.
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
      isBatchable(item) && !item.batchKey && isSameTarget(item.target, first.target) && !names.has(name);
    if (!isEligible || names.size === BATCH_LIMITS.files || bytes + item.file.size + overhead > maxBatchBytes())
      return false;
    names.add(name);
    bytes += item.file.size + overhead;
    return true;
  };
  return pending.filter(fits);
}
