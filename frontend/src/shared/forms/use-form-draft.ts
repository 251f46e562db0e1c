import { useCallback, useState } from 'react';
import { formDraftStorage } from './form-draft-storage';

type Values = Record<string, string | boolean>;

/** What of a form is kept in the tab while it is not saved. */
export interface FormDraftOptions<V> {
  /** The form and the thing that it is about: `zone.7.texts`. */
  key: string;
  /** The fields whose words are kept. Never a password, a key or a token. */
  fields: readonly (keyof V & string)[];
  /** They take the place of something saved, which may be another after a reload. */
  replacesSaved?: boolean;
}

interface StoredDraft {
  words: Values;
  /** What they were written over. */
  over: Values;
}

/** `newer` when what the words would take the place of is not what it was as they were written. */
export type RestoredDraft = 'same' | 'newer' | null;

/** The words of a form that outlast a reload: with which values it begins, and what is kept of it from then on. */
export function useFormDraft<V extends Values>(options: FormDraftOptions<V> | undefined, initial: V) {
  const [loadedDraft] = useState(() => loadDraft(options, initial));
  const key = options?.key;
  const fields = options?.fields.join(' ');

  /** Keeps what differs from what is saved. */
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
