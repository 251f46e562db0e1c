const LINES_PER_PAGE = 42;
const WORDS_PER_LINE = 13;
const VOCABULARY =
  'light shade colour line paper hand table window morning evening glass water stone field letter voice garden road bridge river north winter summer shadow'.split(
    ' ',
  );

/** Returns lines with as many words as a book's page has, the same each time. */
function createLines(page) {
  const wordsOf = (line) =>
    Array.from({ length: WORDS_PER_LINE }, (_, n) => VOCABULARY[(page * 31 + line * 17 + n * 7) % VOCABULARY.length]);
  return Array.from({ length: LINES_PER_PAGE }, (_, line) => wordsOf(line).join(' '));
}

/** Creates a PDF with this many pages full of text. */
export function createBookPdf(pages) {
  const numbers = Array.from({ length: pages }, (_, index) => index);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${numbers.map((index) => `${4 + index * 2} 0 R`).join(' ')}]/Count ${pages}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>',
    ...numbers.flatMap((index) => {
      const lines = createLines(index).map((line) => `0 -16.5 Td (${line}) Tj`);
      const content = `BT /F1 20 Tf 60 770 Td (Lesson ${index + 1}) Tj /F1 11.5 Tf\n${lines.join('\n')}\nET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${5 + index * 2} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ];
    }),
  ];
  let body = '%PDF-1.4\n';
  const xrefEntries = objects.map((object, index) => {
    const xrefEntry = `${String(body.length).padStart(10, '0')} 00000 n \n`;
    body += `${index + 1} 0 obj${object}\nendobj\n`;
    return xrefEntry;
  });
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`;
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${xrefEntries.join('')}${trailer}`,
    'latin1',
  );
}
