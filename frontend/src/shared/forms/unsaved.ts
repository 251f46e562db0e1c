import { useEffect, useId } from 'react';

type Standing = () => boolean;

const forms = new Map<string, Standing>();

/** What stands in the forms of this page and was not saved. */
export const unsaved = {
  /** Whether something would be lost by leaving. */
  any: (): boolean => [...forms.values()].some((isUnsaved) => isUnsaved()),
  /** Forgets what stands there now: its author has let it go. */
  letGo: (): void => forms.clear(),
};

/**
 * Has the page ask before it is left while the form holds what was not saved.
 * @param isUnsaved asked at the moment of leaving, so it may read what is newer than the last drawing
 */
export function useUnsaved(isUnsaved: Standing): void {
  const id = useId();
  useEffect(() => {
    forms.set(id, isUnsaved);
    return () => void forms.delete(id);
  }, [id, isUnsaved]);
}
