import type { MergeField } from './merge-fields.js';

/** How a value is written at its place. */
export type Form = 'html' | 'text' | 'url';

/** A place in a mail that differs from recipient to recipient. */
export type Slot =
  | { readonly kind: 'field'; readonly field: MergeField; readonly fallback: string; readonly form: Form }
  | { readonly kind: 'link'; readonly index: number; readonly form: Form }
  | { readonly kind: 'pixel' };

/** What fills the places of one recipient's mail. */
export interface Filling {
  field(field: MergeField): string;
  /** The address behind the link of that place: counted, or plain. */
  link(index: number): string;
  /** The address of the image that tells of an opening; null without tracking. */
  readonly pixel: string | null;
}

const BEGIN = '\uE000';
const END = '\uE001';

/**
 * Text with marked places. While it is made into a mail it is one string, in which a place is its number between two
 * characters that people cannot write; after that it is a list that is joined anew for each recipient.
 */
export class Slots {
  private readonly slots: Slot[] = [];

  /** Gives the mark that stands for the place. */
  mark(slot: Slot): string {
    this.slots.push(slot);
    return `${BEGIN}${this.slots.length - 1}${END}`;
  }

  /** Cuts a marked text into its constant parts and places. */
  cut(text: string): Template {
    const parts: (string | Slot)[] = [];
    for (const part of text.split(BEGIN)) {
      const [, number, rest] = /^(\d+)\uE001([\s\S]*)$/.exec(part) ?? [];
      if (number === undefined) {
        parts.push(part);
        continue;
      }
      parts.push(this.slots[Number(number)]!, rest!);
    }
    return new Template(parts.filter((part) => part !== ''));
  }
}

/** A text that is filled in once for each recipient. */
export class Template {
  constructor(private readonly parts: readonly (string | Slot)[]) {}

  fill(filling: Filling): string {
    let text = '';
    for (const part of this.parts) text += typeof part === 'string' ? part : write(part, filling);
    return text;
  }
}

function write(slot: Slot, filling: Filling): string {
  switch (slot.kind) {
    case 'link':
      return inForm(filling.link(slot.index), slot.form === 'text' ? 'text' : 'html');
    case 'pixel':
      return filling.pixel === null
        ? ''
        : `<img src="${escapeHtml(filling.pixel)}" width="1" height="1" alt="" style="display:block;border:0">`;
    case 'field': {
      const value = oneLine(filling.field(slot.field));
      return value === '' ? slot.fallback : inForm(value, slot.form);
    }
  }
}

function inForm(value: string, form: Form): string {
  if (form === 'html') return escapeHtml(value);
  return form === 'url' ? encodeURIComponent(value) : value;
}

/** Escapes text for HTML, attributes included. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** A header or a name is one line: whatever could end it becomes a space. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}
