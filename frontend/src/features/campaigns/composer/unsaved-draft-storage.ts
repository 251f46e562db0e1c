import { formDraftStorage } from '../../../shared/forms/form-draft-storage';
import { emptyDraft, type DraftContent } from './draft-content';

interface UnsavedDraft {
  /** The name of this field is part of the stored format. */
  wording: DraftContent;
  /** `updatedAt` of the saved draft that was edited; null for a new one. */
  base: string | null;
}

const storageKeyOf = (id: number | null) => `campaign.${id ?? 'new'}`;

/** Keeps unsaved changes in this tab across reloads. */
export const unsavedDraftStorage = {
  get(id: number | null): UnsavedDraft | null {
    const kept = formDraftStorage.get(storageKeyOf(id)) as UnsavedDraft | null;
    return kept && { base: kept.base, wording: { ...emptyDraft, ...kept.wording } };
  },
  set: (id: number | null, kept: UnsavedDraft): void => formDraftStorage.set(storageKeyOf(id), kept),
  remove: (id: number | null): void => formDraftStorage.remove(storageKeyOf(id)),
};
