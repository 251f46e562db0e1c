import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { readerUrl } from '../../shared/files/reader-navigation';
import { toast } from '../../shared/toast/toast-store';
import type { Entry } from './entries';

/**
 * Returns a function that copies the address of a folder or file in a zone. People who open it sign in first, and only
 * members of the zone get further.
 */
export function useCopyLink(zoneId: number): (entry: Entry) => void {
  const { t } = useTranslation('files');
  return useCallback(
    (entry) => {
      const path =
        entry.kind === 'folder' ? `/zones/${zoneId}/folders/${entry.folder.id}` : readerUrl(zoneId, entry.file.id);
      const url = location.origin + path;
      // Without a secure context there is no clipboard.
      Promise.resolve()
        .then(() => navigator.clipboard.writeText(url))
        .then(
          () => toast.success(t('link.copied'), t('link.copiedText')),
          () => toast.error(t('link.failed'), url),
        );
    },
    [zoneId, t],
  );
}
