import type { Schema } from '../../../shared/api/client';
import type { Audience, Campaign } from '../api/use-campaigns';
import { isBlank, mergeFault } from './editor/merge-fields';

/** A campaign as it is being written. */
export interface Wording {
  /** Empty until a zone is chosen. */
  zoneId: string;
  name: string;
  targetAudience: Audience;
  subject: string;
  htmlContent: string;
  trackingEnabled: boolean;
}

export const blank: Wording = {
  ...{ zoneId: '', name: '', subject: '', htmlContent: '' },
  targetAudience: 'all',
  trackingEnabled: true,
};

export function wordingOf(campaign: Campaign): Wording {
  const { zoneId, name, targetAudience, subject, htmlContent, trackingEnabled } = campaign;
  return { zoneId: String(zoneId), name, targetAudience, subject, htmlContent, trackingEnabled };
}

export const same = (one: Wording, other: Wording): boolean =>
  (Object.keys(blank) as (keyof Wording)[]).every((key) => one[key] === other[key]);

/** Whether the server takes it as a draft. */
export const canBeDraft = ({ zoneId, subject, htmlContent }: Wording): boolean =>
  Boolean(zoneId && subject.trim()) && !isBlank(htmlContent) && !mergeFault(htmlContent) && !mergeFault(subject);

/** What is sent to the server; a campaign without a name is named by its subject there. */
export function bodyOf({ zoneId, name, ...rest }: Wording): Schema<'CreateCampaignDto'> {
  const named = name.trim();
  return { ...rest, subject: rest.subject.trim(), zoneId: Number(zoneId), ...(named && { name: named }) };
}

export type Missing = 'zone' | 'name' | 'subject' | 'content';

/** The required fields that are empty, in the order of the form. */
export function missingIn({ zoneId, name, subject, htmlContent }: Wording): Missing[] {
  const empty: [Missing, boolean][] = [
    ['zone', !zoneId],
    ['name', !name.trim()],
    ['subject', !subject.trim()],
    ['content', isBlank(htmlContent)],
  ];
  return empty.filter(([, isEmpty]) => isEmpty).map(([field]) => field);
}
