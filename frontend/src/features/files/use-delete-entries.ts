import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/hooks/use-format';
import { toast } from '../../shared/toast/toast-store';
import { useAnnounceOutcome } from '../../shared/toast/use-announce-outcome';
import { useDelete, useRestoreDeletion } from './api/use-file-mutations';
import { abilitiesOf, isReadOnly, type Entry } from './entries';

/** Deletes without confirmation and offers to undo it; shows an error inside a mirror. */
export function useDeleteEntries(zoneId: number, canManage: boolean) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const announce = useAnnounceOutcome();
  const { mutateAsync: deleteEntries } = useDelete(zoneId, canManage);
  const { mutateAsync: restoreDeletion } = useRestoreDeletion(zoneId);

  const showReadOnlyError = useCallback(() => {
    if (canManage) toast.error(t('mirror.notAllowed'), t('mirror.notAllowedText'));
  }, [canManage, t]);

  const undo = useCallback(
    (trashId: string) =>
      announce(restoreDeletion(trashId), {
        onSuccess: () => toast.success(t('deletion.undone')),
        failureTitle: t('deletion.undoFailed'),
      }),
    [restoreDeletion, announce, t],
  );

  const remove = useCallback(
    (entries: readonly Entry[]) => {
      const removable = entries.filter((entry) => abilitiesOf(entry).delete);
      const [first] = removable;
      if (!first) {
        if (entries.some(isReadOnly)) showReadOnlyError();
        return;
      }
      const count = removable.length;
      const kind = count > 1 ? 'several' : first.kind;
      void announce(deleteEntries(removable), {
        onSuccess: (trashId) =>
          toast.show({
            tone: 'success',
            title: t(`deletion.${kind}Done`, { count, formatted: format.number(count) }),
            undo: trashId === null ? undefined : () => void undo(trashId),
          }),
        failureTitle: t(`deletion.${kind}Failed`),
      });
    },
    [deleteEntries, undo, showReadOnlyError, announce, format, t],
  );

  return { showReadOnlyError, remove };
}
