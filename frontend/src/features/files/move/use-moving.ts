import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { useMove } from '../api/use-file-changes';
import { abilitiesOf, isReadOnly, type Entry } from '../entries';
import { byParent, parentOf, type Place } from './folder-tree';

/** Names that are taken where things were to be moved. */
export interface NameClash {
  names: readonly string[];
  place: Place;
  entries: readonly Entry[];
}

/**
 * Moves things without a question, and offers to take it back; what cannot be moved stays. Inside a mirror it is
 * refused. Names that are taken where it goes are asked about: `clash`.
 */
export function useMoving(zoneId: number, refuse: () => void) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const errorText = useErrorText();
  const { mutateAsync: put } = useMove(zoneId);
  const [clash, setClash] = useState<NameClash | null>(null);
  const dropClash = useCallback(() => setClash(null), []);

  const undo = useCallback(
    async (entries: readonly Entry[]) => {
      try {
        for (const [targetFolderId, group] of byParent(entries)) await put({ entries: group, targetFolderId });
        toast.success(t('moving.undone'));
      } catch (error) {
        toast.error(t('moving.undoFailed'), errorText(error));
      }
    },
    [put, errorText, t],
  );

  const move = useCallback(
    (entries: readonly Entry[], place: Place, onConflict?: 'rename') => {
      const movable = entries.filter((entry) => abilitiesOf(entry).move && parentOf(entry) !== place.id);
      const [first] = movable;
      if (!first) {
        if (entries.some(isReadOnly)) refuse();
        return;
      }
      const count = movable.length;
      const kind = count > 1 ? 'several' : first.kind;
      // Told also when one has gone elsewhere meanwhile, so not by the callbacks of the page that asked.
      put({ entries: movable, targetFolderId: place.id, onConflict }).then(
        () =>
          toast.show({
            tone: 'success',
            title: t(`moving.${kind}Done`, { count, formatted: format.number(count), place: place.name }),
            undo: () => void undo(movable),
          }),
        (error: unknown) => {
          const names = hasCode(error, 'DUPLICATE_NAMES') ? namesIn(error.body) : [];
          if (names.length === 0) return toast.error(t(`moving.${kind}Failed`), errorText(error));
          setClash({ names, place, entries: movable });
        },
      );
    },
    [put, undo, refuse, errorText, format, t],
  );

  const renameClash = () => {
    setClash(null);
    if (clash) move(clash.entries, clash.place, 'rename');
  };
  return { move, clash, dropClash, renameClash };
}

const namesIn = ({ names }: Record<string, unknown>) =>
  Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
