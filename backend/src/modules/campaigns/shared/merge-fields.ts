import type { LocalizedText } from '../../../platform/errors/app-error.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { removeUrls } from '../../../platform/text/plain-name.js';

/** Merge fields that owners can use: `{{first_name}}`, or with a fallback `{{first_name|friend}}`. */
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
  /** As written by the owner; within HTML it is HTML. */
  readonly fallback: string;
}

const FIELD = /\{\{\s*([A-Za-z_]+)\s*(?:\|([^{}]*))?\}\}/g;

const isField = (name: string): name is MergeField => (mergeFields as readonly string[]).includes(name);

/** Replaces each merge field with the result of `replace`. */
export function replaceMergeFields(text: string, replace: (match: MergeFieldMatch) => string): string {
  return text.replace(FIELD, (whole, name: string, fallback?: string) => {
    const field = name.toLowerCase();
    return isField(field) ? replace({ field, fallback: (fallback ?? '').trim() }) : whole;
  });
}

/** Replaces merge fields by the zone name or their fallbacks, for a subject used as the name of a campaign. */
export function renderMergeFieldFallbacks(text: string, zoneName: string): string {
  return replaceMergeFields(text, ({ field, fallback }) => (field === 'zone_name' ? zoneName : fallback || '…'));
}

/** Returns what is wrong with the merge fields of a text, or null. */
export function findMergeFieldError(text: string): LocalizedText | null {
  for (const [, name] of text.matchAll(FIELD)) {
    if (isField(name!.toLowerCase())) continue;
    return {
      en: `There's no personalisation field {{${name}}}. You can use: ${mergeFields.join(', ')}.`,
      tr: `{{${name}}} diye bir kişiselleştirme alanı yok. Kullanabilecekleriniz: ${mergeFields.join(', ')}.`,
    };
  }
  if (!text.replace(FIELD, '').includes('{{')) return null;
  return {
    en: 'A personalisation field is incomplete. Write {{first_name}} or {{first_name|friend}} without formatting inside.',
    tr: 'Bir kişiselleştirme alanı eksik. İçinde biçimlendirme olmadan {{first_name}} veya {{first_name|arkadaşım}} şeklinde yazın.',
  };
}

/** How a value is encoded at its position. */
export type ValueEncoding = 'html' | 'text' | 'url';

/** A position in an email whose content depends on the recipient. */
export type Placeholder =
  | { readonly kind: 'field'; readonly field: MergeField; readonly fallback: string; readonly form: ValueEncoding }
  | { readonly kind: 'link'; readonly index: number; readonly form: ValueEncoding }
  | { readonly kind: 'pixel' };

/** The values for one recipient's email. */
export interface TemplateValues {
  field(field: MergeField): string;
  /** URL of the link with this index: tracked or plain. */
  link(index: number): string;
  /** URL of the tracking pixel; null without tracking. */
  readonly pixel: string | null;
}

const MARK_START = '\uE000';
const MARK_END = '\uE001';

/**
 * Text with placeholders. During compilation it is a single string in which a placeholder is its number between two
 * characters that content can't contain. Afterwards it is a list of parts that is joined for each recipient.
 */
export class PlaceholderMap {
  private readonly placeholders: Placeholder[] = [];

  /** Registers a placeholder and returns its mark. */
  insertMark(slot: Placeholder): string {
    this.placeholders.push(slot);
    return `${MARK_START}${this.placeholders.length - 1}${MARK_END}`;
  }

  /** Splits a text with marks into constant parts and placeholders. */
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

/** Removes the characters that mark placeholders from text written by people. */
export function removeMarks(text: string): string {
  return text.replace(/[\uE000\uE001]/g, '');
}

/** A text that is rendered for each recipient. */
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

export function encodeValue(value: string, form: ValueEncoding): string {
  if (form === 'html') return escapeHtml(value);
  return form === 'url' ? encodeURIComponent(value) : value;
}

/** Escapes text for HTML, including attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** Normalises a header or name to a single line: control characters become spaces. */
export function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}

/** Matches what email clients could display as a sender address, including characters that resemble @. */
const ADDRESS_PATTERN = /[@\uFE6B\uFF20](?=\s*[^\s@]+\s*[.\u3002\uFF0E\uFF61]\s*[^\s@])/gu;

/** Whether a name contains an email address, which could impersonate another sender. */
export const containsAddress = (name: string): boolean => name.search(ADDRESS_PATTERN) >= 0;

/** Makes a name safe as the display name of a sender: a single line, with any email address defused. */
export const senderName = (name: string): string => removeUrls(name.replace(ADDRESS_PATTERN, ' (at) '));
