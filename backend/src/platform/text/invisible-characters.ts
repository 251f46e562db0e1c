/** Letters that joiners never affect; between them a joiner could only disguise a difference between two names. */
const PLAIN_LETTER = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u0300-\u036f]`;
const LETTER = String.raw`(?!${PLAIN_LETTER})[\p{L}\p{M}]`;
const LETTER_BEFORE = String.raw`(?<!${PLAIN_LETTER})(?<=[\p{L}\p{M}])`;
const EMOJI_BEFORE = String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u20e3])`;

/**
 * Invisible characters that affect rendering: ZWNJ (U+200C) and ZWJ (U+200D) between letters of Arabic, Indic and
 * similar scripts, ZWJ after an Indic mark, and parts of emoji (ZWJ, variation selector U+FE0F, and flag tags). See The
 * Unicode Standard 23.2 and UTS #51.
 */
const NEEDED = [
  `${LETTER_BEFORE}[\\u200c\\u200d](?=${LETTER})`,
  String.raw`(?<!${PLAIN_LETTER})(?<=\p{M})\u200d`,
  String.raw`${EMOJI_BEFORE}\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})\ufe0f|\ufe0f(?=\u20e3)`,
  String.raw`(?<=\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0020}-\u{e007f}]`,
].join('|');

const INVISIBLE = new RegExp(String.raw`(${NEEDED})|[\p{Cf}\p{Default_Ignorable_Code_Point}]`, 'gu');
const JOINERS = /[\u200c\u200d]/g;

/** Removes invisible characters, except those that a script or an emoji needs. */
export const removeInvisible = (text: string): string =>
  text.replace(INVISIBLE, (_, needed: string | undefined) => needed ?? '');

/** Removes joiners for searching, because people type words with and without them. */
export const removeJoiners = (text: string): string => text.replace(JOINERS, '');
