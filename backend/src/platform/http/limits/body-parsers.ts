import type { IncomingMessage } from 'node:http';
import { json, raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { AppError } from '../../errors/app-error.js';
import { commonErrors } from '../../errors/common.errors.js';
import { fieldError } from '../parsing/validation.js';
import { KIB, MIB } from '../../text/byte-units.js';

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether JSON holds more than it may, by one walk over its bytes, before anything is made of them: objects with a
 * hundred thousand fields cost whoever looks into them seconds. Broken JSON is left to the parser.
 * @param bytes UTF-8
 */
export function isTooComplex(bytes: Uint8Array, { parts, depth }: BodyLimits): boolean {
  let [partCount, level, inText] = [0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) inText = !inText;
    else if (inText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COLON) partCount++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) [partCount, level] = [partCount + 1, level + 1];
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level--;
    if (partCount > parts || level > depth) return true;
  }
  return false;
}

/**
 * The field of the first text that is longer than any that the route keeps; null when there is none.
 * @param value a body whose depth and number of fields are bounded
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

/** How much a JSON body may hold. */
export interface BodyLimits {
  readonly bytes: number;
  /** Fields, objects and lists, all together; texts and numbers of a list are not counted. */
  readonly parts: number;
  /** Lists and objects inside one another. */
  readonly depth: number;
  /** UTF-16 units of one text. */
  readonly text: number;
}

const DEFAULT_LIMITS: BodyLimits = { bytes: 64 * KIB, parts: 200, depth: 8, text: 10_000 };

/** Mails, whose HTML may have 500 kB and their own text part beside it. */
const EMAIL_LIMITS: BodyLimits = { ...DEFAULT_LIMITS, bytes: MIB, text: MIB };
/** Lists of up to 10,000 addresses. */
const ADDRESS_LIST_LIMITS: BodyLimits = { ...DEFAULT_LIMITS, bytes: MIB };
/** Lists of the ids of up to 10,000 files and 1,000 folders, each with as many digits as an id may have. */
const ID_LIST_LIMITS: BodyLimits = { ...DEFAULT_LIMITS, bytes: 256 * KIB };
/** What is set of the installation: six texts of up to 50,000 characters among it. */
const SETTINGS_LIMITS: BodyLimits = { ...DEFAULT_LIMITS, bytes: MIB, text: 50_000 };

/** Routes that take more than is usual. */
const ROUTE_LIMITS: readonly (readonly [RegExp, BodyLimits])[] = [
  [/^\/api\/(campaigns|email-templates)(\/\d+)?\/?$/i, EMAIL_LIMITS],
  [/^\/api\/zones\/\d+\/(campaigns(\/preview)?|send-email|mail-settings)\/?$/i, EMAIL_LIMITS],
  [/^\/api\/admin\/installation\/?$/i, SETTINGS_LIMITS],
  [/^\/api\/zones\/\d+\/invite\/?$/i, ADDRESS_LIST_LIMITS],
  [/^\/api\/zones\/\d+\/(download|move|delete|trash\/restore|trash\/purge)\/?$/i, ID_LIST_LIMITS],
];

/** Largest body of a webhook in bytes: it is kept as it came, and read only once its signature is known. */
export const MAX_WEBHOOK_BYTES = MIB;

/** What the route of a path takes. */
export function bodyLimitsFor(path: string): BodyLimits {
  return ROUTE_LIMITS.find(([pattern]) => pattern.test(path))?.[1] ?? DEFAULT_LIMITS;
}

const TOO_COMPLEX = 'body.too.complex';
const NOT_UTF_8 = 'body.not.utf-8';

/** Reads the body of a webhook as the bytes that were signed. */
export const parseWebhookBody: RequestHandler = withBodyErrors(raw({ type: () => true, limit: MAX_WEBHOOK_BYTES }));

/** One reader for each set of limits: a reader keeps its own. */
const parsers = new Map<BodyLimits, RequestHandler>();

/**
 * Reads a JSON body within the limits of its route. Lengths, numbers and depths are judged before anything looks into
 * the body: rules of DTOs, normalising of texts and comparing of fields cost far more than reading.
 */
export function parseJsonBody(request: Request, response: Response, next: NextFunction): void {
  const limits = bodyLimitsFor(request.path);
  const parser = parsers.get(limits) ?? withBodyErrors(json({ limit: limits.bytes, verify: verifyComplexity(limits) }));
  parsers.set(limits, parser);
  void parser(request, response, (fault?: unknown) => {
    next(fault ?? tooLongTextError(request.body, limits) ?? undefined);
  });
}

/** The fault of a text that is longer than any that the route keeps. */
function tooLongTextError(body: unknown, { text }: BodyLimits): AppError | null {
  const field = findTooLongField(body, text);
  return field === null ? null : fieldError(field, { en: 'This text is too long.', tr: 'Bu metin çok uzun.' });
}

/** A body in another encoding could hide its fields from the walk over its bytes. */
function verifyComplexity(limits: BodyLimits) {
  return (_request: IncomingMessage, _response: unknown, bytes: Buffer, encoding: string): void => {
    if (encoding !== 'utf-8') throw Object.assign(new Error(NOT_UTF_8), { type: NOT_UTF_8 });
    if (isTooComplex(bytes, limits)) throw Object.assign(new Error(TOO_COMPLEX), { type: TOO_COMPLEX });
  };
}

/** A fault of the body is ours to answer before Nest makes a nameless error of it. */
export function withBodyErrors(read: RequestHandler): RequestHandler {
  return (request, response, next) =>
    read(request, response, (fault?: unknown) => {
      const { type, status } = (fault ?? {}) as { type?: string; status?: number };
      const known = type === undefined ? undefined : bodyErrors[type];
      next(known ? known() : status === 400 ? commonErrors.MALFORMED_JSON() : fault);
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
