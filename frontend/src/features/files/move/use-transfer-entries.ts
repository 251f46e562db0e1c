import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { useTransfer, useUndoTransfer } from '../api/use-file-mutations';
import { abilitiesOf, type Entry } from '../entries';
import type { ZoneTarget } from './folder-tree';

/** Copies entries, or moves them to another zone, and offers to undo it. Taken names get a number. */
export function useTransferEntries(zoneId: number) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const errorText = useErrorText();
  const { mutateAsync: transferAsync } = useTransfer(zoneId);
  const { mutateAsync: undoAsync } = useUndoTransfer();

  const undo = useCallback(
    (undoId: string) =>
      undoAsync(undoId).then(
        () => toast.success(t('transfer.undone')),
        (error: unknown) => toast.error(t('transfer.undoFailed'), errorText(error)),
      ),
    [undoAsync, errorText, t],
  );

  return useCallback(
    (action: 'move' | 'copy', entries: readonly Entry[], target: ZoneTarget) => {
      const placeable = entries.filter((entry) => abilitiesOf(entry).move);
      if (placeable.length === 0) return;
      const count = placeable.length;
      // Not in the mutation's callbacks: they don't run if the component unmounts in the meantime.
      transferAsync({ action, entries: placeable, target }).then(
        (undoId) =>
          toast.show({
            tone: 'success',
            title: t(`transfer.${action}Done`, { count, formatted: format.number(count), place: target.name }),
            undo: undoId === null ? undefined : () => void undo(undoId),
          }),
        (error: unknown) => toast.error(t(`transfer.${action}Failed`), errorText(error)),
      );
    },
    [transferAsync, undo, errorText, format, t],
  );
}
