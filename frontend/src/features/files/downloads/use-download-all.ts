import { submitDownload } from '../../../shared/files/download';
import { useHandleDownloadError } from '../../../shared/files/use-handle-download-error';
import type { Entry } from '../entries';
import { isDownloadable } from './use-download';

interface Options {
  zoneId: number;
  /** null for the whole zone. */
  folderId: number | null;
  entries: readonly Entry[];
}

/**
 * Returns a function that downloads a whole zone or folder as one ZIP file; undefined if nothing in it can be
 * downloaded.
 */
export function useDownloadAll({ zoneId, folderId, entries }: Options): (() => void) | undefined {
  const onRejected = useHandleDownloadError();
  if (!entries.some(isDownloadable)) return undefined;
  return () => {
    const fields: Record<string, string> = folderId === null ? { all: 'true' } : { folderIds: String(folderId) };
    submitDownload(`/api/zones/${zoneId}/download`, fields, onRejected);
  };
}
