import type { LocalizedText } from '../../../platform/errors/app-error.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { toNfc } from '../../../platform/text/unicode-normalisation.js';
import { fileErrors } from '../files.errors.js';

/** Maximum length of a file or folder name in bytes of UTF-8, the limit of common file systems. */
export const MAX_NAME_BYTES = 255;

/**
 * Maximum length of the raw input in UTF-16 code units. Normalisation may shorten a name, but never from beyond this to
 * a valid length.
 */
const MAX_INPUT_LENGTH = 1000;

/** Matches names without visible characters: only formatting characters, spaces of all kinds and blank letters. */
const INVISIBLE_NAME = /^[\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]*$/u;

interface NameRule {
  readonly isViolatedBy: (name: string) => boolean;
  readonly sentence: LocalizedText;
}

const nameRules: readonly NameRule[] = [
  {
    isViolatedBy: (name) => INVISIBLE_NAME.test(name),
    sentence: { en: 'Please enter a name.', tr: 'Lütfen bir ad girin.' },
  },
  {
    // U+FFFD replaces undecodable bytes; bidirectional overrides can disguise a name as another one.
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
 * Normalises a name for storage: NFC, trimmed.
 * @param field name of the request field, for the error
 * @throws INVALID_NAME with the violated rule
 */
export function normaliseName(raw: string, field: string): string {
  const name = toNfc(raw, MAX_INPUT_LENGTH).trim();
  const rule =
    name.length > MAX_INPUT_LENGTH ? tooLong : [...nameRules, tooLong].find(({ isViolatedBy }) => isViolatedBy(name));
  if (rule) throw fileErrors.INVALID_NAME({}, { errors: { [field]: [rule.sentence] } });
  return name;
}

/** Extensions longer than this are an ordinary part of the name: they may be cut off where a name must be shortened. */
const MAX_KEPT_EXTENSION_BYTES = 64;

/** Characters that are dropped from a name: control and formatting characters that could disguise it. */
const DROPPED_CHARACTERS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns a name that `normaliseName` accepts, as close to the original as possible. For the names in uploaded folders:
 * people can't rename hundreds of them one after another.
 */
export function cleanName(raw: string): string {
  const name = toNfc(raw.toWellFormed().slice(0, MAX_INPUT_LENGTH), MAX_INPUT_LENGTH)
    .replace(DROPPED_CHARACTERS, '')
    .replace(/[/\\]/g, '-')
    .replaceAll('\ufffd', '_')
    .trim();
  if (INVISIBLE_NAME.test(name) || /^\.+$/.test(name)) return '_';
  return Buffer.byteLength(name) <= MAX_NAME_BYTES ? name : withSuffix(name, '').trim();
}

/**
 * Returns the part from the last dot (`.gz` for `a.tar.gz`), or an empty string. A leading dot does not start an
 * extension.
 */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1 ? name.slice(dot) : '';
}

/** Returns the extension that is kept when the rest of the name changes; treats `.tar.gz` as one extension. */
function fullExtensionOf(name: string): string {
  return /.(\.tar\.(?:gz|bz2|xz|zst|lz|lzma|z|br))$/i.exec(name)?.[1] ?? extensionOf(name);
}

/** Returns `name (2).ext`, truncating the name if the result would be too long. */
export function numberedName(name: string, number: number): string {
  return withSuffix(name, ` (${number})`);
}

/** Letters of a person's name that fit into a file's name. */
const MAX_SENDER_LETTERS = 40;

/** Returns `name (Ada Lovelace).ext`, or with the code of a guest, truncating the names if the result would be too long. */
export function nameWithSender(name: string, sender: string): string {
  return withSuffix(name, ` (${[...cleanName(sender)].slice(0, MAX_SENDER_LETTERS).join('').trim()})`);
}

/** Returns a short code by which the files of a guest can be told from those of others, without an address in them. */
export const guestCode = (guestKey: string): string => guestKey.slice(0, 6);

/** Returns `name (2)`. Folder names have no extension, even if they contain dots. */
export function numberedFolderName(name: string, number: number): string {
  return truncateName(name, ` (${number})`);
}

/** Inserts a suffix before the extension, truncating the name if the result would be too long. */
function withSuffix(name: string, suffix: string): string {
  const fullExtension = fullExtensionOf(name);
  const extension = Buffer.byteLength(fullExtension) <= MAX_KEPT_EXTENSION_BYTES ? fullExtension : '';
  return truncateName(name.slice(0, name.length - extension.length), suffix + extension);
}

/** @param end must be shorter than `MAX_NAME_BYTES` */
function truncateName(begin: string, end: string): string {
  const letters = [...begin];
  while (Buffer.byteLength(letters.join('') + end) > MAX_NAME_BYTES) letters.pop();
  return letters.join('') + end;
}

/**
 * Returns the new name of a renamed file, which keeps its extension. The extension is appended unless the requested
 * name ends in it, or in the last part of a compound one such as `.tar.gz`.
 * @throws INVALID_NAME
 */
export function withOriginalExtension(before: string, wanted: string, field: string): string {
  const name = normaliseName(wanted, field);
  const hasExtension = normaliseForComparison(extensionOf(name)) === normaliseForComparison(extensionOf(before));
  return hasExtension ? name : normaliseName(name + fullExtensionOf(before), field);
}
