/** A page with one letter of a font that isn't in the file, where the first letter of unembedded-letters.pdf is. */
export function unembedded(font: string, glyph: string): Buffer {
  const content = 'BT /F1 24 Tf 12 370 Td <80> Tj ET';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 264 400]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    `<</Type/Font/Subtype/TrueType/BaseFont/${font}/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[128/${glyph}]>>>>`,
  ];
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('');
  // PDFium reads a file without a table of objects by looking for them.
  return Buffer.from(`%PDF-1.7\n${body}trailer <</Size ${objects.length + 1}/Root 1 0 R>>\n%%EOF\n`, 'latin1');
}
