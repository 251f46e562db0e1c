import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { uploadFile } from '../upload/multipart-helpers.js';
import { textLines, createNumberedPages, createTextPdf } from './generated/text-pdf.js';

let world: World;
let owner: Actor;
let zone: TestZone;

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
const storeAndRender = async (bytes: Buffer) => {
  const file = await uploadFile(owner.client, zone.id, uniqueName('document.pdf'), bytes);
  await world.testApp.drain();
  return file;
};
/** A document with these texts, one per page. */
const storeTexts = async (...texts: string[]) => {
  const { id } = await storeAndRender(createNumberedPages(texts.length, 'Page'));
  for (const [index, text] of texts.entries())
    await execute('update file_page_texts set text = ? where file_id = ? and page = ?', [text, id, index + 1]);
  return id;
};
const searchDocument = (id: number, query: string) => owner.client.get(`/api/files/${id}/pages/search${query}`);
const search = async (id: number, q: string) =>
  (await searchDocument(id, `?q=${encodeURIComponent(q)}`).expect(200)).body as {
    page: number;
    from: number;
    length: number;
  }[];
/** The matches, as they appear in the text, by page. */
const findMatches = async (id: number, q: string) => {
  const texts = await execute<{ page: number; text: string }>(
    'select page, text from file_page_texts where file_id = ?',
    [id],
  );
  const on = (page: number) => texts.find((row) => row.page === page)!.text;
  return (await search(id, q)).map(({ page, from, length }) => [page, on(page).slice(from, from + length)]);
};

describeInProcess('GET /api/files/:id/pages/search', () => {
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  it('finds words with their pages and surrounding text', async () => {
    const { id } = await storeAndRender(
      createTextPdf({
        pages: [textLines('Soft light and', 'hard light'), textLines('nothing'), textLines('an exam-', 'ple of LIGHT')],
      }),
    );
    expect((await searchDocument(id, '?q=light').expect(200)).body).toEqual([
      { page: 1, from: 5, length: 5, around: 'Soft light and hard light' },
      { page: 1, from: 20, length: 5, around: 'Soft light and hard light' },
      { page: 3, from: 15, length: 5, around: 'an example of LIGHT' },
    ]);
    expect(await findMatches(id, 'example of')).toEqual([[3, 'exam\u00adple of']]);
  });

  it('folds case, accents, Turkish i and look-alike letters', async () => {
    const id = await storeTexts('ISPARTA ve İSTANBUL', 'ısparta Ödev o\u0308dev', 'die Straße, ﬁnal');
    expect(await findMatches(id, 'ısparta')).toEqual([
      [1, 'ISPARTA'],
      [2, 'ısparta'],
    ]);
    expect(await findMatches(id, 'istanbul')).toEqual([[1, 'İSTANBUL']]);
    expect(await findMatches(id, 'ODEV')).toEqual([
      [2, 'Ödev'],
      [2, 'o\u0308dev'],
    ]);
    expect(await findMatches(id, 'strasse')).toEqual([[3, 'Straße']]);
    expect(await findMatches(id, 'ﬁnal')).toEqual([[3, 'ﬁnal']]);
  });

  it('takes pattern characters literally, including full-width ones', async () => {
    const id = await storeTexts('100 % of it', 'a_b and a\\b', 'axb 100 of it');
    expect(await findMatches(id, '0 %')).toEqual([[1, '0 %']]);
    expect(await findMatches(id, '％ of')).toEqual([[1, '% of']]);
    expect(await findMatches(id, 'a_b')).toEqual([[2, 'a_b']]);
    expect(await findMatches(id, 'a\\b')).toEqual([[2, 'a\\b']]);
    expect(await search(id, '%%%')).toEqual([]);
    expect(await search(id, '___')).toEqual([]);
  });

  it('returns nothing without a match and rejects queries that fold to nothing', async () => {
    const id = await storeTexts('Soft light');
    for (const q of ['dark', 'light soft', '\u0301\u0301\u0301']) expect(await search(id, q)).toEqual([]);
    await searchDocument(id, `?q=${encodeURIComponent('\u00ad\u00ad\u00ad')}`).expect(400);
  });

  it('returns at most 500 matches, from the first pages', async () => {
    const id = await storeTexts('none', 'light '.repeat(300), 'light '.repeat(300), 'light');
    const found = await search(id, 'light');
    expect(found.map(({ page }) => page)).toEqual([
      ...Array.from({ length: 300 }, () => 2),
      ...Array.from({ length: 200 }, () => 3),
    ]);
  });

  it('accepts 3 to 200 letters', async () => {
    const id = await storeTexts('Soft light');
    for (const query of [
      '',
      '?q=',
      '?q=ab',
      '?q=%20ab%20',
      `?q=${'x'.repeat(201)}`,
      '?q=abc&q=abc',
      '?q[]=abc',
      '?q=ab%00',
    ])
      expect((await searchDocument(id, query).expect(400)).body.code).toBe('VALIDATION_FAILED');
    await searchDocument(id, `?q=${'x'.repeat(200)}`).expect(200);
  });

  it('finds matches in documents of 10,000 pages', async () => {
    const { id } = await storeAndRender(createNumberedPages(1, 'Page'));
    const filler = 'lorem ipsum dolor sit amet çalışma odası '.repeat(60);
    await execute(
      `insert into file_page_texts (file_id, page, text)
       select ?, n, ? || case when n % 100 = 0 then 'needle' else '' end from generate_series(2, 10000) n`,
      [id, filler],
    );
    expect((await search(id, 'NEEDLE')).map(({ page }) => page)).toEqual(
      Array.from({ length: 100 }, (_, index) => (index + 1) * 100),
    );
  });
});
