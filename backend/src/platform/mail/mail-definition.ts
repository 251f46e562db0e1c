import type { Language } from '../errors/app-error.js';

/** What a mail says, as plain text: the layout escapes all of it. */
export interface MailContent {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: string[];
  /** Shown large on a line of its own, to be typed or copied. */
  readonly code?: string;
  /** The one thing to do; `url` begins with http:// or https://. */
  readonly button?: { readonly label: string; readonly url: string };
  /** Small print under a line. */
  readonly note?: string;
}

/** A mail of the service: its wording in every language, made from the values that it needs. */
export interface MailDefinition<V extends object> {
  readonly name: string;
  readonly contents: Record<Language, (values: V) => MailContent>;
}

/** Declares a mail, in a file of its own (`verification-code.email.ts`). */
export function defineMail<V extends object>(name: string, contents: MailDefinition<V>['contents']): MailDefinition<V> {
  return Object.freeze({ name, contents });
}
