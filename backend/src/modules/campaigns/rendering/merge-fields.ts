import type { Sentence } from '../../../platform/errors/app-error.js';

/** What an owner can have filled in, written `{{first_name}}`, or with a fall-back `{{first_name|friend}}`. */
export const mergeFields = [
  'first_name',
  'last_name',
  'full_name',
  'email',
  'zone_name',
  'zone_url',
  'subject',
  'sender_name',
  'unsubscribe_url',
] as const;
export type MergeField = (typeof mergeFields)[number];

export interface MergePiece {
  readonly field: MergeField;
  /** As written; in HTML it is HTML. */
  readonly fallback: string;
}

const FIELD = /\{\{\s*([A-Za-z_]+)\s*(?:\|([^{}]*))?\}\}/g;

const isField = (name: string): name is MergeField => (mergeFields as readonly string[]).includes(name);

/** Calls `put` for each merge field and gives the text with its answers in their places. */
export function replaceMergeFields(text: string, put: (piece: MergePiece) => string): string {
  return text.replace(FIELD, (whole, name: string, fallback?: string) => {
    const field = name.toLowerCase();
    return isField(field) ? put({ field, fallback: (fallback ?? '').trim() }) : whole;
  });
}

/** A text with merge fields as somebody reads it who is no recipient: a subject as the name of a campaign. */
export function inWords(text: string, zoneName: string): string {
  return replaceMergeFields(text, ({ field, fallback }) => (field === 'zone_name' ? zoneName : fallback || '…'));
}

/** What is wrong with the merge fields of a text; null when nothing is. */
export function mergeFault(text: string): Sentence | null {
  for (const [, name] of text.matchAll(FIELD)) {
    if (isField(name!.toLowerCase())) continue;
    return {
      en: `The merge field {{${name}}} is not known. You can use: ${mergeFields.join(', ')}.`,
      tr: `{{${name}}} alanı bilinmiyor. Kullanabilecekleriniz: ${mergeFields.join(', ')}.`,
    };
  }
  if (!text.replace(FIELD, '').includes('{{')) return null;
  return {
    en: 'A merge field is broken: it is written {{first_name}} or {{first_name|friend}}, without formatting inside.',
    tr: 'Bir birleştirme alanı bozuk: {{first_name}} veya {{first_name|arkadaşım}} biçiminde, içinde biçimlendirme olmadan yazılır.',
  };
}
