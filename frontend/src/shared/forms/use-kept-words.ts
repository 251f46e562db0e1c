import { useCallback, useState } from 'react';
import { keptWords } from './kept-words';

type Values = Record<string, string | boolean>;

/** What of a form is kept in the tab while it is not saved. */
export interface Keep<V> {
  /** The form and the thing that it is about: `zone.7.texts`. */
  as: string;
  /** The fields whose words are kept. Never a password, a key or a token. */
  fields: readonly (keyof V & string)[];
  /** They take the place of something saved, which may be another after a reload. */
  overSaved?: boolean;
}

interface Kept {
  words: Values;
  /** What they were written over. */
  over: Values;
}

/** `newer` when what the words would take the place of is not what it was as they were written. */
export type Restored = 'same' | 'newer' | null;

/** The words of a form that outlast a reload: with which values it begins, and what is kept of it from then on. */
export function useKeptWords<V extends Values>(keep: Keep<V> | undefined, initial: V) {
  const [start] = useState(() => startOf(keep, initial));
  const name = keep?.as;
  const fields = keep?.fields.join(' ');

  /** Keeps what differs from what is saved. */
  const note = useCallback(
    (values: V, saved: V) => {
      if (name === undefined || fields === undefined) return;
      const typed = fields.split(' ').filter((field) => values[field] !== saved[field]);
      if (typed.length === 0) return keptWords.remove(name);
      const pick = (from: V) => Object.fromEntries(typed.map((field) => [field, from[field]!]));
      keptWords.set(name, { words: pick(values), over: pick(saved) } satisfies Kept);
    },
    [name, fields],
  );
  const forget = useCallback(() => {
    if (name !== undefined) keptWords.remove(name);
  }, [name]);
  return { ...start, note, forget };
}

function startOf<V extends Values>(keep: Keep<V> | undefined, initial: V): { first: V; restored: Restored } {
  const kept = keep && (keptWords.get(keep.as) as Partial<Kept> | null);
  const fits = (field: keyof V & string) => typeof kept?.words?.[field] === typeof initial[field];
  const typed = keep?.fields.filter((field) => fits(field) && kept?.words?.[field] !== initial[field]) ?? [];
  if (!keep || typed.length === 0) return { first: initial, restored: null };
  const isNewer = keep.overSaved === true && typed.some((field) => kept?.over?.[field] !== initial[field]);
  const words = Object.fromEntries(typed.map((field) => [field, kept!.words![field]]));
  return { first: { ...initial, ...words }, restored: isNewer ? 'newer' : 'same' };
}
