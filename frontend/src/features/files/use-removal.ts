import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useFormat } from '../../shared/hooks/use-format';
import { toast } from '../../shared/toast/toast-store';
import { useDelete, useRestore } from './api/use-file-changes';
import { abilitiesOf, isReadOnly, type Entry } from './entries';

/** Deletes without a question, and offers to take it back; inside a mirror it is refused. */
export function useRemoval(zoneId: number, manages: boolean) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const errorText = useErrorText();
  const { mutate: put } = useDelete(zoneId);
  const { mutate: bringBack } = useRestore(zoneId);

  const refuse = useCallback(() => {
    if (manages) toast.error(t('mirror.refused'), t('mirror.refusedText'));
  }, [manages, t]);

  const undo = useCallback(
    (trashId: string) =>
      bringBack(trashId, {
        onSuccess: () => toast.success(t('deletion.undone')),
        onError: (error) => toast.error(t('deletion.undoFailed'), errorText(error)),
      }),
    [bringBack, errorText, t],
  );

  const remove = useCallback(
    (entries: readonly Entry[]) => {
      const removable = entries.filter((entry) => abilitiesOf(entry).delete);
      const [first] = removable;
      if (!first) {
        if (entries.some(isReadOnly)) refuse();
        return;
      }
      const count = removable.length;
      const kind = count > 1 ? 'several' : first.kind;
      put(removable, {
        onSuccess: (trashId) =>
          toast.show({
            tone: 'success',
            title: t(`deletion.${kind}Done`, { count, formatted: format.number(count) }),
            undo: trashId === null ? undefined : () => undo(trashId),
          }),
        onError: (error) => toast.error(t(`deletion.${kind}Failed`), errorText(error)),
      });
    },
    [put, undo, refuse, errorText, format, t],
  );

  return { refuse, remove };
}
