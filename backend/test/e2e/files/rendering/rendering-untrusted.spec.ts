import { createPdf, createPng } from '../../../../src/cli/seed/demo-files.js';
import { RenderingFixture } from './rendering-fixture.js';
import {
  undecodableImagePdf,
  pageWithBox,
  damageFile,
  exponentialFormsPdf,
  endlessPatternPdf,
  invalidPageTrees,
} from './generated/pdf-samples.js';

const letter = createPdf('Light', ['Soft light and hard light']);
/** A page size, or a documented error code; anything else is a bug. */
const KNOWN_OUTCOMES =
  /^(\d+x\d+|damaged|wrong-type|empty|too-many-pages|too-slow|too-large|unsupported|locked|no-page)$/;

let fixture: RenderingFixture;
beforeEach(() => {
  fixture = new RenderingFixture();
});
afterEach(() => fixture.close());

describe('Rendering of untrusted documents', () => {
  it('reports an outcome for each of twenty damaged documents and leaves no temp files', async () => {
    const outcomes: string[] = [];
    for (let seed = 0; seed < 20; seed++) outcomes.push(await fixture.renderOutcome(damageFile(letter, seed)));
    expect(outcomes.filter((outcome) => !KNOWN_OUTCOMES.test(outcome))).toEqual([]);
    expect(outcomes).toContain('damaged');
    expect(outcomes).toContain('600x849');
    expect(await fixture.renderOutcome(letter)).toBe('600x849');
    expect(fixture.listTempFiles()).toEqual([]);
  });

  it.each(Object.keys(invalidPageTrees))('reports an outcome for %s', async (name) => {
    expect(await fixture.renderOutcome(invalidPageTrees[name]!)).toMatch(KNOWN_OUTCOMES);
    expect(await fixture.renderOutcome(letter)).toBe('600x849');
  });

  it.each([
    ['no bytes', Buffer.alloc(0), 'empty'],
    ['a picture', createPng(10, 10, [0, 0, 0], [9, 9, 9]), 'wrong-type'],
    ['only the header', Buffer.from('%PDF-1.7'), 'damaged'],
    ['a header without any objects', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(9000, 7)]), 'damaged'],
    ['a header that begins late', Buffer.concat([Buffer.alloc(500, 32), letter]), '600x849'],
    ['a page without an area', pageWithBox('0 0 0 0'), /^(damaged|600x\d+)$/],
    ['a page of endless size', pageWithBox('0 0 1e39 1e39'), /^(damaged|600x\d+)$/],
  ])('reports the expected outcome for %s', async (_name, bytes, outcome) => {
    expect(await fixture.renderOutcome(bytes)).toEqual(
      typeof outcome === 'string' ? outcome : expect.stringMatching(outcome),
    );
  });

  it('fails with no-page for a page after the last one', async () => {
    const source = await fixture.storeDocument(letter);
    await expect(fixture.service.renderPage(source, 2, [600])).rejects.toMatchObject({ failure: 'no-page' });
    const pageless = await fixture.storeDocument(invalidPageTrees['a page that is no object']!);
    await expect(fixture.service.renderPage(pageless, 1, [600])).rejects.toMatchObject({ failure: 'damaged' });
  });

  it('kills the process of an endless page, and the next request starts another', async () => {
    const endless = await fixture.storeDocument(endlessPatternPdf());
    await fixture.service.openDocument(endless);
    const pid = fixture.service.pid;
    fixture.limits.pageTimeout = 500;
    expect(await fixture.findFault(() => fixture.service.renderPage(endless, 1, [600]))).toBe('too-slow');
    fixture.limits.pageTimeout = 120_000;
    expect(fixture.service.pid).not.toBe(pid);
    expect(await fixture.renderOutcome(letter)).toBe('600x849');
  });

  it('survives a picture that crashed earlier builds', async () => {
    const source = await fixture.storeDocument(undecodableImagePdf());
    await fixture.service.openDocument(source);
    const pid = fixture.service.pid;
    expect(await fixture.service.renderPage(source, 1, [600])).toMatchObject([{ width: 600, height: 600 }]);
    expect(fixture.service.pid).toBe(pid);
  });

  it('rejects a document that is too large for memory', async () => {
    fixture.limits.maxBytes = 1000;
    expect(await fixture.renderOutcome(Buffer.concat([letter, Buffer.alloc(1000)]))).toBe('too-large');
    expect(fixture.service.pid).toBeUndefined();
  });

  it('replaces a process that runs out of memory', async () => {
    expect(await fixture.renderOutcome(exponentialFormsPdf())).toBe('damaged');
    expect(await fixture.renderOutcome(letter)).toBe('600x849');
  });
});

describe('Document with a large memory demand', () => {
  beforeEach(async () => {
    await fixture.close();
    fixture = new RenderingFixture(256);
  });

  it('is rejected if too large, or gets a process with no other document open', async () => {
    const large = (megabytes: number) =>
      fixture.storeDocument(Buffer.concat([letter, Buffer.alloc(megabytes * 2 ** 20)]));
    await expect(fixture.service.openDocument(await large(250))).rejects.toMatchObject({ failure: 'too-large' });
    // Each fits the limit, but not both together.
    const [one, other] = [await large(130), await large(131)];
    await fixture.service.openDocument(one);
    const pid = fixture.service.pid;
    expect(await fixture.service.openDocument(other)).toMatchObject({ count: 1 });
    expect(fixture.service.pid).not.toBe(pid);
  });
});
