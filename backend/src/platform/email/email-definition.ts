import type { Language } from '../errors/app-error.js';

/** The content of an email as plain text; the layout escapes it. */
export interface EmailContent {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: string[];
  /** Shown large on a line of its own, to be typed or copied. */
  readonly code?: string;
  /** The call to action; `url` begins with http:// or https://. */
  readonly button?: { readonly label: string; readonly url: string };
  /** Small print below a divider. */
  readonly note?: string;
}

/** An email template: its content in each language, created from values. */
export interface EmailDefinition<V extends object> {
  readonly name: string;
  readonly contents: Record<Language, (values: V) => EmailContent>;
}

/** Declares an email, in a file of its own (`verification-code.email.ts`). */
export function defineEmail<V extends object>(
  name: string,
  contents: EmailDefinition<V>['contents'],
): EmailDefinition<V> {
  return Object.freeze({ name, contents });
}
