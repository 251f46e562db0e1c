import {
  createZone,
  registerUsers,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { World } from '../../support/world.js';
import { ADD_MODE, importMembers, listMembers, importPath, postImport, rowStatuses } from './import-helpers.js';

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world);
  zone = await createZone(owner, { type: 'private' });
});
afterAll(() => world.close());

const send = (file: string | Buffer, fields: Record<string, string> = {}, client = owner.client) =>
  postImport(client, zone, file, fields);
const add = (file: string | Buffer, fields: Record<string, string> = {}) => importMembers(owner, zone, file, fields);
const members = () => listMembers(owner, zone);

describe('POST /api/zones/:id/import', () => {
  it('adds known and unknown people, with a result for each row', async () => {
    const known = await registerUser(world, { firstName: 'Grace' });
    const fresh = `${uniqueName('new')}@example.com`;
    const file = [
      'Email,firstName,Last Name',
      `${fresh.toUpperCase()} ,Işıl,"Şen, Dr."`,
      `${known.email},Not,Hers`,
      'not an address,,',
      `${fresh},Twice,`,
      `${owner.email},,`,
      ',,',
    ].join('\n');
    const response = await add(file);
    expect(response).toMatchObject({ dryRun: false, mode: 'add', total: 5, succeeded: 2, planLimit: null });
    expect(response.counts).toEqual({ ADDED: 2, INVALID_EMAIL: 1, DUPLICATE: 1, OWNER: 1 });
    expect(response.results).toEqual([
      { row: 2, record: 2, cut: [], email: fresh, success: true, status: 'ADDED', message: 'Added' },
      { row: 3, record: 3, cut: [], email: known.email, success: true, status: 'ADDED', message: 'Added' },
      {
        row: 4,
        record: 4,
        cut: [],
        email: 'not an address',
        success: false,
        status: 'INVALID_EMAIL',
        message: 'Not a valid email address',
      },
      {
        row: 5,
        record: 5,
        cut: [],
        email: fresh,
        success: false,
        status: 'DUPLICATE',
        message: 'In the file more than once',
      },
      { row: 6, record: 6, cut: [], email: owner.email, success: false, status: 'OWNER', message: 'Owns this zone' },
    ]);
    const found = await members();
    expect(found).toHaveLength(2);
    expect(found.find(({ user }) => user.email === fresh)).toMatchObject({
      user: { firstName: 'Işıl', lastName: 'Şen, Dr.' },
      joinMethod: 'import',
      getsMails: true,
    });
    expect(found.find(({ user }) => user.email === known.email)).toMatchObject({ user: { firstName: 'Grace' } });
    await known.client.get(`/api/zones/${zone.id}`).expect(200);
    expect(rowStatuses((await add(file)).results)[0]).toEqual([2, 'ALREADY_MEMBER']);
  });

  it('predicts the same results in a dry run without changing anything', async () => {
    const file = `email\n${uniqueName('a')}@example.com\nbroken\n`;
    const preview = await add(file, { dryRun: 'true' });
    expect(preview.dryRun).toBe(true);
    expect(await members()).toEqual([]);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(0);
    const done = await add(file);
    expect(done.results).toEqual(preview.results);
    expect((await send(file, { mode: 'add', dryRun: 'true' }).expect(200)).body.dryRun).toBe(true);
  });

  it.each([
    ['comma', 'email,firstName\nX,Çağ\n'],
    ['semicolon', 'email;firstName\nX;Çağ\n'],
    ['tab', 'E-posta\tAd\r\nX\tÇağ\r\n'],
    ['a separator hint', 'sep=;\nfirstName;email\nÇağ;X\n'],
    ['no header row', 'X,Çağ\n'],
    ['the header row of Google Contacts', 'First Name,E-mail 1 - Value,Labels\nÇağ,X,\n'],
    ['a byte order mark', '\ufeffemail,firstName\n"X","Çağ"'],
  ])('reads files with %s', async (_, text) => {
    const email = `${uniqueName('csv')}@example.com`;
    await add(text.replace('X', email));
    expect(await members()).toMatchObject([{ user: { email, firstName: 'Çağ' } }]);
  });

  it('reads files written by Turkish spreadsheets', async () => {
    const email = `${uniqueName('tr')}@example.com`;
    const bytes = Buffer.concat([
      Buffer.from(`email;firstName;lastName\r\n${email};`),
      Buffer.from([0xdd, 0xfe, 0x69, 0x6c, 0x3b, 0xd6, 0x7a, 0xf0, 0xfd, 0x72]),
    ]);
    await add(bytes);
    expect(await members()).toMatchObject([{ user: { email, firstName: 'İşil', lastName: 'Özğır' } }]);
  });

  it('reports an unusable address and adds the others', async () => {
    const [first, last] = [`${uniqueName('a')}@example.com`, `${uniqueName('b')}@example.com`];
    const { results } = await add(`email,firstName\n${first},A\0da\na\0da@example.com,Ada\n${last},\0\n`);
    expect(results).toMatchObject([
      { email: first, status: 'ADDED' },
      { email: 'a\0da@example.com', status: 'INVALID_EMAIL', success: false },
      { email: last, status: 'ADDED' },
    ]);
    const names = (await members()).map(({ user }) => user.firstName);
    expect(names.sort()).toEqual(['A da', null]);
  });

  it('treats all spellings of an address as one person', async () => {
    const name = uniqueName('p');
    const domain = 'münchen.example';
    const written = [`İ${name}@${domain}`, `i${name}@${domain}`, `I${name.toUpperCase()}@xn--mnchen-3ya.example`];
    const { results } = await add(`email\n${written.join('\n')}\n`);
    expect(results.map(({ status }) => status)).toEqual(['ADDED', 'DUPLICATE', 'DUPLICATE']);
    expect(await members()).toMatchObject([{ user: { email: `i${name}@${domain}` } }]);
  });

  it('keeps names as one line of plain text', async () => {
    const email = `${uniqueName('x')}@example.com`;
    await add(`email,firstName,lastName\n${email},"<b>a\n\tb</b>\u202e","'=1+1"`);
    expect(await members()).toMatchObject([{ user: { firstName: '<b>a b</b>', lastName: '=1+1' } }]);
  });

  it.each([
    ['nothing', '', {}, 400, 'VALIDATION_FAILED'],
    ['no addresses', 'name,age\nAda,36\n', {}, 400, 'IMPORT_NO_EMAIL_COLUMN'],
    ['only empty lines', '\n\n\n', {}, 400, 'IMPORT_NO_EMAIL_COLUMN'],
    ['an open quote', 'email\na@example.com\n"b@example.com\n', {}, 400, 'IMPORT_UNREADABLE'],
    ['too many rows', `email\n${'a@example.com\n'.repeat(50_001)}`, {}, 413, 'IMPORT_TOO_LARGE'],
    ['too many bytes', 'x'.repeat(8 * 2 ** 20 + 1), {}, 413, 'IMPORT_TOO_LARGE'],
    ['an unknown mode', 'email\na@example.com', { mode: 'delete' }, 400, 'VALIDATION_FAILED'],
    ['an unknown field', 'email\na@example.com', { role: 'admin' }, 400, 'VALIDATION_FAILED'],
    ['an invalid flag', 'email\na@example.com', { dryRun: 'maybe' }, 400, 'VALIDATION_FAILED'],
    ['no consent statement', 'email\na@example.com', { consentConfirmed: 'false' }, 400, 'VALIDATION_FAILED'],
  ])('rejects a file with %s and changes nothing', async (_, file, fields, status, code) => {
    const { body } = await send(file, { ...ADD_MODE, ...fields }).expect(status);
    expect(body.code).toBe(code);
    expect(await members()).toEqual([]);
  });

  it('rejects a body that is not a form and a form without a file', async () => {
    await owner.client
      .post(importPath(zone))
      .send({ emails: ['a@example.com'] })
      .expect(415);
    await owner.client.post(importPath(zone)).field('mode', 'add').expect(400);
    await owner.client.post(importPath(zone)).set('Content-Type', 'multipart/form-data').send('x').expect(400);
  });

  it('is restricted to the owner', async () => {
    const file = 'email\na@example.com';
    const [admin, outsider] = (await registerUsers(world, 2)) as [Actor, Actor];
    await add(`email\n${admin.email}`);
    await owner.client.patch(`/api/zones/${zone.id}/members/${admin.id}`).send({ role: 'admin' }).expect(200);
    await send(file, ADD_MODE, admin.client).expect(403);
    await send(file, ADD_MODE, outsider.client).expect(404);
    await send(file, ADD_MODE, world.createClient()).expect(401);
    expect(await members()).toHaveLength(1);
  });
});
