import { getSystemErrorName } from 'node:util';
import { isNativeError } from 'node:util/types';
import { AppError } from '../../errors/app-error.js';

const MAX_LENGTH = 300;

/**
 * Describes an error for storage with its job: kind and codes. The message is included only for our own errors, and
 * with anything redacted that may be an email address, a token or a code. Drivers and mail servers repeat values in
 * their messages.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof AppError) return error.code;
  if (!isNativeError(error)) return typeof error;
  const { code, errno, responseCode, command, constraint } = error as Error & Record<string, unknown>;
  const system = typeof errno === 'number' && errno < 0 ? getSystemErrorName(errno) : undefined;
  const facts = Object.entries({ code, system, responseCode, command, constraint })
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `${name}=${redact(String(value))}`);
  const text = facts.length > 0 ? facts.join(' ') : redact(error.message.split('\n')[0] ?? '');
  return `${error.name}: ${text}`.slice(0, MAX_LENGTH);
}

function redact(text: string): string {
  return text
    .replace(/\b[a-z][a-z+.-]*:\/\/\S+/gi, '[address]')
    .replace(/\S+@\S+/g, '[e-mail]')
    .replace(/[\w-]{20,}/g, '[token]')
    .replace(/\d{6,}/g, '[number]');
}
