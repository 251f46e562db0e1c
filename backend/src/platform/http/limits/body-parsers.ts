import type { IncomingMessage } from 'node:http';
import { json, raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { AppError } from '../../errors/app-error.js';
import { commonErrors } from '../../errors/common.errors.js';
import { fieldError } from '../parsing/validation.js';
import { KIB, MIB } from '../../text/byte-units.js';

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether JSON exceeds the limits, determined by a single scan of the bytes before parsing: objects with a hundred
 * thousand fields would keep validation busy for seconds. Invalid JSON is left to the parser.
 * @param bytes UTF-8
 */
export function isTooComplex(bytes: Uint8Array, { parts, depth }: BodyLimits): boolean {
  let [partCount, level, inText] = [0, 0, false];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) inText = !inText;
    else if (inText) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === COLON) partCount++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) [partCount, level] = [partCount + 1, level + 1];
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level--;
    if (partCount > parts || level > depth) return true;
  }
  return false;
}

/**
 * Returns the field of the first string that is longer than any that the route stores; null when there is none.
 * @param value a body whose depth and number of fields are limited
 */
export function findTooLongField(value: unknown, maxLength: number, name = 'body'): string | null {
  if (typeof value === 'string') return value.length > maxLength ? name : null;
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = findTooLongField(inner, maxLength, Array.isArray(value) ? name : key);
    if (found !== null) return found.slice(0, 100);
  }
  return null;
}

/** Limits of a JSON body. */
export interface BodyLimits {
  readonly bytes: number;
  /** Total number of fields, objects and arrays; strings and numbers in arrays aren't counted. */
  readonly parts: number;
  /** Maximum nesting of arrays and objects. */
  readonly depth: number;
  /** Maximum length of a string, in UTF-16 code units. */
  readonly text: number;
}

const DEFAULT_LIMITS: BodyLimits = { bytes: 64 * KIB, parts: 200, depth: 8, text: 10_000 };

/** Emails: HTML of up to 500 kB, and a text part. */
const EMAIL_LIMITS: BodyLimits = { ...DEFAULT_LIMITS, bytes: MIB, text: MIB };
/** Lists of up to 10,000 email addresses. */
const ADDRESS_LIST_LIMITS: BodyLimits = { ...DEFAULT_LIMITS, bytes: MIB };
/** Lists of the ids of up to 10,000 files and 1,000 folders, at the maximum length of an id. */
const ID_LIST_LIMITS: BodyLimits = { ...DEFAULT_LIMITS, bytes: 256 * KIB };
/** Paths of up to 10,000 files and 1,000 folders. */
const PATH_LIST_LIMITS: BodyLimits = { ...DEFAULT_LIMITS, bytes: 4 * MIB };
/** Installation settings, including six texts of up to 50,000 characters. */
const SETTINGS_LIMITS: BodyLimits = { ...DEFAULT_LIMITS, bytes: MIB, text: 50_000 };

/** Routes with limits above the default. */
const ROUTE_LIMITS: readonly (readonly [RegExp, BodyLimits])[] = [
  [/^\/api\/(campaigns|email-templates)(\/\d+)?\/?$/i, EMAIL_LIMITS],
  [/^\/api\/zones\/\d+\/(campaigns(\/preview)?|send-email|mail-settings)\/?$/i, EMAIL_LIMITS],
  [/^\/api\/admin\/installation\/?$/i, SETTINGS_LIMITS],
  [/^\/api\/zones\/\d+\/invite\/?$/i, ADDRESS_LIST_LIMITS],
  [/^\/api\/zones\/\d+\/(download|move|delete|trash\/restore|trash\/purge)\/?$/i, ID_LIST_LIMITS],
  [/^\/api\/zones\/\d+\/folders\/tree\/?$/i, PATH_LIST_LIMITS],
];

/**
 * Maximum size of a webhook body, in bytes. It is stored as received, and parsed only after its signature is verified.
 */
export const MAX_WEBHOOK_BYTES = MIB;

/** Returns the limits of a path. */
export function bodyLimitsFor(path: string): BodyLimits {
  return ROUTE_LIMITS.find(([pattern]) => pattern.test(path))?.[1] ?? DEFAULT_LIMITS;
}

const TOO_COMPLEX = 'body.too.complex';
const NOT_UTF_8 = 'body.not.utf-8';

/** Reads a webhook body as the exact bytes that were signed. */
export const parseWebhookBody: RequestHandler = withBodyErrors(raw({ type: () => true, limit: MAX_WEBHOOK_BYTES }));

/** One parser per set of limits, because each parser has its own. */
const parsers = new Map<BodyLimits, RequestHandler>();

/**
 * Parses a JSON body within the limits of its route. Lengths, counts and depths are checked before anything processes
 * the body: validating DTOs, normalising strings and comparing fields cost far more than parsing.
 */
export function parseJsonBody(request: Request, response: Response, next: NextFunction): void {
  const limits = bodyLimitsFor(request.path);
  const parser = parsers.get(limits) ?? withBodyErrors(json({ limit: limits.bytes, verify: verifyComplexity(limits) }));
  parsers.set(limits, parser);
  void parser(request, response, (error?: unknown) => {
    next(error ?? tooLongTextError(request.body, limits) ?? undefined);
  });
}

/** Returns an error if a string is longer than any that the route stores. */
function tooLongTextError(body: unknown, { text }: BodyLimits): AppError | null {
  const field = findTooLongField(body, text);
  return field === null ? null : fieldError(field, { en: 'This text is too long.', tr: 'Bu metin çok uzun.' });
}

/** Rejects other encodings, which could hide fields from the scan of the bytes. */
function verifyComplexity(limits: BodyLimits) {
  return (_request: IncomingMessage, _response: unknown, bytes: Buffer, encoding: string): void => {
    if (encoding !== 'utf-8') throw Object.assign(new Error(NOT_UTF_8), { type: NOT_UTF_8 });
    if (isTooComplex(bytes, limits)) throw Object.assign(new Error(TOO_COMPLEX), { type: TOO_COMPLEX });
  };
}

/** Converts body parser errors into our own, before Nest turns them into generic ones. */
export function withBodyErrors(read: RequestHandler): RequestHandler {
  return (request, response, next) =>
    read(request, response, (error?: unknown) => {
      const { type, status } = (error ?? {}) as { type?: string; status?: number };
      const known = type === undefined ? undefined : bodyErrors[type];
      next(known ? known() : status === 400 ? commonErrors.MALFORMED_JSON() : error);
    });
}

const bodyErrors: Record<string, () => AppError> = {
  'entity.parse.failed': commonErrors.MALFORMED_JSON,
  'entity.too.large': commonErrors.BODY_TOO_LARGE,
  'parameters.too.many': commonErrors.BODY_TOO_COMPLEX,
  'encoding.unsupported': commonErrors.UNSUPPORTED_TYPE,
  'charset.unsupported': commonErrors.UNSUPPORTED_TYPE,
  [TOO_COMPLEX]: commonErrors.BODY_TOO_COMPLEX,
  [NOT_UTF_8]: commonErrors.UNSUPPORTED_TYPE,
};
