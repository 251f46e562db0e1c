import {
  createZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { sendWebhook, buildOrder, WEBHOOK_SECRETS } from '../../support/webhook-deliveries.js';
import { describeInProcess, World } from '../../support/world.js';
import { importMembers } from '../zones/import-helpers.js';

const NAMES_WITH_URL = [
  'Win at www.evil.example now',
  'Prize evil.com',
  'Prize evil . com',
  'eve@evil.com',
  'http://e.test',
];
/** Disguised by invisible characters, characters that look like a dot, and letters of other scripts. */
const DISGUISED_URLS = [
  'e\u200bvil.exam\u2060ple',
  'evil\uff0eexample',
  'evil\uff61com',
  'bücher.de',
  'пример.рф',
  'ｅｖｉｌ．ｃｏｍ',
];
const HARMLESS_NAMES = ['Dr. Ada', 'St.Pauli', 'v2.0', 'Node.js', 'J.R.R. Tolkien'];
const SENTENCE = { en: "A name can't contain a web address.", tr: 'Ad, bir web adresi içeremez.' };

describeInProcess('URL in a name', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open(WEBHOOK_SECRETS);
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  const person = { firstName: 'Ada', lastName: 'King', username: 'ada_king', password: PASSWORD };
  const forms: [string, 'post' | 'put' | 'patch', () => string, object, string][] = [
    ['a new zone', 'post', () => '/api/zones', { name: 'Zone', type: 'private' }, 'name'],
    ['a zone', 'patch', () => `/api/zones/${zone.id}`, {}, 'name'],
    ['the first name', 'put', () => '/api/user/profile', {}, 'firstName'],
    ['the last name', 'put', () => '/api/user/profile', { firstName: 'Ada' }, 'lastName'],
    ['the first name at registration', 'post', () => '/api/register', person, 'firstName'],
    ['the last name at registration', 'post', () => '/api/register', person, 'lastName'],
  ];
  it.each(forms)('is rejected in %s', async (_form, method, path, body, field) => {
    for (const language of ['tr', 'en'] as const) {
      await owner.client.put('/api/user/profile').send({ language }).expect(200);
      for (const name of [...NAMES_WITH_URL, ...DISGUISED_URLS]) {
        const response = await owner.client[method](path()).send({ ...body, [field]: name });
        expect([response.status, response.body.errors?.[field]]).toEqual([400, [SENTENCE[language]]]);
      }
    }
  });

  it('is not assumed in a name with dots', async () => {
    for (const name of HARMLESS_NAMES) {
      const { body } = await owner.client.patch(`/api/zones/${zone.id}`).send({ name }).expect(200);
      expect(body.name).toBe(name);
      await owner.client.put('/api/user/profile').send({ firstName: name, lastName: name }).expect(200);
    }
  });

  it('is removed from imported names', async () => {
    const emails = [...NAMES_WITH_URL, ...HARMLESS_NAMES].map(() => `${uniqueName('listed')}@example.com`);
    const lines = [...NAMES_WITH_URL, ...HARMLESS_NAMES].map((name, index) => `${emails[index]},${name},King`);
    await importMembers(owner, zone, ['email,firstName,lastName', ...lines].join('\n'));
    const sql = `select first_name as name from users where email in (${emails.map(() => '?').join()})`;
    const storedNames = await world.testApp.em().execute<{ name: string | null }[]>(sql, emails);
    const names = ['Win at now', 'Prize', 'Prize', null, null, ...HARMLESS_NAMES];
    expect(storedNames.map(({ name }) => String(name)).sort()).toEqual(names.map(String).sort());
  });

  it('is removed from names sent by the shop', async () => {
    const admin = await registerUser(world);
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
    const mapping = { productId: '77', productName: 'A course', zoneId: zone.id };
    await admin.client.post('/api/woocommerce/product-mappings').send(mapping).expect(201);
    const email = `${uniqueName('buyer')}@example.com`;
    const bought = buildOrder({ id: 4711, email, products: [77] });
    const billing = { ...bought.billing, first_name: 'Prize evil.com', last_name: 'St.Pauli' };
    await sendWebhook.woocommerce(world, { ...bought, billing }).expect(200);
    await world.testApp.drain();
    const sql = 'select first_name as first, last_name as last from users where email = ?';
    expect(await world.testApp.em().execute(sql, [email])).toEqual([{ first: 'Prize', last: 'St.Pauli' }]);
  });
});
