import { frontLimit } from '../../../../shared/api/front-limit';
import { foldCase } from '../../../../shared/format/fold';
import { isSameTarget, type UploadItem } from './upload-item';

/** Bytes up to which a file goes together with others. */
const small = 2 ** 20;
/** What one request with several files holds at most. */
const most = { files: 50, bytes: 8 * 2 ** 20 };
/** Bytes of a form around each of its files, at most: the names of the field and of the file, and their separators. */
const aroundFile = 1200;
/** Bytes of files in one request: a proxy in front may accept less. */
const mostBytes = () => Math.min(most.bytes, frontLimit.piece);

/** Goes with others when it is small and takes no other name: a name with a number would be given twice when sent twice. */
const isSmall = ({ file, rename, alone, sent }: UploadItem) =>
  file instanceof File && file.size <= Math.min(small, mostBytes() - aroundFile) && !rename && !alone && sent === 0;

/**
 * What is sent next, from what waits in its order: one file, or small ones of one target in one request. Those whose
 * request was lost go together again, as the server knows them by it.
 */
export function nextUnit(waiting: readonly UploadItem[]): readonly UploadItem[] {
  const [first] = waiting;
  if (!first) return [];
  if (first.batch) return waiting.filter(({ batch }) => batch === first.batch);
  if (!isSmall(first)) return [first];
  const names = new Set<string>();
  let bytes = 0;
  const around = frontLimit.piece === Infinity ? 0 : aroundFile;
  const fits = (item: UploadItem) => {
    const name = foldCase(item.file.name);
    const isIn = isSmall(item) && !item.batch && isSameTarget(item.target, first.target) && !names.has(name);
    if (!isIn || names.size === most.files || bytes + item.file.size + around > mostBytes()) return false;
    names.add(name);
    bytes += item.file.size + around;
    return true;
  };
  return waiting.filter(fits);
}
