import { useCallback } from 'react';
import { startDownload, submitDownload } from '../../../shared/files/download';
import { useHandleDownloadError } from '../../../shared/files/use-handle-download-error';
import type { Entry } from '../entries';
import { downloadUrl } from '../../../shared/files/preview-kind';

/** Whether an entry is included in a download of several entries. Folders may turn out to have nothing to download. */
export const isDownloadable = (entry: Entry) => entry.kind === 'folder' || entry.file.can.download;

/** Downloads entries of a zone: a single file as it is, everything else as one ZIP file. */
export function useDownload(zoneId: number) {
  const onRejected = useHandleDownloadError();
  return useCallback(
    (entries: readonly Entry[]) => {
      const downloadable = entries.filter(isDownloadable);
      const [first] = downloadable;
      if (!first) return;
      if (downloadable.length === 1 && first.kind === 'file') return startDownload(downloadUrl(first.file), onRejected);
      const fields = {
        fileIds: downloadable.flatMap((entry) => (entry.kind === 'file' ? entry.file.id : [])).join(),
        folderIds: downloadable.flatMap((entry) => (entry.kind === 'folder' ? entry.folder.id : [])).join(),
      };
      submitDownload(`/api/zones/${zoneId}/download`, fields, onRejected);
    },
    [zoneId, onRejected],
  );
}
