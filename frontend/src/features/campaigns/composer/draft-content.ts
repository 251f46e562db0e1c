import type { Schema } from '../../../shared/api/client';
import type { Audience, Campaign } from '../api/use-campaigns';
import { isBlankHtml, findMergeFieldError } from './editor/merge-fields';

/** The content of a campaign being edited. */
export interface DraftContent {
  /** Empty until a zone is chosen. */
  zoneId: string;
  name: string;
  targetAudience: Audience;
  subject: string;
  htmlContent: string;
  trackingEnabled: boolean;
}

export const emptyDraft: DraftContent = {
  zoneId: '',
  name: '',
  subject: '',
  htmlContent: '',
  targetAudience: 'all',
  trackingEnabled: true,
};

export function draftContentOf(campaign: Campaign): DraftContent {
  const { zoneId, name, targetAudience, subject, htmlContent, trackingEnabled } = campaign;
  return { zoneId: String(zoneId), name, targetAudience, subject, htmlContent, trackingEnabled };
}

export const isSameContent = (a: DraftContent, b: DraftContent): boolean =>
  (Object.keys(emptyDraft) as (keyof DraftContent)[]).every((key) => a[key] === b[key]);

/** Whether the server accepts it as a draft. */
export const isSavableDraft = ({ zoneId, subject, htmlContent }: DraftContent): boolean =>
  Boolean(zoneId && subject.trim()) &&
  !isBlankHtml(htmlContent) &&
  !findMergeFieldError(htmlContent) &&
  !findMergeFieldError(subject);

/** Returns the request body; the server names a campaign without a name after its subject. */
export function toRequestBody({ zoneId, name, ...rest }: DraftContent): Schema<'CreateCampaignDto'> {
  const trimmedName = name.trim();
  return { ...rest, subject: rest.subject.trim(), zoneId: Number(zoneId), ...(trimmedName && { name: trimmedName }) };
}

export type RequiredField = 'zone' | 'name' | 'subject' | 'content';

/** Returns the required fields that are empty, in form order. */
export function findMissingFields({ zoneId, name, subject, htmlContent }: DraftContent): RequiredField[] {
  const empty: [RequiredField, boolean][] = [
    ['zone', !zoneId],
    ['name', !name.trim()],
    ['subject', !subject.trim()],
    ['content', isBlankHtml(htmlContent)],
  ];
  return empty.filter(([, isEmpty]) => isEmpty).map(([field]) => field);
}
