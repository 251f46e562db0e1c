import type { Sentence } from '../../../platform/errors/app-error.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { toNfc } from '../../../platform/text/unicode-normalisation.js';
import { fileErrors } from '../files.errors.js';

/** Longest name of a file or folder, in bytes of UTF-8: what file systems take. */
export const MAX_NAME_BYTES = 255;

/** A name as somebody wrote it, in UTF-16 units: composing may make it shorter, but never short enough from here. */
const MAX_INPUT_LENGTH = 1000;

/** A name of these alone shows nothing: formatting characters, spaces of all kinds and the blank letters. */
const INVISIBLE_NAME = /^[\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]*$/u;

interface NameRule {
  readonly isViolatedBy: (name: string) => boolean;
  readonly sentence: Sentence;
}

const nameRules: readonly NameRule[] = [
  {
    isViolatedBy: (name) => INVISIBLE_NAME.test(name),
    sentence: { en: 'Please enter a name.', tr: 'Lütfen bir ad girin.' },
  },
  {
    // U+FFFD stands for bytes that were no text; the bidirectional overrides show a name as another one.
    isViolatedBy: (name) => !name.isWellFormed() || /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd]/u.test(name),
    sentence: {
      en: "The name contains a character that isn't allowed.",
      tr: 'Ad, izin verilmeyen bir karakter içeriyor.',
    },
  },
  {
    isViolatedBy: (name) => /[/\\]/.test(name),
    sentence: { en: "The name can't contain / or \\.", tr: 'Ad, / veya \\ içeremez.' },
  },
  {
    isViolatedBy: (name) => /^\.+$/.test(name),
    sentence: { en: "The name can't consist only of dots.", tr: 'Ad yalnızca noktalardan oluşamaz.' },
  },
];

const tooLong: NameRule = {
  isViolatedBy: (name) => Buffer.byteLength(name) > MAX_NAME_BYTES,
  sentence: { en: 'The name is too long (maximum 255 bytes).', tr: 'Ad çok uzun (en fazla 255 bayt).' },
};

/**
 * A name as it is stored: composed (NFC), without space around it.
 * @param field which field of the request holds it
 * @throws INVALID_NAME with the rule that is broken
 */
export function normaliseName(raw: string, field: string): string {
  const name = toNfc(raw, MAX_INPUT_LENGTH).trim();
  const rule =
    name.length > MAX_INPUT_LENGTH ? tooLong : [...nameRules, tooLong].find(({ isViolatedBy }) => isViolatedBy(name));
  if (rule) throw fileErrors.INVALID_NAME({}, { errors: { [field]: [rule.sentence] } });
  return name;
}

/** The part from the last dot on (`.gz` of `a.tar.gz`), or nothing: a dot at the beginning begins no extension. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1 ? name.slice(dot) : '';
}

/** The extension that a name keeps when the rest of it changes: `.tar.gz` is one. */
function fullExtensionOf(name: string): string {
  return /.(\.tar\.(?:gz|bz2|xz|zst|lz|lzma|z|br))$/i.exec(name)?.[1] ?? extensionOf(name);
}

/** `name (2).ext`, with the name cut where it would become too long. */
export function numberedName(name: string, number: number): string {
  const extension = fullExtensionOf(name);
  return truncateName(name.slice(0, name.length - extension.length), ` (${number})${extension}`);
}

/** `name (2)`: a folder's name has no extension, whatever dots it holds. */
export function numberedFolderName(name: string, number: number): string {
  return truncateName(name, ` (${number})`);
}

function truncateName(begin: string, end: string): string {
  const letters = [...begin];
  while (Buffer.byteLength(letters.join('') + end) > MAX_NAME_BYTES) letters.pop();
  return letters.join('') + end;
}

/**
 * The new name of a file that is renamed: its extension stays. It is appended unless the wanted name ends in it, or in the
 * last part of one like `.tar.gz`.
 * @throws INVALID_NAME
 */
export function withOriginalExtension(before: string, wanted: string, field: string): string {
  const name = normaliseName(wanted, field);
  const hasExtension = normaliseForComparison(extensionOf(name)) === normaliseForComparison(extensionOf(before));
  return hasExtension ? name : normaliseName(name + fullExtensionOf(before), field);
}
