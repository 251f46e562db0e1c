import type { AppError } from '../errors/app-error.js';
import { fieldError } from './validation.js';

/** Whether PostgreSQL can store a text: it takes neither NUL nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/**
 * The field, at any depth, whose name or text cannot be stored; null when there is none. Bytes are no text.
 * @param name what the value itself is called
 */
export function unstorableField(value: unknown, name: string): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : name;
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = unstorableField(key, name) ?? unstorableField(inner, key);
    if (found !== null) return found;
  }
  return null;
}

export function unstorableText(field: string): AppError {
  return fieldError(field, {
    en: 'This text holds a character that cannot be stored.',
    tr: 'Bu metin saklanamayan bir karakter içeriyor.',
  });
}
