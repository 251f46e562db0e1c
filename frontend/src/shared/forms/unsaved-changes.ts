import { useEffect, useId } from 'react';

type UnsavedCheck = () => boolean;

const forms = new Map<string, { hasUnsavedChanges: UnsavedCheck; discard: (() => void) | undefined }>();

/** What stands in the forms of this page and was not saved. */
export const unsavedChanges = {
  /** Whether something would be lost by leaving. */
  hasAny: (): boolean => [...forms.values()].some(({ hasUnsavedChanges }) => hasUnsavedChanges()),
  /** Forgets what stands there now: its author has let it go. */
  discardAll: (): void => {
    forms.forEach(({ discard }) => discard?.());
    forms.clear();
  },
};

/**
 * Has the page ask before it is left while the form holds what was not saved.
 * @param isUnsaved asked at the moment of leaving, so it may read what is newer than the last drawing
 * @param letGo told when its author has let it go
 */
export function useUnsavedChanges(hasUnsavedChanges: UnsavedCheck, onDiscard?: () => void): void {
  const id = useId();
  useEffect(() => {
    forms.set(id, { hasUnsavedChanges, discard: onDiscard });
    return () => void forms.delete(id);
  }, [id, hasUnsavedChanges, onDiscard]);
}
