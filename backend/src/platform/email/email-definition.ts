import type { Language } from '../errors/app-error.js';

/** What a mail says, as plain text: the layout escapes all of it. */
export interface EmailContent {
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
export interface EmailDefinition<V extends object> {
  readonly name: string;
  readonly contents: Record<Language, (values: V) => EmailContent>;
}

/** Declares a mail, in a file of its own (`verification-code.email.ts`). */
export function defineEmail<V extends object>(
  name: string,
  contents: EmailDefinition<V>['contents'],
): EmailDefinition<V> {
  return Object.freeze({ name, contents });
}
