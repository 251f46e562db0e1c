import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { useRestoreTrashEntries, usePurgeTrash, type TrashEntry } from './use-trash';

/** Restores immediately; asks for confirmation before permanent deletion (`purgeTarget`). */
export function useTrashActions(zoneId: number) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const errorText = useErrorText();
  const restoreEntries = useRestoreTrashEntries(zoneId);
  const purgeEntries = usePurgeTrash(zoneId);
  const [purgeTarget, setPurgeTarget] = useState<readonly TrashEntry[] | 'all' | null>(null);

  const restore = (entries: readonly TrashEntry[]) =>
    restoreEntries.mutate(entries, {
      onSuccess: (restored) => {
        const count = restored.length;
        const [first] = restored;
        if (count > 1 || !first) toast.success(t('trash.restored', { count, formatted: format.number(count) }));
        else toast.success(t('trash.restoredOne', { name: first.name }));
      },
      onError: (error) => toast.error(t('trash.restoreFailed'), errorText(error)),
    });

  const purge = () => {
    if (purgeTarget === null) return;
    purgeEntries.mutate(purgeTarget, {
      onSuccess: ({ bytes }) => toast.success(t('trash.purged'), t('trash.freed', { size: format.size(bytes) })),
      onError: (error) => toast.error(t('trash.purgeFailed'), errorText(error)),
      onSettled: () => setPurgeTarget(null),
    });
  };

  return {
    restore,
    purgeTarget,
    requestPurge: setPurgeTarget,
    purge,
    cancelPurge: () => setPurgeTarget(null),
    isPurging: purgeEntries.isPending,
  };
}
