import { readFileSync } from 'node:fs';
import { DrawingDesk } from '../drawing/drawing-desk.js';
import { describeWithOffice, OfficeDesk } from './office-desk.js';
import { odt, paragraph } from './odd-office.js';

let desk: OfficeDesk;
let drawing: DrawingDesk;

const sample = (name: string) => readFileSync(new URL(`../../../support/samples/hidden/${name}`, import.meta.url));

/** The words of all pages. */
async function read(pdf: Buffer): Promise<string[]> {
  const source = await drawing.store(pdf);
  const { count } = await drawing.service.openDocument(source);
  const words: string[] = [];
  for (let page = 1; page <= count; page++)
    words.push(...(await drawing.service.extractText(source, page)).words.map(([word]) => word));
  return words;
}

describeWithOffice('what is hidden in documents', () => {
  beforeEach(() => {
    desk = new OfficeDesk();
    // After it, so that it is closed before.
    drawing = new DrawingDesk();
  });
  afterEach(async () => {
    await drawing.close();
    await desk.close();
  });

  it.each(['xlsx', 'ods', 'xls'])('is neither printed nor lost sight of: hidden sheets of %s', async (extension) => {
    const { bytes, hidden } = await desk.made(sample(`sheets.${extension}`), extension);
    expect(await read(bytes)).toEqual(['SHOWNCELL']);
    expect(hidden).toEqual({ sheets: 2, deletions: false });
  });

  it.each(['docx', 'odt', 'doc', 'rtf'])('is not printed: what changes have deleted in %s', async (extension) => {
    const { bytes, hidden } = await desk.made(sample(`tracked.${extension}`), extension);
    expect(await read(bytes)).toEqual(['KEPT', 'INSERTED', 'COMMENTED']);
    expect(hidden).toEqual({ sheets: 0, deletions: true });
  });

  it('is nothing of a document in which nothing is hidden', async () => {
    const { bytes, hidden } = await desk.made(odt(paragraph('Light')), 'odt');
    expect(await read(bytes)).toEqual(['Light']);
    expect(hidden).toBeNull();
  });
});
