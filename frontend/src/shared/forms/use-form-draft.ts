import { useCallback, useState } from 'react';
import { formDraftStorage } from './form-draft-storage';

type Values = Record<string, string | boolean>;

/** What the tab stores of a form until it is saved. */
export interface FormDraftOptions<V> {
  /** The form and the item it edits, such as `zone.7.texts`. */
  key: string;
  /** Fields to store. Never a password, a key or a token. */
  fields: readonly (keyof V & string)[];
  /** The draft replaces a saved value, which may have changed by the time of a reload. */
  replacesSaved?: boolean;
}

interface StoredDraft {
  words: Values;
  /** The saved values the draft was based on. */
  over: Values;
}

/** `newer` if the saved values have changed since the draft was written. */
export type RestoredDraft = 'same' | 'newer' | null;

/** Restores a form's draft after a reload and stores it from then on. Returns the initial values. */
export function useFormDraft<V extends Values>(options: FormDraftOptions<V> | undefined, initial: V) {
  const [loadedDraft] = useState(() => loadDraft(options, initial));
  const key = options?.key;
  const fields = options?.fields.join(' ');

  /** Stores the fields that differ from the saved values. */
  const saveDraft = useCallback(
    (values: V, saved: V) => {
      if (key === undefined || fields === undefined) return;
      const changedFields = fields.split(' ').filter((field) => values[field] !== saved[field]);
      if (changedFields.length === 0) return formDraftStorage.remove(key);
      const pick = (from: V) => Object.fromEntries(changedFields.map((field) => [field, from[field]!]));
      formDraftStorage.set(key, { words: pick(values), over: pick(saved) } satisfies StoredDraft);
    },
    [key, fields],
  );
  const clearDraft = useCallback(() => {
    if (key !== undefined) formDraftStorage.remove(key);
  }, [key]);
  return { ...loadedDraft, saveDraft, clearDraft };
}

function loadDraft<V extends Values>(
  options: FormDraftOptions<V> | undefined,
  initial: V,
): { initialValues: V; restoredDraft: RestoredDraft } {
  const storedDraft = options && (formDraftStorage.get(options.key) as Partial<StoredDraft> | null);
  const hasSameType = (field: keyof V & string) => typeof storedDraft?.words?.[field] === typeof initial[field];
  const restoredFields =
    options?.fields.filter((field) => hasSameType(field) && storedDraft?.words?.[field] !== initial[field]) ?? [];
  if (!options || restoredFields.length === 0) return { initialValues: initial, restoredDraft: null };
  const hasSavedValueChanged =
    options.replacesSaved === true && restoredFields.some((field) => storedDraft?.over?.[field] !== initial[field]);
  const restoredValues = Object.fromEntries(restoredFields.map((field) => [field, storedDraft!.words![field]]));
  return { initialValues: { ...initial, ...restoredValues }, restoredDraft: hasSavedValueChanged ? 'newer' : 'same' };
}
