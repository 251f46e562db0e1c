import { useCallback } from 'react';
import { getDownload, postDownload } from '../../../shared/files/download';
import { useRefusedDownload } from '../../../shared/files/use-refused-download';
import type { Entry } from '../entries';
import { downloadAddress } from '../../../shared/files/preview-kind';

/** True for what is in the download of several things; folders may turn out to hold nothing that is. */
export const isDownloadable = (entry: Entry) => entry.kind === 'folder' || entry.file.can.download;

/** Downloads things of a zone: a single file as it is, all else as one archive. */
export function useDownload(zoneId: number) {
  const onRefused = useRefusedDownload();
  return useCallback(
    (entries: readonly Entry[]) => {
      const chosen = entries.filter(isDownloadable);
      const [first] = chosen;
      if (!first) return;
      if (chosen.length === 1 && first.kind === 'file') return getDownload(downloadAddress(first.file), onRefused);
      const fields = {
        fileIds: chosen.flatMap((entry) => (entry.kind === 'file' ? entry.file.id : [])).join(),
        folderIds: chosen.flatMap((entry) => (entry.kind === 'folder' ? entry.folder.id : [])).join(),
      };
      postDownload(`/api/zones/${zoneId}/download`, fields, onRefused);
    },
    [zoneId, onRefused],
  );
}
