import { toNfkc } from './unicode-normalisation.js';
import { graphemes } from './graphemes.js';
import { removeInvisible, removeJoiners } from './invisible-characters.js';
import { genericTlds, wellKnownTlds, nonLatinTlds } from './top-level-domains.js';

/** Maximum length of a name in a subject, in grapheme clusters. */
const MAX_NAME_LENGTH = 60;
/** Only this much of a name is inspected; the rest could not be shown anyway. */
const MAX_INSPECTED_LENGTH = 1000;

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Line breaks, bidirectional control characters, and other invisible characters. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}\ufffd\u115f\u1160\u2800\u3164]+/gu;
/** Characters that browsers or people take for the dot of a domain. */
const DOTS = /[\u3002\uff0e\uff61\u2024\u0589\u06d4\u0701\u0702\ua60e\u02d9\u00b7\u30fb\u2027\u2219\u22c5\u2022]/gu;
/** A bracketed or spelled-out dot in brackets. */
const BRACKETED_DOTS = /\s*[([{<]\s*(?:\.|dot|nokta)\s*[)\]}>]\s*/giu;
/** Programs differ in how they treat several dots between words. */
const SEVERAL_DOTS = /(?<=\S)\.{2,}(?=[^\s.])/gu;
/** A dot spelled out without brackets, before a well-known top-level domain. */
const SPELLED_DOTS = /(?<=\S)\s+(?:dot|nokta)\s+(?=(?:com|net|org|info|biz|xyz|io|co)(?![\p{L}\p{N}]))/giu;
const SCHEME = /[a-z][a-z0-9+.-]{1,20}\s*:\s*[/\\]{1,}\s*\S*/giu;
const WORLD_WIDE_WEB = /(?<![\p{L}\p{N}])www\s*\.\s*\S*/giu;
const ADDRESS = /[^\s@]*@(?=[^\s@]+\.)[^\s@]+/gu;
const IP_ADDRESSES = /(?<![\d.])\d{1,3}(?:\s*\.\s*\d{1,3}){3}(?![\d.])(?::\d+)?(?:[/?#]\S*)?/gu;
/**
 * Labels separated by dots, including joiners and flag tags, with or without spaces around the dots, and an optional
 * path.
 */
const DOTTED_LABELS =
  /[\u200c\u200d\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u{e0020}-\u{e007f}_-]+(?:[ \t]*\.[ \t]*[\u200c\u200d\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u{e0020}-\u{e007f}_-]+)+(?:\.(?=[:/?#]))?(?::\d+)?(?:[/?#]\S*)?/gu;
/** A top-level domain whose domain has already been removed, or that follows something else. */
const LOOSE_ENDING = /\.\s*(?:com|net|org|info|biz|xyz|icu|xn--[a-z0-9-]+)(?![\p{L}\p{N}-])\S*/giu;
/** A dot that could make an email client see a domain; not that of a number. */
const TIGHT_DOT =
  /(?<=[\p{L}\p{M}\p{N}\p{Extended_Pictographic}_-])\.(?=[\p{L}\p{M}\p{Extended_Pictographic}_-])|(?<=[\p{L}\p{M}_-])\.(?=\p{N})/gu;

/**
 * Makes a user-chosen name safe for the subject, sender or preview text of an email: one line of at most 60 characters
 * in which no email client detects a link, and that sends no recipient to one. Dots of abbreviations are kept, with a
 * space after them.
 * @returns '' when the name was nothing but a URL
 */
export function removeUrls(name: string, longest = MAX_NAME_LENGTH): string {
  let text = normaliseVisible(name.slice(0, MAX_INSPECTED_LENGTH));
  // Removing a URL may leave behind another one that surrounded it.
  for (let before = ''; before !== text;) {
    before = text;
    text = removeAddresses(text);
  }
  // Removing and shortening may leave a joiner that joins nothing.
  return removeInvisible(shorten(removeInvisible(text), longest));
}

/**
 * Whether email clients or people would detect a URL in a name. Abbreviations and numbers with dots don't count:
 * "St.Pauli", "v2.0".
 */
export function containsUrl(name: string): boolean {
  const text = replaceSpelledDots(normaliseVisible(name.slice(0, MAX_INSPECTED_LENGTH)));
  return stripUrls(text) !== text;
}

/**
 * Cleans a name from an external source (an import, a shop, an identity provider): unchanged unless it contains a URL,
 * which is then removed. Names entered by users are rejected by the same rule.
 * @returns '' when the name was nothing but a URL
 */
export function removeUrlsIfAny(name: string): string {
  return containsUrl(name) ? removeUrls(name, name.length) : name;
}

function normaliseVisible(name: string): string {
  const seen = removeInvisible(name.toWellFormed().replace(INVISIBLE_CHARACTERS, ' '));
  // The dots of an ellipsis don't separate words.
  const written = seen.split('…').map((part) => toNfkc(part, MAX_INSPECTED_LENGTH));
  return removeInvisible(collapseSpaces(written.join('…').replace(DOTS, '.').replace(INVISIBLE_CHARACTERS, ' ')));
}

function removeAddresses(text: string): string {
  return collapseSpaces(stripUrls(replaceSpelledDots(text)).replace(TIGHT_DOT, '. '));
}

/** Replaces spelled-out dots. */
const replaceSpelledDots = (text: string): string =>
  collapseSpaces(text.replace(BRACKETED_DOTS, '.').replace(SEVERAL_DOTS, '.').replace(SPELLED_DOTS, '.'));

function stripUrls(text: string): string {
  const rest = text.replace(SCHEME, ' ').replace(WORLD_WIDE_WEB, ' ').replace(ADDRESS, ' ').replace(IP_ADDRESSES, ' ');
  return collapseSpaces(rest.replace(DOTTED_LABELS, stripDomain).replace(LOOSE_ENDING, ' '));
}

/** Removes the labels from the first to the last valid top-level domain; the labels after it are checked again. */
function stripDomain(found: string): string {
  const [labels = ''] = /^[^:/?#]+/u.exec(found) ?? [];
  const parts = labels.trim().split(/([ \t]*\.[ \t]*)/u);
  for (let at = parts.length - 1; at >= 2; at -= 2) {
    if (!isTopLevelDomain(parts[at]!, parts[at - 1]!)) continue;
    const rest = at === parts.length - 1 ? '' : parts.slice(at + 2).join('');
    return ` ${rest} `;
  }
  // A path indicates a URL, whatever the top-level domain.
  return /[/?#]\S/u.test(found.slice(labels.length)) && !/\s/u.test(labels.trim()) ? ' ' : found;
}

/**
 * Whether a label is a top-level domain, given the dot before it. Without spaces, or with one before the dot, every
 * top-level domain counts; with a space after the dot ("Dr. ", "Listen. ") only those that are not words.
 */
function isTopLevelDomain(label: string, dot: string): boolean {
  const ending = removeJoiners(label).toLowerCase();
  if (/^\.\s/u.test(dot)) return wellKnownTlds.has(ending);
  return ending.startsWith('xn--') || genericTlds.has(ending) || nonLatinTlds.has(ending) || isCountryTld(ending);
}

/** Country codes, and the few two-letter top-level domains that aren't country codes. */
function isCountryTld(ending: string): boolean {
  if (!/^[a-z]{2}$/u.test(ending)) return false;
  return ['uk', 'eu', 'su', 'ac'].includes(ending) || regions.of(ending.toUpperCase()) !== undefined;
}

const collapseSpaces = (text: string): string => text.replace(/\s+/gu, ' ').trim();

function shorten(text: string, longest: number): string {
  const all = [...graphemes(text)];
  return all.length <= longest
    ? text
    : `${all
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
}
