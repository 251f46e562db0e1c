import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { useMove } from '../api/use-file-mutations';
import { abilitiesOf, isReadOnly, type Entry } from '../entries';
import { groupByParentId, parentIdOf, type MoveTarget } from './folder-tree';

/** The names that are taken in the target folder. */
export interface NameConflict {
  names: readonly string[];
  target: MoveTarget;
  entries: readonly Entry[];
}

/**
 * Moves entries without confirmation and offers to undo it; entries that can't be moved are left out. Shows an error
 * inside a mirror. If names are taken in the target, `conflict` asks what to do.
 */
export function useMoveEntries(zoneId: number, showReadOnlyError: () => void) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const errorText = useErrorText();
  const { mutateAsync: moveAsync } = useMove(zoneId);
  const [conflict, setConflict] = useState<NameConflict | null>(null);
  const dismissConflict = useCallback(() => setConflict(null), []);

  const undo = useCallback(
    async (entries: readonly Entry[]) => {
      try {
        for (const [targetFolderId, group] of groupByParentId(entries))
          await moveAsync({ entries: group, targetFolderId });
        toast.success(t('moving.undone'));
      } catch (error) {
        toast.error(t('moving.undoFailed'), errorText(error));
      }
    },
    [moveAsync, errorText, t],
  );

  const move = useCallback(
    (entries: readonly Entry[], target: MoveTarget, onConflict?: 'rename') => {
      const movable = entries.filter((entry) => abilitiesOf(entry).move && parentIdOf(entry) !== target.id);
      const [first] = movable;
      if (!first) {
        if (entries.some(isReadOnly)) showReadOnlyError();
        return;
      }
      const count = movable.length;
      const kind = count > 1 ? 'several' : first.kind;
      // Not in the mutation's callbacks: they don't run if the component unmounts in the meantime, and the toast must
      // be shown anyway.
      moveAsync({ entries: movable, targetFolderId: target.id, onConflict }).then(
        () =>
          toast.show({
            tone: 'success',
            title: t(`moving.${kind}Done`, { count, formatted: format.number(count), place: target.name }),
            undo: () => void undo(movable),
          }),
        (error: unknown) => {
          const names = hasCode(error, 'DUPLICATE_NAMES') ? conflictingNames(error.body) : [];
          if (names.length === 0) return toast.error(t(`moving.${kind}Failed`), errorText(error));
          setConflict({ names, target, entries: movable });
        },
      );
    },
    [moveAsync, undo, showReadOnlyError, errorText, format, t],
  );

  const moveWithRename = () => {
    setConflict(null);
    if (conflict) move(conflict.entries, conflict.target, 'rename');
  };
  return { move, conflict, dismissConflict, moveWithRename };
}

const conflictingNames = ({ names }: Record<string, unknown>) =>
  Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
