import type { Sentence } from '../../../platform/errors/app-error.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { removeUrls } from '../../../platform/text/plain-name.js';

/** What an owner can have filled in, written `{{first_name}}`, or with a fall-back `{{first_name|friend}}`. */
export const mergeFields = freezeList([
  'first_name',
  'last_name',
  'full_name',
  'email',
  'zone_name',
  'zone_url',
  'subject',
  'sender_name',
  'unsubscribe_url',
]);
export type MergeField = (typeof mergeFields)[number];

export interface MergeFieldMatch {
  readonly field: MergeField;
  /** As written; in HTML it is HTML. */
  readonly fallback: string;
}

const FIELD = /\{\{\s*([A-Za-z_]+)\s*(?:\|([^{}]*))?\}\}/g;

const isField = (name: string): name is MergeField => (mergeFields as readonly string[]).includes(name);

/** Calls `put` for each merge field and gives the text with its answers in their places. */
export function replaceMergeFields(text: string, replace: (piece: MergeFieldMatch) => string): string {
  return text.replace(FIELD, (whole, name: string, fallback?: string) => {
    const field = name.toLowerCase();
    return isField(field) ? replace({ field, fallback: (fallback ?? '').trim() }) : whole;
  });
}

/** A text with merge fields as somebody reads it who is no recipient: a subject as the name of a campaign. */
export function toReadableText(text: string, zoneName: string): string {
  return replaceMergeFields(text, ({ field, fallback }) => (field === 'zone_name' ? zoneName : fallback || '…'));
}

/** What is wrong with the merge fields of a text; null when nothing is. */
export function findMergeFieldError(text: string): Sentence | null {
  for (const [, name] of text.matchAll(FIELD)) {
    if (isField(name!.toLowerCase())) continue;
    return {
      en: `Unknown merge field {{${name}}}. You can use: ${mergeFields.join(', ')}.`,
      tr: `{{${name}}} birleştirme alanı tanınmıyor. Kullanabilecekleriniz: ${mergeFields.join(', ')}.`,
    };
  }
  if (!text.replace(FIELD, '').includes('{{')) return null;
  return {
    en: 'A merge field is malformed. Write {{first_name}} or {{first_name|friend}} without formatting inside.',
    tr: 'Bir birleştirme alanı hatalı. İçinde biçimlendirme olmadan {{first_name}} veya {{first_name|arkadaşım}} şeklinde yazın.',
  };
}

/** How a value is written at its place. */
export type ValueEncoding = 'html' | 'text' | 'url';

/** A place in a mail that differs from recipient to recipient. */
export type Placeholder =
  | { readonly kind: 'field'; readonly field: MergeField; readonly fallback: string; readonly form: ValueEncoding }
  | { readonly kind: 'link'; readonly index: number; readonly form: ValueEncoding }
  | { readonly kind: 'pixel' };

/** What fills the places of one recipient's mail. */
export interface TemplateValues {
  field(field: MergeField): string;
  /** The address behind the link of that place: counted, or plain. */
  link(index: number): string;
  /** The address of the image that tells of an opening; null without tracking. */
  readonly pixel: string | null;
}

const MARK_START = '\uE000';
const MARK_END = '\uE001';

/**
 * Text with marked places. While it is made into a mail it is one string, in which a place is its number between two
 * characters that people cannot write; after that it is a list that is joined anew for each recipient.
 */
export class PlaceholderMap {
  private readonly placeholders: Placeholder[] = [];

  /** Gives the mark that stands for the place. */
  insertMark(slot: Placeholder): string {
    this.placeholders.push(slot);
    return `${MARK_START}${this.placeholders.length - 1}${MARK_END}`;
  }

  /** Cuts a marked text into its constant parts and places. */
  split(text: string): Template {
    const parts: (string | Placeholder)[] = [];
    for (const part of text.split(MARK_START)) {
      const [, number, rest] = /^(\d+)\uE001([\s\S]*)$/.exec(part) ?? [];
      if (number === undefined) {
        parts.push(part);
        continue;
      }
      parts.push(this.placeholders[Number(number)]!, rest!);
    }
    return new Template(parts.filter((part) => part !== ''));
  }
}

/** Text from a person without the characters by which rendering marks places. */
export function removeMarks(text: string): string {
  return text.replace(/[\uE000\uE001]/g, '');
}

/** A text that is filled in once for each recipient. */
export class Template {
  constructor(private readonly parts: readonly (string | Placeholder)[]) {}

  render(filling: TemplateValues): string {
    let text = '';
    for (const part of this.parts) text += typeof part === 'string' ? part : renderPlaceholder(part, filling);
    return text;
  }
}

function renderPlaceholder(slot: Placeholder, filling: TemplateValues): string {
  switch (slot.kind) {
    case 'link':
      return encodeValue(filling.link(slot.index), slot.form === 'text' ? 'text' : 'html');
    case 'pixel':
      return filling.pixel === null
        ? ''
        : `<img src="${escapeHtml(filling.pixel)}" width="1" height="1" alt="" style="display:block;border:0">`;
    case 'field': {
      const value = toSingleLine(filling.field(slot.field));
      return value === '' ? slot.fallback : encodeValue(value, slot.form);
    }
  }
}

/** A value as it is written at a place. */
export function encodeValue(value: string, form: ValueEncoding): string {
  if (form === 'html') return escapeHtml(value);
  return form === 'url' ? encodeURIComponent(value) : value;
}

/** Escapes text for HTML, attributes included. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** A header or a name is one line: whatever could end it becomes a space. */
export function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}

/** What mail programs would show like the address of a sender, also with signs that only look like an at. */
const ADDRESS_PATTERN = /[@\uFE6B\uFF20](?=\s*[^\s@]+\s*[.\u3002\uFF0E\uFF61]\s*[^\s@])/gu;

/** Whether a name holds an address: beside the real one it would pass for somebody else's. */
export const containsAddress = (name: string): boolean => name.search(ADDRESS_PATTERN) >= 0;

/** A name as it may stand before the address of our mails, on one line; an address in it is none any more. */
export const senderName = (name: string): string => removeUrls(name.replace(ADDRESS_PATTERN, ' (at) '));
