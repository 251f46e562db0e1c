import { freezeList } from '../constants/freeze-list.js';

/** The languages of the product; a sentence is always there in all of them. */
export const languages = freezeList(['en', 'tr']);
export type Language = (typeof languages)[number];
export type Sentence = Record<Language, string>;

/** What a caller may add to an error: fields at fault, or the figures of a plan limit. */
export interface ErrorDetails {
  /** Field → sentences. */
  readonly errors?: Record<string, Sentence[]>;
  readonly planLimit?: true;
  readonly limit?: string;
  readonly used?: number;
  readonly allowed?: number;
  /** Names that clash, for DUPLICATE_NAMES. */
  readonly names?: string[];
  /** The task to be solved first, for WORK_REQUIRED. */
  readonly challenge?: object;
  /** Seconds; becomes the Retry-After header. */
  readonly retryAfter?: number;
}

/** The one error that the API answers with on purpose. Everything else is a fault and is answered 500 without detail. */
export class AppError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly sentence: Sentence,
    readonly details: ErrorDetails = {},
  ) {
    super(`${code}: ${sentence.en}`);
  }
}

/** Whether what failed does so for a while only: a neighbour is away, or there is too much to do. */
export const isTemporaryError = (error: unknown): boolean => error instanceof AppError && error.status === 503;

export interface ErrorDefinition extends Sentence {
  readonly status: number;
}

/** What fills a sentence: the same in every language, or worded in each. */
export type ErrorValues = Record<string, string | number | Sentence>;

/** Makes the error; `values` fill `{name}` in the sentence. */
export interface ErrorFactory {
  (values?: ErrorValues, details?: ErrorDetails): AppError;
  readonly status: number;
  readonly code: string;
  readonly sentence: Sentence;
}

/**
 * Declares the errors of a module: the key is the stable code, with the status and the sentence in every language.
 * `throw zoneErrors.ZONE_NOT_FOUND()`.
 */
export function defineErrors<const D extends Record<string, ErrorDefinition>>(definitions: D) {
  const factories = Object.entries(definitions).map(([code, { status, ...sentence }]) => {
    const make = (values: ErrorValues = {}, details: ErrorDetails = {}) =>
      new AppError(status, code, interpolate(sentence, values), details);
    return [code, Object.assign(make, { status, code, sentence })];
  });
  return Object.fromEntries(factories) as { [K in keyof D]: ErrorFactory };
}

function interpolate(sentence: Sentence, values: ErrorValues): Sentence {
  const interpolateIn = (language: Language) =>
    sentence[language].replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name] ?? whole;
      return typeof value === 'object' ? value[language] : String(value);
    });
  return { en: interpolateIn('en'), tr: interpolateIn('tr') };
}
