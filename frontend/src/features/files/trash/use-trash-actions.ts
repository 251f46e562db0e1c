import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { useAnnounceOutcome } from '../../../shared/toast/use-announce-outcome';
import { useRestoreTrashEntries, usePurgeTrash, type TrashEntry } from './use-trash';

/** Restores immediately; asks for confirmation before permanent deletion (`purgeTarget`). */
export function useTrashActions(zoneId: number) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const announce = useAnnounceOutcome();
  const restoreEntries = useRestoreTrashEntries(zoneId);
  const purgeEntries = usePurgeTrash(zoneId);
  const [purgeTarget, setPurgeTarget] = useState<readonly TrashEntry[] | 'all' | null>(null);

  const restore = (entries: readonly TrashEntry[]) =>
    void announce(restoreEntries.mutateAsync(entries), {
      onSuccess: (restored) => {
        const count = restored.length;
        const [first] = restored;
        if (count > 1 || !first) toast.success(t('trash.restored', { count, formatted: format.number(count) }));
        else toast.success(t('trash.restoredOne', { name: first.name }));
      },
      failureTitle: t('trash.restoreFailed'),
    });

  const purge = async () => {
    if (purgeTarget === null) return;
    await announce(purgeEntries.mutateAsync(purgeTarget), {
      onSuccess: ({ bytes }) => toast.success(t('trash.purged'), t('trash.freed', { size: format.size(bytes) })),
      failureTitle: t('trash.purgeFailed'),
    });
    setPurgeTarget(null);
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
