const LINES = 42;
const WORDS = 13;
const some =
  'light shade colour line paper hand table window morning evening glass water stone field letter voice garden road bridge river north winter summer shadow'.split(
    ' ',
  );

/** As many words as on a book's page, the same each time. */
function words(page) {
  const line = (at) => Array.from({ length: WORDS }, (_, n) => some[(page * 31 + at * 17 + n * 7) % some.length]);
  return Array.from({ length: LINES }, (_, at) => line(at).join(' '));
}

/** A PDF with this many pages full of text. */
export function book(pages) {
  const numbers = Array.from({ length: pages }, (_, at) => at);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${numbers.map((at) => `${4 + at * 2} 0 R`).join(' ')}]/Count ${pages}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>',
    ...numbers.flatMap((at) => {
      const lines = words(at).map((line) => `0 -16.5 Td (${line}) Tj`);
      const drawn = `BT /F1 20 Tf 60 770 Td (Lesson ${at + 1}) Tj /F1 11.5 Tf\n${lines.join('\n')}\nET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${5 + at * 2} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        `<</Length ${drawn.length}>>stream\n${drawn}\nendstream`,
      ];
    }),
  ];
  let body = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = `${String(body.length).padStart(10, '0')} 00000 n \n`;
    body += `${at + 1} 0 obj${object}\nendobj\n`;
    return place;
  });
  const end = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`;
  return Buffer.from(`${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}${end}`, 'latin1');
}
