/** Selects the installed font that replaces a font which a document names but doesn't embed. */

/** PDFium's description of the missing font. Charsets and pitches are those of fpdf_sysfontinfo.h.
 * @typedef {{ family: string, weight: number, isItalic: boolean, charset: number, pitch: number }} Wanted */
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
const WIDE = ['DejaVu Sans', 'Noto Sans', 'Arial Unicode MS', 'Segoe UI'];

/**
 * Fonts with the same widths or of the same kind, by the beginning of a name in lower case without spaces.
 * @type {[RegExp, string[]][]}
 */
const SIMILAR = [
  [/^(arialnarrow|helveticanarrow|helveticacondensed)/, NARROW],
  [/^arialunicode/, [...WIDE, ...SANS]],
  [/^(helvetica|arial)/, SANS],
  [/^(times|georgia|garamond|palatino|bookantiqua|bookman|century|minion|newyork|roman)/, SERIF],
  [/^(courier|consolas|lucidaconsole|menlo|monaco|andalemono)/, MONO],
  [/^calibri/, ['Carlito', ...SANS]],
  [/^cambria/, ['Caladea', ...SERIF]],
  [/^(verdana|tahoma|segoeui|lucidasans)/, ['DejaVu Sans', ...SANS]],
];

/** Common fonts for which there are replacements. */
export const STOOD_IN_FOR = [
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
    named: /^(ms(p|ui)?(gothic|mincho)|meiryo|yu(gothic|mincho)|hiragino|koz(min|go)|heisei|ryumin|gothicbbb|ipa)/,
    fonts: ['Noto Sans CJK JP', 'IPAGothic', 'IPAexGothic', 'Hiragino Sans', 'Yu Gothic', 'MS Gothic'],
  },
  {
    charset: 134,
    bit: 18,
    named:
      /^(simsun|nsimsun|simhei|fangsong|kaiti|microsoftyahei|dengxian|st(song|heiti|kaiti|fangsong|xihei|zhongsong)|song|pingfangsc|adobesong|adobeheiti)/,
    fonts: ['Noto Sans CJK SC', 'WenQuanYi Micro Hei', 'WenQuanYi Zen Hei', 'PingFang SC', 'Microsoft YaHei', 'SimSun'],
  },
  {
    charset: 136,
    bit: 20,
    named: /^(p?mingliu|microsoftjhenghei|dfkai|msung|mhei|mkai|pingfangtc|adobeming)/,
    fonts: ['Noto Sans CJK TC', 'AR PL UMing TW', 'PingFang TC', 'Microsoft JhengHei', 'MingLiU'],
  },
  {
    charset: 129,
    bit: 19,
    named:
      /^(batang|gulim|dotum|gungsuh|malgun|hysmyeongjo|hygothic|hy|applesdgothic|nanum|adobemyungjo|un(batang|dotum))/,
    fonts: ['Noto Sans CJK KR', 'NanumGothic', 'UnDotum', 'Apple SD Gothic Neo', 'Malgun Gothic', 'Batang'],
  },
  {
    charset: 222,
    bit: 16,
    named: /^(angsana|cordia|browallia|leelawadee|thsarabun|loma|garuda|tlwg|norasi|dilleniaupc|eucrosiaupc)/,
    fonts: ['Loma', 'Garuda', 'Noto Sans Thai'],
  },
  {
    charset: 178,
    bit: 6,
    named:
      /^(traditionalarabic|simplifiedarabic|arabictypesetting|sakkalmajalla|geezapro|albayan|baghdad|andalus|nazanin|bnazanin|amiri|naskh)/,
    fonts: [...WIDE, 'Noto Naskh Arabic', 'Noto Sans Arabic', 'Amiri'],
  },
  {
    charset: 177,
    bit: 5,
    named: /^(david|miriam|frankruehl|narkisim|aharoni|gisha|rod)/,
    fonts: [...WIDE, 'Noto Sans Hebrew'],
  },
];
/** Fonts with all CJK scripts, used when there is none for a specific one. */
const CJK = ['WenQuanYi Micro Hei', 'WenQuanYi Zen Hei', 'Droid Sans Fallback', 'Noto Sans CJK SC'];
const CJK_CHARSETS = [128, 129, 134, 136];
/** Devanagari has no Windows code page, so fonts can't be found by it. */
const DEVANAGARI = {
  named: /^(mangal|kokila|utsaah|aparajita|kruti|devanagari|lohit|nirmala|kohinoordevanagari)/,
  fonts: ['Lohit Devanagari', 'Noto Sans Devanagari', 'Nirmala UI'],
};
const SYMBOL_CHARSET = 2;
/** Bits of the pitch. */
const FIXED = 1;
const ROMAN = 16;
const BOLD = 600;

/**
 * @param {readonly Face[]} faces @param {Wanted} wanted @returns {Face | undefined} undefined if PDFium's built-in font
 *   is best
 */
export function findFace(faces, wanted) {
  const name = plain(wanted.family);
  const itself = faceOf(faces, wanted, [wanted.family]);
  if (itself) return itself;
  if (wanted.charset === SYMBOL_CHARSET) return undefined;
  const script =
    SCRIPTS.find(({ charset }) => charset === wanted.charset) ?? SCRIPTS.find(({ named }) => named.test(name));
  if (script) {
    const isCjk = CJK_CHARSETS.includes(script.charset);
    const states = faces.filter(({ codePages }) => (codePages >>> script.bit) & 1).map(({ family }) => family);
    return faceOf(faces, wanted, [...script.fonts, ...(isCjk ? CJK : []), ...states]);
  }
  const similar = SIMILAR.find(([named]) => named.test(name))?.[1] ?? [];
  const devanagari = DEVANAGARI.named.test(name) ? DEVANAGARI.fonts : [];
  const general = wanted.pitch & FIXED ? MONO : wanted.pitch & ROMAN ? SERIF : SANS;
  return faceOf(faces, wanted, [...devanagari, ...similar, ...general]);
}

/**
 * Returns the font whose letters extend a general one: PDFium looks for letters that a font lacks only in Arial.
 * @returns {Face | undefined} undefined for all but general fonts
 */
export function faceWithMore(/** @type {readonly Face[]} */ faces, /** @type {Face} */ face) {
  const isGeneral = [...SANS, ...SERIF, ...MONO].includes(face.family) && !/^DejaVu/.test(face.family);
  if (!isGeneral || face.isCollection) return undefined;
  const weight = face.isBold ? BOLD : 0;
  const more = faceOf(faces, { weight, isItalic: false }, ['DejaVu Sans']);
  return more?.isCollection ? undefined : more;
}

/** Returns the face of the first available family, with the requested weight and slant if there is one. */
function faceOf(
  /** @type {readonly Face[]} */ faces,
  /** @type {Pick<Wanted, 'weight' | 'isItalic'>} */ { weight, isItalic },
  /** @type {string[]} */ families,
) {
  const isBold = weight >= BOLD;
  for (const family of families) {
    const own = faces.filter((face) => plain(face.family) === plain(family));
    const misses = (/** @type {Face} */ face) =>
      Number(face.isBold !== isBold) * 2 + Number(face.isItalic !== isItalic);
    const [best] = own.toSorted((one, other) => misses(one) - misses(other));
    if (best) return best;
  }
  return undefined;
}

function plain(/** @type {string} */ name) {
  return name.toLowerCase().replace(/[\s,_-]/g, '');
}
