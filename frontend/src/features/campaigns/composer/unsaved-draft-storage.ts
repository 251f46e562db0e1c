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
    const draft = formDraftStorage.get(storageKeyOf(id)) as UnsavedDraft | null;
    return draft && { base: draft.base, wording: { ...emptyDraft, ...draft.wording } };
  },
  set: (id: number | null, draft: UnsavedDraft): void => formDraftStorage.set(storageKeyOf(id), draft),
  remove: (id: number | null): void => formDraftStorage.remove(storageKeyOf(id)),
};
