/** Selects the installed font that replaces a font which a document names but doesn't embed. */

/** PDFium's description of the missing font. Charsets and pitches are those of fpdf_sysfontinfo.h.
 * @typedef {{ family: string, weight: number, isItalic: boolean, charset: number, pitch: number }} FontRequest */
/** @typedef {import('./font-files.mjs').Face} Face */

const SANS = ['Arial', 'Liberation Sans', 'Arimo', 'Nimbus Sans', 'FreeSans', 'DejaVu Sans', 'Noto Sans'];
const SERIF = [
  'Times New Roman',
  'Liberation Serif',
  'Tinos',
  'Nimbus Roman',
  'FreeSerif',
  'DejaVu Serif',
  'Noto Serif',
];
const MONO = ['Courier New', 'Liberation Mono', 'Cousine', 'Nimbus Mono PS', 'FreeMono', 'DejaVu Sans Mono'];
const NARROW = ['Arial Narrow', 'Liberation Sans Narrow', 'DejaVu Sans Condensed'];
/** DejaVu has Arabic, Hebrew and many symbols, which fonts made for a single language lack. */
const MANY_SCRIPTS = ['DejaVu Sans', 'Noto Sans', 'Arial Unicode MS', 'Segoe UI'];

/**
 * Fonts with the same widths or of the same kind, by the beginning of a name in lower case without spaces.
 * @type {[RegExp, string[]][]}
 */
const SIMILAR_FAMILIES = [
  [/^(arialnarrow|helveticanarrow|helveticacondensed)/, NARROW],
  [/^arialunicode/, [...MANY_SCRIPTS, ...SANS]],
  [/^(helvetica|arial)/, SANS],
  [/^(times|georgia|garamond|palatino|bookantiqua|bookman|century|minion|newyork|roman)/, SERIF],
  [/^(courier|consolas|lucidaconsole|menlo|monaco|andalemono)/, MONO],
  [/^calibri/, ['Carlito', ...SANS]],
  [/^cambria/, ['Caladea', ...SERIF]],
  [/^(verdana|tahoma|segoeui|lucidasans)/, ['DejaVu Sans', ...SANS]],
];

/** Common fonts for which there are replacements. */
export const REPLACEABLE_FAMILIES = [
  ...[
    'Calibri',
    'Cambria',
    'Verdana',
    'Tahoma',
    'Segoe UI',
    'Georgia',
    'Garamond',
    'Palatino Linotype',
    'Book Antiqua',
  ],
  ...['Arial Narrow', 'Arial Unicode MS', 'Consolas', 'Lucida Console', 'Trebuchet MS', 'Century Gothic', 'Candara'],
];

/**
 * Scripts: the charset that PDFium requests, the code page bit in the OS/2 table, and names of fonts made for the
 * script.
 */
const SCRIPTS = [
  {
    charset: 128,
    bit: 17,
    pattern: /^(ms(p|ui)?(gothic|mincho)|meiryo|yu(gothic|mincho)|hiragino|koz(min|go)|heisei|ryumin|gothicbbb|ipa)/,
    fonts: ['Noto Sans CJK JP', 'IPAGothic', 'IPAexGothic', 'Hiragino Sans', 'Yu Gothic', 'MS Gothic'],
  },
  {
    charset: 134,
    bit: 18,
    pattern:
      /^(simsun|nsimsun|simhei|fangsong|kaiti|microsoftyahei|dengxian|st(song|heiti|kaiti|fangsong|xihei|zhongsong)|song|pingfangsc|adobesong|adobeheiti)/,
    fonts: ['Noto Sans CJK SC', 'WenQuanYi Micro Hei', 'WenQuanYi Zen Hei', 'PingFang SC', 'Microsoft YaHei', 'SimSun'],
  },
  {
    charset: 136,
    bit: 20,
    pattern: /^(p?mingliu|microsoftjhenghei|dfkai|msung|mhei|mkai|pingfangtc|adobeming)/,
    fonts: ['Noto Sans CJK TC', 'AR PL UMing TW', 'PingFang TC', 'Microsoft JhengHei', 'MingLiU'],
  },
  {
    charset: 129,
    bit: 19,
    pattern:
      /^(batang|gulim|dotum|gungsuh|malgun|hysmyeongjo|hygothic|hy|applesdgothic|nanum|adobemyungjo|un(batang|dotum))/,
    fonts: ['Noto Sans CJK KR', 'NanumGothic', 'UnDotum', 'Apple SD Gothic Neo', 'Malgun Gothic', 'Batang'],
  },
  {
    charset: 222,
    bit: 16,
    pattern: /^(angsana|cordia|browallia|leelawadee|thsarabun|loma|garuda|tlwg|norasi|dilleniaupc|eucrosiaupc)/,
    fonts: ['Loma', 'Garuda', 'Noto Sans Thai'],
  },
  {
    charset: 178,
    bit: 6,
    pattern:
      /^(traditionalarabic|simplifiedarabic|arabictypesetting|sakkalmajalla|geezapro|albayan|baghdad|andalus|nazanin|bnazanin|amiri|naskh)/,
    fonts: [...MANY_SCRIPTS, 'Noto Naskh Arabic', 'Noto Sans Arabic', 'Amiri'],
  },
  {
    charset: 177,
    bit: 5,
    pattern: /^(david|miriam|frankruehl|narkisim|aharoni|gisha|rod)/,
    fonts: [...MANY_SCRIPTS, 'Noto Sans Hebrew'],
  },
];
/** Fonts with all CJK scripts, used when there is none for a specific one. */
const CJK = ['WenQuanYi Micro Hei', 'WenQuanYi Zen Hei', 'Droid Sans Fallback', 'Noto Sans CJK SC'];
const CJK_CHARSETS = [128, 129, 134, 136];
/** Devanagari has no Windows code page, so fonts can't be found by it. */
const DEVANAGARI = {
  pattern: /^(mangal|kokila|utsaah|aparajita|kruti|devanagari|lohit|nirmala|kohinoordevanagari)/,
  fonts: ['Lohit Devanagari', 'Noto Sans Devanagari', 'Nirmala UI'],
};
const SYMBOL_CHARSET = 2;
/** Bits of the pitch. */
const FIXED_PITCH = 1;
const ROMAN_PITCH = 16;
const MIN_BOLD_WEIGHT = 600;

/**
 * @param {readonly Face[]} faces
 * @param {FontRequest} request
 * @returns {Face | undefined} undefined if PDFium's built-in font is best
 */
export function findFace(faces, request) {
  const name = normaliseName(request.family);
  const exactMatch = firstAvailableFace(faces, request, [request.family]);
  if (exactMatch) return exactMatch;
  if (request.charset === SYMBOL_CHARSET) return undefined;
  const script =
    SCRIPTS.find(({ charset }) => charset === request.charset) ?? SCRIPTS.find(({ pattern }) => pattern.test(name));
  if (script) {
    const isCjk = CJK_CHARSETS.includes(script.charset);
    const codePageFamilies = faces
      .filter(({ codePages }) => (codePages >>> script.bit) & 1)
      .map(({ family }) => family);
    return firstAvailableFace(faces, request, [...script.fonts, ...(isCjk ? CJK : []), ...codePageFamilies]);
  }
  const similar = SIMILAR_FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? [];
  const devanagari = DEVANAGARI.pattern.test(name) ? DEVANAGARI.fonts : [];
  const generic = request.pitch & FIXED_PITCH ? MONO : request.pitch & ROMAN_PITCH ? SERIF : SANS;
  return firstAvailableFace(faces, request, [...devanagari, ...similar, ...generic]);
}

/**
 * Returns the font whose letters extend a general one: PDFium looks for letters that a font lacks only in Arial.
 * @returns {Face | undefined} undefined for all but general fonts
 */
export function findExtendingFace(/** @type {readonly Face[]} */ faces, /** @type {Face} */ face) {
  const isGeneric = [...SANS, ...SERIF, ...MONO].includes(face.family) && !/^DejaVu/.test(face.family);
  if (!isGeneric || face.isCollection) return undefined;
  const weight = face.isBold ? MIN_BOLD_WEIGHT : 0;
  const extension = firstAvailableFace(faces, { weight, isItalic: false }, ['DejaVu Sans']);
  return extension?.isCollection ? undefined : extension;
}

/** Returns the face of the first available family, with the requested weight and slant if there is one. */
function firstAvailableFace(
  /** @type {readonly Face[]} */ faces,
  /** @type {Pick<FontRequest, 'weight' | 'isItalic'>} */ { weight, isItalic },
  /** @type {string[]} */ families,
) {
  const isBold = weight >= MIN_BOLD_WEIGHT;
  for (const family of families) {
    const familyFaces = faces.filter((face) => normaliseName(face.family) === normaliseName(family));
    const mismatches = (/** @type {Face} */ face) =>
      Number(face.isBold !== isBold) * 2 + Number(face.isItalic !== isItalic);
    const [best] = familyFaces.toSorted((one, other) => mismatches(one) - mismatches(other));
    if (best) return best;
  }
  return undefined;
}

function normaliseName(/** @type {string} */ name) {
  return name.toLowerCase().replace(/[\s,_-]/g, '');
}
