import { buildPdf, pdfStream } from './pdf-samples.js';

/** Character codes of a font and the text each stands for, both in hexadecimal. */
type CharacterCodes = Readonly<Record<string, string>>;

interface TextPdfOptions {
  /** Content stream of each page; the font is F1. */
  readonly pages: readonly string[];
  /** Further entries of each page: boxes, rotation, links. */
  readonly pageEntries?: string;
  readonly catalogueEntries?: string;
  readonly codes?: CharacterCodes;
  /** Numbered from `FIRST_EXTRA_OBJECT`. */
  readonly extraObjects?: readonly string[];
}

/** Number of the first object that a test adds; the first page is object 5. */
export const FIRST_EXTRA_OBJECT = 100;
export const FIRST_PAGE_OBJECT = 5;

/** A document with text, 600 by 800 points by default. */
export function createTextPdf({
  pages,
  pageEntries = '',
  catalogueEntries = '',
  codes = {},
  extraObjects = [],
}: TextPdfOptions): Buffer {
  const numbers = pages.map((_, index) => FIRST_PAGE_OBJECT + 2 * index);
  const objects: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R ${catalogueEntries} >>`,
    `<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages.length}
      /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 4 0 R >>',
    pdfStream(toUnicodeMap(codes)),
    ...pages.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R ${pageEntries} /Contents ${numbers[index]! + 1} 0 R >>`,
      pdfStream(Buffer.from(content, 'latin1')),
    ]),
  ];
  while (extraObjects.length > 0 && objects.length < FIRST_EXTRA_OBJECT - 1) objects.push('null');
  return buildPdf([...objects, ...extraObjects]);
}

/** Lines of text, 20 points high, from the upper left. */
export const textLines = (...texts: string[]): string =>
  `BT /F1 20 Tf 60 700 Td ${texts.map((text) => `(${text}) Tj 0 -24 Td`).join(' ')} ET`;

/** This many pages, each with the same line and its number. */
export const createNumberedPages = (count: number, line: string): Buffer =>
  createTextPdf({ pages: Array.from({ length: count }, (_, index) => textLines(`${line} ${index + 1}`)) });

function toUnicodeMap(codes: CharacterCodes): string {
  const pairs = Object.entries(codes).map(([code, text]) => `<${code}> <${text}>`);
  if (pairs.length === 0) return '';
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
    1 begincodespacerange <00> <ff> endcodespacerange
    ${pairs.length} beginbfchar ${pairs.join('\n')} endbfchar endcmap end end`;
}

const hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');

/** Codes for letters that the font's encoding lacks, and a content stream with a text that uses them. */
export function encodeWithCodes(text: string): { codes: CharacterCodes; content: string } {
  const letters = [...new Set(text)];
  const code = (letter: string) => (0x41 + letters.indexOf(letter)).toString(16);
  const codes = Object.fromEntries(letters.map((letter) => [code(letter), hex(letter)]));
  const encoded = [...text].map(code).join('');
  return { codes, content: `BT /F1 20 Tf 60 700 Td <${encoded}> Tj ET` };
}
