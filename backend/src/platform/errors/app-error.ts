import { freezeList } from '../constants/freeze-list.js';

/** The product's languages; every text exists in all of them. */
export const languages = freezeList(['en', 'tr']);
export type Language = (typeof languages)[number];
/** A text in all languages of the product. */
export type LocalizedText = Record<Language, string>;

/** Additional data of an error, such as invalid fields or the figures of a plan limit. */
export interface ErrorDetails {
  /** Messages by field. */
  readonly errors?: Record<string, LocalizedText[]>;
  readonly planLimit?: true;
  readonly limit?: string;
  readonly used?: number;
  readonly allowed?: number;
  /** Conflicting names, for DUPLICATE_NAMES; paths of folders, for FOLDER_TOO_DEEP. */
  readonly names?: string[];
  /** The proof-of-work challenge, for WORK_REQUIRED. */
  readonly challenge?: object;
  /** In seconds; sent as the Retry-After header. */
  readonly retryAfter?: number;
}

/** An expected error with a status, code and message for the client. All other errors become a 500 without details. */
export class AppError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly sentence: LocalizedText,
    readonly details: ErrorDetails = {},
  ) {
    super(`${code}: ${sentence.en}`);
  }
}

/** Whether a retry may help: an external service is unavailable, or the server is overloaded (503). */
export const isTemporaryError = (error: unknown): boolean => error instanceof AppError && error.status === 503;

export interface ErrorDefinition extends LocalizedText {
  readonly status: number;
}

/** Values for the placeholders of a message: the same in every language, or one per language. */
export type ErrorValues = Record<string, string | number | LocalizedText>;

/** Creates the error; `values` replace `{name}` in the message. */
export interface ErrorFactory {
  (values?: ErrorValues, details?: ErrorDetails): AppError;
  readonly status: number;
  readonly code: string;
  readonly sentence: LocalizedText;
}

/**
 * Declares the errors of a module: stable code → status and message in each language.
 * Usage: `throw zoneErrors.ZONE_NOT_FOUND()`.
 */
export function defineErrors<const D extends Record<string, ErrorDefinition>>(definitions: D) {
  const factories = Object.entries(definitions).map(([code, { status, ...sentence }]) => {
    const make = (values: ErrorValues = {}, details: ErrorDetails = {}) =>
      new AppError(status, code, interpolate(sentence, values), details);
    return [code, Object.assign(make, { status, code, sentence })];
  });
  return Object.fromEntries(factories) as { [K in keyof D]: ErrorFactory };
}

function interpolate(sentence: LocalizedText, values: ErrorValues): LocalizedText {
  const interpolateIn = (language: Language) =>
    sentence[language].replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name] ?? whole;
      return typeof value === 'object' ? value[language] : String(value);
    });
  return { en: interpolateIn('en'), tr: interpolateIn('tr') };
}
