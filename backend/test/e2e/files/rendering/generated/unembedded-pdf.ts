const OBJECTS = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 264 400]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
];

const stream = (content: string) => `<</Length ${content.length}>>stream\n${content}\nendstream`;
/** At the position of the first letter of `unembedded-letters.pdf`. */
const showCode = (code: string) => stream(`BT /F1 24 Tf 12 370 Td <${code}> Tj ET`);

/** A page with one letter of a font that isn't embedded, by glyph name. */
export function pdfWithUnembeddedFont(font: string, glyph: string): Buffer {
  return toPdf([
    ...OBJECTS,
    showCode('80'),
    `<</Type/Font/Subtype/TrueType/BaseFont/${font}/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[128/${glyph}]>>>>`,
  ]);
}

/** A page with one letter of such a font, by glyph number, optionally with the letter it claims to be. */
export function pdfWithUnembeddedGlyph(font: string, glyph: number, letter?: string): Buffer {
  const code = glyph.toString(16).padStart(4, '0');
  const map = `1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <${code}> <${letter?.charCodeAt(0).toString(16).padStart(4, '0')}> endbfchar`;
  return toPdf([
    ...OBJECTS,
    showCode(code),
    `<</Type/Font/Subtype/Type0/BaseFont/${font}/Encoding/Identity-H/DescendantFonts[6 0 R]${letter ? '/ToUnicode 8 0 R' : ''}>>`,
    `<</Type/Font/Subtype/CIDFontType2/BaseFont/${font}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 7 0 R/DW 600>>`,
    `<</Type/FontDescriptor/FontName/${font}/Flags 4/FontBBox[0 -300 2000 1000]/ItalicAngle 0/Ascent 905/Descent -212/StemV 80>>`,
    stream(`begincmap ${map} endcmap`),
  ]);
}

/** PDFium reads a file without a cross-reference table by scanning for objects. */
function toPdf(objects: readonly string[]): Buffer {
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${body}trailer <</Size ${objects.length + 1}/Root 1 0 R>>\n%%EOF\n`, 'latin1');
}
