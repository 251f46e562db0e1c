import { useEffect, useId } from 'react';

type Standing = () => boolean;

const forms = new Map<string, { isUnsaved: Standing; letGo: (() => void) | undefined }>();

/** What stands in the forms of this page and was not saved. */
export const unsaved = {
  /** Whether something would be lost by leaving. */
  any: (): boolean => [...forms.values()].some(({ isUnsaved }) => isUnsaved()),
  /** Forgets what stands there now: its author has let it go. */
  letGo: (): void => {
    forms.forEach(({ letGo }) => letGo?.());
    forms.clear();
  },
};

/**
 * Has the page ask before it is left while the form holds what was not saved.
 * @param isUnsaved asked at the moment of leaving, so it may read what is newer than the last drawing
 * @param letGo told when its author has let it go
 */
export function useUnsaved(isUnsaved: Standing, letGo?: () => void): void {
  const id = useId();
  useEffect(() => {
    forms.set(id, { isUnsaved, letGo });
    return () => void forms.delete(id);
  }, [id, isUnsaved, letGo]);
}
