import { sendWebhook, buildOrder, WEBHOOK_SECRETS } from '../../support/webhook-deliveries.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { normaliseForComparison, normaliseForSearch } from '../../../src/platform/text/normalise-for-search.js';

/**
 * Every letter this Node version knows. The database reports which of them its Unicode version knows as well; for
 * others, the results may differ. Both versions are fixed by the lock file, so the letters are the same at each
 * run.
 */
const letters = Array.from({ length: 0x110000 }, (_, point) => point)
  .filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff))
  .map((point) => String.fromCodePoint(point))
  .filter((letter) => /\p{Assigned}/u.test(letter));

/** A capital letter for JavaScript but not for the database's ICU, which may be older. */
const isNewCapital = (letter: string, small: string) => small === letter && letter.toLowerCase() !== letter;

describeInProcess('Search folding', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(WEBHOOK_SECRETS);
  });
  afterAll(() => world.close());

  interface Folded {
    letter: string;
    /** Lower case according to ICU, which the database uses. */
    small: string;
    alone: string;
    inWord: string;
    key: string;
    again: string;
  }
  const foldInDatabase = () =>
    world.testApp.em().execute<Folded[]>(
      `select letter, lower(letter collate "und-x-icu") as small, search_fold(letter) as alone, search_fold('aΣ' || letter || 'ΣB') as "inWord", search_fold(key) as key,
         search_fold(folded) as again
       from jsonb_to_recordset(?::jsonb) as given (letter text, key text, folded text) where unicode_assigned(letter)`,
      [
        JSON.stringify(
          letters.map((letter) => ({
            letter,
            key: normaliseForComparison(letter),
            folded: normaliseForSearch(letter),
          })),
        ),
      ],
    );

  it('yields the same result in the application and the database for every letter', async () => {
    const known = await foldInDatabase();
    // The number of characters in Unicode 15.
    expect(known.length).toBeGreaterThan(149_000);
    const differing = known.flatMap(({ letter, small, ...found }) => {
      const folded = normaliseForSearch(letter);
      // Text that JavaScript has folded already, as names, queries and members are, must not change for any letter.
      const prepared = { key: folded, again: folded };
      const wanted = isNewCapital(letter, small)
        ? prepared
        : { ...prepared, alone: folded, inWord: normaliseForSearch(`aΣ${letter}ΣB`) };
      const isAlike = Object.entries(wanted).every(([how, text]) => found[how as keyof typeof found] === text);
      return isAlike ? [] : [{ point: letter.codePointAt(0)!.toString(16), wanted, found }];
    });
    expect(differing).toEqual([]);
    // No common script is affected: the first new capital is Cyrillic TJE, used in Khanty.
    const unknown = known.filter(({ letter, small }) => isNewCapital(letter, small));
    expect(unknown.filter(({ letter }) => letter < '\u1c89')).toEqual([]);
  });
});

/** A word with an accent, as people type it: without the accent, in capitals, and in full-width letters. */
const spellings = (word: string) => [
  word.replace('Ö', 'o'),
  word.toUpperCase(),
  word.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
];

describeInProcess('Search without accents', () => {
  let world: World;
  let admin: Actor;
  let owner: Actor;
  let zone: TestZone;
  let word: string;

  beforeAll(async () => {
    world = await World.open(WEBHOOK_SECRETS);
    [admin, owner] = [await registerUser(world), await registerUser(world)];
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
    zone = await createZone(owner);
  });
  beforeEach(() => {
    word = uniqueName('Ödev');
  });
  afterAll(() => world.close());

  const search = async (path: string, q: string, actor = admin): Promise<Record<string, unknown>[]> =>
    (await actor.client.get(path).query({ q }).expect(200)).body as Record<string, unknown>[];
  /** Each spelling finds the row, and wildcard characters match nothing. */
  const expectFound = async (path: string, row: object, actor = admin) => {
    for (const q of spellings(word)) expect([q, await search(path, q, actor)]).toMatchObject([q, [row]]);
    for (const q of [`％${word.slice(1)}`, `＿${word.slice(1)}`]) {
      expect([q, await search(path, q, actor)]).toEqual([q, []]);
    }
  };

  it('finds "Ödev" by "odev" among users and members', async () => {
    const member = await registerUser(world, { firstName: word });
    await joinPublicZone(zone, member);
    await expectFound('/api/admin/users', { id: member.id });
    await expectFound(`/api/zones/${zone.id}/members`, { userId: member.id }, owner);
  });

  it('finds "Ödev" by "odev" among zones and the zones to choose for a product', async () => {
    const { id } = await createZone(await registerUser(world), { name: word });
    await expectFound('/api/admin/zones', { id });
    await expectFound('/api/woocommerce/zones', { id });
  });

  it('finds "Ödev" by "odev" among files and folders, including ligatures', async () => {
    const path = `/api/zones/${zone.id}`;
    await owner.client
      .post(`${path}/folders`)
      .send({ name: `${word} ﬁ` })
      .expect(201);
    await expectFound(`${path}/search`, { name: `${word} ﬁ` }, owner);
    expect(await search(`${path}/search`, `${word} FI`, owner)).toHaveLength(1);
  });

  it('finds "Ödev" by "odev" among suggestions, for users and admins', async () => {
    const requestBody = { title: word, description: 'A calendar of what comes next, for all.', category: 'feature' };
    const { body } = await owner.client.post('/api/feature-suggestions').send(requestBody).expect(201);
    await expectFound('/api/feature-suggestions', { id: body.id }, owner);
    await expectFound('/api/admin/feature-suggestions', { id: body.id });
  });

  it('finds "Ödev" by "odev" among webhooks of the shop', async () => {
    const delivery = buildOrder({ id: 88_001, email: `${uniqueName('buyer')}@example.com` });
    Object.assign(delivery.billing, { first_name: word });
    await sendWebhook.woocommerce(world, delivery).expect(200);
    await world.testApp.drain();
    await expectFound('/api/woocommerce/webhook-logs', { orderId: '88001' });
  });

  it('finds "Ödev" by "odev" among mapped products, by product and zone name', async () => {
    const path = '/api/woocommerce/product-mappings';
    const named = await createZone(await registerUser(world), { name: word });
    for (const mapping of [
      { productId: '88002', productName: `${word} course`, zoneId: zone.id },
      { productId: '88003', productName: 'A course', zoneId: named.id },
    ]) {
      const { body } = await admin.client.post(path).send(mapping).expect(201);
      await expectFound(path, { id: body.id });
      await admin.client.delete(`${path}/${body.id}`).expect(204);
    }
  });

  it('finds names whose letters expand to many others', async () => {
    const name = 'ﷺ'.repeat(85);
    await owner.client.post(`/api/zones/${zone.id}/folders`).send({ name }).expect(201);
    expect(await search(`/api/zones/${zone.id}/search`, 'ﷺﷺ', owner)).toMatchObject([{ name }]);
  });
});
