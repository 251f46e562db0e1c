import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import type { Entry } from '../entries';
import { downloadAddress } from '../preview/preview-kind';
import { postDownload } from './post-download';

/** True for what is in the download of several things; folders may turn out to hold nothing that is. */
export const isDownloadable = (entry: Entry) => entry.kind === 'folder' || entry.file.can.download;

/** Downloads things of a zone: a single file as it is, all else as one archive. */
export function useDownload(zoneId: number) {
  const { t } = useTranslation('files');
  const errorText = useErrorText();
  return useCallback(
    (entries: readonly Entry[]) => {
      const chosen = entries.filter(isDownloadable);
      const [first] = chosen;
      if (!first) return;
      if (chosen.length === 1 && first.kind === 'file') return follow(downloadAddress(first.file));
      const fields = {
        fileIds: chosen.flatMap((entry) => (entry.kind === 'file' ? entry.file.id : [])).join(),
        folderIds: chosen.flatMap((entry) => (entry.kind === 'folder' ? entry.folder.id : [])).join(),
      };
      postDownload(`/api/zones/${zoneId}/download`, fields, (error) =>
        toast.error(t('downloading.failed'), errorText(error)),
      );
    },
    [zoneId, errorText, t],
  );
}

function follow(address: string): void {
  const link = document.createElement('a');
  Object.assign(link, { href: address, download: '' });
  link.click();
}
