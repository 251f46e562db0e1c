import { toNfkc } from './unicode-normalisation.js';
import { graphemes } from './graphemes.js';
import { removeInvisible, removeJoiners } from './invisible-characters.js';
import { genericTlds, wellKnownTlds, nonLatinTlds } from './top-level-domains.js';

/** How long a name may be in a subject, as people count characters. */
const MAX_NAME_LENGTH = 60;
/** Names are judged to this length only: what follows could not be shown anyhow. */
const MAX_INSPECTED_LENGTH = 1000;

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Line ends, marks that turn the direction of writing, and whatever else no eye sees. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}\ufffd\u115f\u1160\u2800\u3164]+/gu;
/** Marks that browsers, or readers, take for the dot of a domain. */
const DOTS = /[\u3002\uff0e\uff61\u2024\u0589\u06d4\u0701\u0702\ua60e\u02d9\u00b7\u30fb\u2027\u2219\u22c5\u2022]/gu;
/** A dot that is spelled out between brackets. */
const BRACKETED_DOTS = /\s*[([{<]\s*(?:\.|dot|nokta)\s*[)\]}>]\s*/giu;
/** Programs differ in what they make of several dots between words. */
const SEVERAL_DOTS = /(?<=\S)\.{2,}(?=[^\s.])/gu;
/** The same without brackets, where an ending follows that everybody knows. */
const SPELLED_DOTS = /(?<=\S)\s+(?:dot|nokta)\s+(?=(?:com|net|org|info|biz|xyz|io|co)(?![\p{L}\p{N}]))/giu;
const SCHEME = /[a-z][a-z0-9+.-]{1,20}\s*:\s*[/\\]{1,}\s*\S*/giu;
const WORLD_WIDE_WEB = /(?<![\p{L}\p{N}])www\s*\.\s*\S*/giu;
const ADDRESS = /[^\s@]*@(?=[^\s@]+\.)[^\s@]+/gu;
const IP_ADDRESSES = /(?<![\d.])\d{1,3}(?:\s*\.\s*\d{1,3}){3}(?![\d.])(?::\d+)?(?:[/?#]\S*)?/gu;
/**
 * Labels with dots between them, joiners and tags of flags included, with spaces around the dots or without, and a
 * path.
 */
const DOTTED_LABELS =
  /[\u200c\u200d\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u{e0020}-\u{e007f}_-]+(?:[ \t]*\.[ \t]*[\u200c\u200d\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u{e0020}-\u{e007f}_-]+)+(?:\.(?=[:/?#]))?(?::\d+)?(?:[/?#]\S*)?/gu;
/** An ending whose domain has gone before, or that stands after something else. */
const LOOSE_ENDING = /\.\s*(?:com|net|org|info|biz|xyz|icu|xn--[a-z0-9-]+)(?![\p{L}\p{N}-])\S*/giu;
/** A dot in whose place a mail program would see a domain; not that of a number. */
const TIGHT_DOT =
  /(?<=[\p{L}\p{M}\p{N}\p{Extended_Pictographic}_-])\.(?=[\p{L}\p{M}\p{Extended_Pictographic}_-])|(?<=[\p{L}\p{M}_-])\.(?=\p{N})/gu;

/**
 * A name that somebody gave a zone or themselves, as it may stand in the subject, the sender or the first lines of a
 * mail: one line of at most 60 characters in which no mail program finds an address of a page, and no reader is sent to
 * one. Dots of abbreviations keep their place, with a space after them.
 * @returns '' when nothing but an address was there
 */
export function removeUrls(name: string, longest = MAX_NAME_LENGTH): string {
  let text = normaliseVisible(name.slice(0, MAX_INSPECTED_LENGTH));
  // What is taken away may leave an address behind that stood around it.
  for (let before = ''; before !== text;) {
    before = text;
    text = removeAddresses(text);
  }
  // What was taken away or cut off may leave a joiner behind that joins nothing.
  return removeInvisible(shorten(removeInvisible(text), longest));
}

/**
 * Whether mail programs, or readers, would find the address of a page in a name. An abbreviation or a number with dots
 * in it is none: "St.Pauli", "v2.0".
 */
export function containsUrl(name: string): boolean {
  const text = replaceSpelledDots(normaliseVisible(name.slice(0, MAX_INSPECTED_LENGTH)));
  return stripUrls(text) !== text;
}

/**
 * A name that others bring along (a list, a shop, a provider of identities): as it is, unless it holds the address of a
 * page; then without it. The same rule by which people's own are refused.
 * @returns '' when nothing but an address was there
 */
export function removeUrlsIfAny(name: string): string {
  return containsUrl(name) ? removeUrls(name, name.length) : name;
}

function normaliseVisible(name: string): string {
  const seen = removeInvisible(name.toWellFormed().replace(INVISIBLE_CHARACTERS, ' '));
  // The three dots of an ellipsis are no dots between words.
  const written = seen.split('…').map((part) => toNfkc(part, MAX_INSPECTED_LENGTH));
  return removeInvisible(collapseSpaces(written.join('…').replace(DOTS, '.').replace(INVISIBLE_CHARACTERS, ' ')));
}

function removeAddresses(text: string): string {
  return collapseSpaces(stripUrls(replaceSpelledDots(text)).replace(TIGHT_DOT, '. '));
}

/** With the dots that are written as words. */
const replaceSpelledDots = (text: string): string =>
  collapseSpaces(text.replace(BRACKETED_DOTS, '.').replace(SEVERAL_DOTS, '.').replace(SPELLED_DOTS, '.'));

function stripUrls(text: string): string {
  const rest = text.replace(SCHEME, ' ').replace(WORLD_WIDE_WEB, ' ').replace(ADDRESS, ' ').replace(IP_ADDRESSES, ' ');
  return collapseSpaces(rest.replace(DOTTED_LABELS, stripDomain).replace(LOOSE_ENDING, ' '));
}

/** Labels from the first to the last ending that is one, taken away; the labels after it are looked at again. */
function stripDomain(found: string): string {
  const [labels = ''] = /^[^:/?#]+/u.exec(found) ?? [];
  const parts = labels.trim().split(/([ \t]*\.[ \t]*)/u);
  for (let at = parts.length - 1; at >= 2; at -= 2) {
    if (!isTopLevelDomain(parts[at]!, parts[at - 1]!)) continue;
    const kept = at === parts.length - 1 ? '' : parts.slice(at + 2).join('');
    return ` ${kept} `;
  }
  // A path shows that an address was meant, whatever its ending.
  return /[/?#]\S/u.test(found.slice(labels.length)) && !/\s/u.test(labels.trim()) ? ' ' : found;
}

/**
 * Whether a label ends a domain, judged by the dot before it: without spaces each ending counts, with one before it as
 * well; after "Dr. " or "Listen. " only those that are no words.
 */
function isTopLevelDomain(label: string, dot: string): boolean {
  const ending = removeJoiners(label).toLowerCase();
  if (/^\.\s/u.test(dot)) return wellKnownTlds.has(ending);
  return ending.startsWith('xn--') || genericTlds.has(ending) || nonLatinTlds.has(ending) || isCountryTld(ending);
}

/** Two letters of a country, and the few endings of that length that are none. */
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
