import { FIRST_MORE, FIRST_PAGE, lines, worded } from '../../../backend/test/e2e/files/drawing/generated/worded-pdf.ts';
import type { SampleFile } from './files.ts';

const pages = 30;
const pageObject = (page: number) => `${FIRST_PAGE + 2 * (page - 1)} 0 R`;

/**
 * A course of 30 pages with text, a link to page 12, one to example.org, and an outline. A word stands on pages 12 and 30
 * only, and one is parted at the end of a line.
 */
export function book(name: string): SampleFile {
  const text = (page: number) =>
    lines(
      `Lesson ${page} of the course`,
      'Every brush is an exam-',
      'ple of its own',
      'See lesson twelve',
      'More at the library',
      page === 12 || page === 30 ? 'Cadmium yellow is warm' : 'Paper is white',
    );
  const [inside, outside, root] = [FIRST_MORE, FIRST_MORE + 1, FIRST_MORE + 2];
  const chapter = (at: number) => `${root + at} 0 R`;
  const opens = (page: number) => `/Dest [${pageObject(page)} /Fit]`;
  const buffer = worded({
    pages: Array.from({ length: pages }, (_, at) => text(at + 1)),
    page: `/Annots [${inside} 0 R ${outside} 0 R]`,
    catalogue: `/Outlines ${root} 0 R`,
    more: [
      `<< /Type /Annot /Subtype /Link /Rect [60 622 240 644] ${opens(12)} >>`,
      '<< /Type /Annot /Subtype /Link /Rect [60 598 250 620] /A << /S /URI /URI (https://example.org/colours) >> >>',
      `<< /Type /Outlines /First ${chapter(1)} /Last ${chapter(3)} >>`,
      `<< /Title (Colours) ${opens(1)} /Next ${chapter(3)} /First ${chapter(2)} /Last ${chapter(2)} >>`,
      `<< /Title (Warm ones) ${opens(12)} >>`,
      `<< /Title (Brushes) ${opens(20)} >>`,
    ],
  });
  return { name, mimeType: 'application/pdf', buffer };
}
