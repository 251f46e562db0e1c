import {
  FIRST_EXTRA_OBJECT,
  FIRST_PAGE_OBJECT,
  textLines,
  createTextPdf,
} from '../../../backend/test/e2e/files/rendering/generated/text-pdf.ts';
import type { SampleFile } from './sample-files.ts';

const pageCount = 30;
const pageReference = (page: number) => `${FIRST_PAGE_OBJECT + 2 * (page - 1)} 0 R`;

/**
 * A course of 30 pages with text, a link to page 12, a link to example.org, and an outline. One word is on pages 12 and
 * 30 only, and one is hyphenated at the end of a line.
 */
export function createCoursePdf(name: string): SampleFile {
  const pageContent = (page: number) =>
    textLines(
      `Lesson ${page} of the course`,
      'Every brush is an exam-',
      'ple of its own',
      'See lesson twelve',
      'More at the library',
      page === 12 || page === 30 ? 'Cadmium yellow is warm' : 'Paper is white',
    );
  const [internalLink, externalLink, outlineRoot] = [
    FIRST_EXTRA_OBJECT,
    FIRST_EXTRA_OBJECT + 1,
    FIRST_EXTRA_OBJECT + 2,
  ];
  const outlineItem = (at: number) => `${outlineRoot + at} 0 R`;
  const destinationOf = (page: number) => `/Dest [${pageReference(page)} /Fit]`;
  const buffer = createTextPdf({
    pages: Array.from({ length: pageCount }, (_, index) => pageContent(index + 1)),
    pageEntries: `/Annots [${internalLink} 0 R ${externalLink} 0 R]`,
    catalogueEntries: `/Outlines ${outlineRoot} 0 R`,
    extraObjects: [
      `<< /Type /Annot /Subtype /Link /Rect [60 622 240 644] ${destinationOf(12)} >>`,
      '<< /Type /Annot /Subtype /Link /Rect [60 598 250 620] /A << /S /URI /URI (https://example.org/colours) >> >>',
      `<< /Type /Outlines /First ${outlineItem(1)} /Last ${outlineItem(3)} >>`,
      `<< /Title (Colours) ${destinationOf(1)} /Next ${outlineItem(3)} /First ${outlineItem(2)} /Last ${outlineItem(2)} >>`,
      `<< /Title (Warm ones) ${destinationOf(12)} >>`,
      `<< /Title (Brushes) ${destinationOf(20)} >>`,
    ],
  });
  return { name, mimeType: 'application/pdf', buffer };
}
