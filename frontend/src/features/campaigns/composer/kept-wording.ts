import { keptWords } from '../../../shared/forms/kept-words';
import { blank, type Wording } from './wording';

interface Kept {
  wording: Wording;
  /** When the draft that was changed had been saved; null for a new one. */
  base: string | null;
}

const name = (id: number | null) => `campaign.${id ?? 'new'}`;

/** What has been written and is not at the server yet, kept in this tab over a reload. */
export const keptWording = {
  get(id: number | null): Kept | null {
    const kept = keptWords.get(name(id)) as Kept | null;
    return kept && { base: kept.base, wording: { ...blank, ...kept.wording } };
  },
  set: (id: number | null, kept: Kept): void => keptWords.set(name(id), kept),
  remove: (id: number | null): void => keptWords.remove(name(id)),
};
