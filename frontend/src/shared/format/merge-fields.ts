/** Placeholders that are replaced for each recipient of an email, in the order of the buttons. */
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

export const MERGE_FIELD = /\{\{\s*([A-Za-z_]+)\s*(?:\|([^{}]*))?\}\}/g;
export const isMergeField = (name: string): name is MergeField =>
  (mergeFields as readonly string[]).includes(name.toLowerCase());

/** Replaces each merge field of a text by the result of `getReplacement`. */
export const replaceMergeFields = (
  text: string,
  getReplacement: (field: MergeField, fallback: string) => string,
): string =>
  text.replace(MERGE_FIELD, (match, name: string, fallback = '') =>
    isMergeField(name) ? getReplacement(name.toLowerCase() as MergeField, String(fallback).trim()) : match,
  );
