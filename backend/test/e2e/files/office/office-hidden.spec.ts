import { readFileSync } from 'node:fs';
import { RenderingFixture } from '../rendering/rendering-fixture.js';
import { describeWithOffice, OfficeFixture } from './office-fixture.js';
import { odt, paragraph } from './office-samples.js';

let fixture: OfficeFixture;
let renderer: RenderingFixture;

const sample = (name: string) => readFileSync(new URL(`../../../support/samples/hidden/${name}`, import.meta.url));

/** The words of all pages. */
async function read(pdf: Buffer): Promise<string[]> {
  const source = await renderer.storeDocument(pdf);
  const { count } = await renderer.service.openDocument(source);
  const words: string[] = [];
  for (let page = 1; page <= count; page++)
    words.push(...(await renderer.service.extractText(source, page)).words.map(([word]) => word));
  return words;
}

describeWithOffice('Hidden content of Office documents', () => {
  beforeEach(() => {
    fixture = new OfficeFixture();
    // Created second, so that it is closed first.
    renderer = new RenderingFixture();
  });
  afterEach(async () => {
    await renderer.close();
    await fixture.close();
  });

  it.each(['xlsx', 'ods', 'xls'])('is left out and reported for hidden sheets of %s', async (extension) => {
    const { bytes, hidden } = await fixture.convert(sample(`sheets.${extension}`), extension);
    expect(await read(bytes)).toEqual(['SHOWNCELL']);
    expect(hidden).toEqual({ sheets: 2, deletions: false });
  });

  it.each(['docx', 'odt', 'doc', 'rtf'])('is left out and reported for tracked deletions in %s', async (extension) => {
    const { bytes, hidden } = await fixture.convert(sample(`tracked.${extension}`), extension);
    expect(await read(bytes)).toEqual(['KEPT', 'INSERTED', 'COMMENTED']);
    expect(hidden).toEqual({ sheets: 0, deletions: true });
  });

  it('is not reported when nothing is hidden', async () => {
    const { bytes, hidden } = await fixture.convert(odt(paragraph('Light')), 'odt');
    expect(await read(bytes)).toEqual(['Light']);
    expect(hidden).toBeNull();
  });
});
