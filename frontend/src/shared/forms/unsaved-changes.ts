import { useEffect, useId } from 'react';

type UnsavedCheck = () => boolean;

const forms = new Map<string, { hasUnsavedChanges: UnsavedCheck; discard: (() => void) | undefined }>();

/** Registry of the page's forms with unsaved changes. */
export const unsavedChanges = {
  /** Whether leaving would lose input. */
  hasAny: (): boolean => [...forms.values()].some(({ hasUnsavedChanges }) => hasUnsavedChanges()),
  /** Discards all unsaved input, after the user has agreed. */
  discardAll: (): void => {
    forms.forEach(({ discard }) => discard?.());
    forms.clear();
  },
};

/**
 * Asks before the page is left while the form has unsaved changes.
 * @param hasUnsavedChanges called at the moment of leaving, so it may read state that isn't rendered yet
 * @param onDiscard called when the user discards the changes
 */
export function useUnsavedChanges(hasUnsavedChanges: UnsavedCheck, onDiscard?: () => void): void {
  const id = useId();
  useEffect(() => {
    forms.set(id, { hasUnsavedChanges, discard: onDiscard });
    return () => void forms.delete(id);
  }, [id, hasUnsavedChanges, onDiscard]);
}
