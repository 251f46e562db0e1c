import { createHash, randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { PooledConnection } from '../../../../src/platform/database/pool/pooled-connection.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { joinAsRestrictedUser } from '../../../support/people/restricted-user.js';
import { describeInProcess, World } from '../../../support/world.js';
import { createApiToken } from '../../auth/account-helpers.js';
import { createFolder, PNG, uploadFile } from './multipart-helpers.js';
import {
  creationHeaders,
  postUpload,
  createUpload,
  OFFSET_CONTENT_TYPE,
  cancelUpload,
  cookieHeaderOf,
  requestOffset,
  readOffset,
  openPatch,
  sendChunk,
} from './files-tus.js';

const MB = 2 ** 20;

let world: World;
let owner: Actor;
let zone: TestZone;

beforeAll(async () => {
  world = await World.open();
  owner = await registerUser(world);
  zone = await createZone(owner);
});
afterAll(() => world.close());

const list = async (query = '') => (await owner.client.get(`/api/zones/${zone.id}/files${query}`).expect(200)).body;
const findFile = async (name: string) => (await list()).find((file: { name: string }) => file.name === name);

describe('Resumable upload', () => {
  it('announces its protocol version and extensions', async () => {
    const { headers } = await world.createClient().options('/api/uploads').expect(204);
    expect(headers).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration',
      'tus-max-size': String(50 * 1024 * MB),
    });
  });

  it('starts, resumes and becomes a file that the last response names', async () => {
    const name = uniqueName('whole');
    const bytes = randomBytes(300_000);
    const address = await createUpload(owner.client, zone, name, bytes.length, { filetype: 'image/png' });
    expect(address).toMatch(/^\/api\/uploads\/[0-9a-f-]{36}$/);
    expect(await readOffset(owner.client, address)).toBe(0);
    const first = await sendChunk(owner.client, address, 0, bytes.subarray(0, 100_000)).expect(204);
    expect(first.headers).toMatchObject({ 'upload-offset': '100000', 'tus-resumable': '1.0.0' });
    expect(Date.parse(first.headers['upload-expires'] as string)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect(first.headers['x-file-id']).toBeUndefined();
    expect(await findFile(name)).toBeUndefined();
    const response = await requestOffset(owner.client, address).expect(200);
    expect(response.headers).toMatchObject({ 'upload-offset': '100000', 'upload-length': '300000' });
    expect(response.headers['cache-control']).toBe('no-store');
    const last = await sendChunk(owner.client, address, 100_000, bytes.subarray(100_000)).expect(204);
    const file = await findFile(name);
    expect(last.headers['x-file-id']).toBe(String(file.id));
    expect(file).toMatchObject({ size: 300_000, mimeType: 'application/octet-stream', folderId: null });
    const { body } = await owner.client.get(`/api/files/${file.id}/download`).buffer().parse(parseBinary).expect(200);
    expect((body as Buffer).equals(bytes)).toBe(true);
  });

  it('stays known when its last response is lost, and cancelling keeps the file', async () => {
    const name = uniqueName('done');
    const address = await createUpload(owner.client, zone, name, 5);
    await sendChunk(owner.client, address, 0, 'hello').expect(204);
    const response = await requestOffset(owner.client, address).expect(200);
    const { id } = await findFile(name);
    expect(response.headers).toMatchObject({ 'upload-offset': '5', 'x-file-id': String(id) });
    await sendChunk(owner.client, address, 5, '').expect(204);
    await cancelUpload(owner.client, address).expect(204);
    await requestOffset(owner.client, address).expect(404);
    expect((await findFile(name)).id).toBe(id);
  });

  it('stores 100 MB correctly in chunks of uneven sizes', async () => {
    const bytes = randomBytes(100 * MB);
    const name = uniqueName('large');
    const address = await createUpload(owner.client, zone, name, bytes.length);
    await sendChunk(owner.client, address, 0, bytes.subarray(0, 37 * MB + 11)).expect(204);
    const { headers } = await sendChunk(owner.client, address, 37 * MB + 11, bytes.subarray(37 * MB + 11)).expect(204);
    const file = await owner.client
      .get(`/api/files/${headers['x-file-id']}/download`)
      .buffer()
      .parse(parseBinary)
      .expect(200);
    expect(digest(file.body as Buffer)).toBe(digest(bytes));
    await owner.client.delete(`/api/files/${headers['x-file-id']}`).expect(204);
  });

  it('accepts its bytes in the creation request, also none', async () => {
    const name = uniqueName('small');
    const headers = { ...creationHeaders({ filename: name, zoneId: zone.id }, 4), 'Content-Type': OFFSET_CONTENT_TYPE };
    const { headers: responseHeaders } = await owner.client
      .post('/api/uploads')
      .set(headers)
      .send(Buffer.from('text') as never)
      .expect(201);
    expect(responseHeaders).toMatchObject({ 'upload-offset': '4', 'x-file-id': String((await findFile(name)).id) });
    const empty = uniqueName('empty');
    const { headers: none } = await postUpload(owner.client, zone, empty, 0).expect(201);
    expect(none['x-file-id']).toBe(String((await findFile(empty)).id));
  });

  it('resumes from what was received when the connection was cut', async () => {
    const name = uniqueName('cut');
    const bytes = randomBytes(20 * MB);
    const address = await createUpload(owner.client, zone, name, bytes.length);
    const call = openPatch(world.url, cookieHeaderOf(owner, world.url), address, 0, bytes.length);
    await call.write(bytes.subarray(0, 9 * MB));
    call.abort();
    const offset = await readOffset(owner.client, address);
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(9 * MB);
    const { headers } = await sendChunk(owner.client, address, offset, bytes.subarray(offset)).expect(204);
    const { body } = await owner.client.get(`/api/files/${headers['x-file-id']}/download`).buffer().parse(parseBinary);
    expect(digest(body as Buffer)).toBe(digest(bytes));
  });

  it('targets a folder and is numbered when the name is taken and this was requested', async () => {
    const folderId = await createFolder(owner.client, zone.id, uniqueName('in'));
    await uploadFile(owner.client, zone.id, 'a.txt', 'x', `?folderId=${folderId}`);
    const address = await createUpload(owner.client, zone, 'A.txt', 1, { folderId, onConflict: 'rename' });
    await sendChunk(owner.client, address, 0, 'y').expect(204);
    const names = (await list(`?folderId=${folderId}`)).map((file: { name: string }) => file.name);
    expect(names.sort()).toEqual(['A (1).txt', 'a.txt']);
  });

  it('detects the type across the boundaries of its chunks', async () => {
    const name = `${uniqueName('picture')}.txt`;
    const address = await createUpload(owner.client, zone, name, PNG.length, { filetype: 'text/plain' });
    for (let at = 0; at < PNG.length; at += 10)
      await sendChunk(owner.client, address, at, PNG.subarray(at, at + 10)).expect(204);
    expect((await findFile(name)).mimeType).toBe('image/png');
  });
});

describe('Rejected resumable upload', () => {
  const post = (headers: Record<string, string>) => owner.client.post('/api/uploads').set(headers);

  it.each([
    ['without a length', { 'Upload-Length': '' }, 400, 'UPLOAD_LENGTH_REQUIRED'],
    ['with a deferred length', { 'Upload-Defer-Length': '1' }, 400, 'UPLOAD_LENGTH_REQUIRED'],
    ['with a negative length', { 'Upload-Length': '-1' }, 400, 'UPLOAD_PROTOCOL'],
    ['with a length that is not a number', { 'Upload-Length': '1e3' }, 400, 'UPLOAD_PROTOCOL'],
    ['over 100 MB', { 'Upload-Length': String(100 * MB + 1) }, 413, 'FILE_TOO_LARGE'],
    ['in another protocol version', { 'Tus-Resumable': '0.2.2' }, 412, 'UPLOAD_VERSION'],
    ['as a partial upload', { 'Upload-Concat': 'partial' }, 400, 'UPLOAD_PROTOCOL'],
    ['without metadata', { 'Upload-Metadata': '' }, 400, 'VALIDATION_FAILED'],
    ['with garbled metadata', { 'Upload-Metadata': 'filename ***' }, 400, 'UPLOAD_PROTOCOL'],
    ['without a name', { 'Upload-Metadata': 'zoneId MQ==' }, 400, 'VALIDATION_FAILED'],
    ['without a zone', { 'Upload-Metadata': 'filename YQ==' }, 400, 'VALIDATION_FAILED'],
  ])('is rejected %s', async (_how, changes, status, code) => {
    const headers = { ...creationHeaders({ filename: uniqueName('no'), zoneId: zone.id }, 5), ...changes };
    if ('Upload-Defer-Length' in changes) delete (headers as Record<string, string>)['Upload-Length'];
    const headersSent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const { body } = await post(headersSent).expect(status);
    expect(body.code).toBe(code);
    expect(body.requestId).toBeDefined();
  });

  it.each([
    ['../up', 'INVALID_NAME'],
    ['..', 'INVALID_NAME'],
    ['a\u0000b', 'INVALID_NAME'],
    ['x'.repeat(256), 'INVALID_NAME'],
  ])('is rejected under the name %j', async (filename, code) => {
    const { body } = await postUpload(owner.client, zone, filename, 1).expect(400);
    expect(body.code).toBe(code);
  });

  it.each([
    [{ folderId: 'x' }, 400],
    [{ onConflict: 'overwrite' }, 400],
    [{ zoneId: '1.5' }, 400],
    [{ folderId: 999_999_999 }, 404],
  ])('is rejected with %j', async (more, status) => {
    await postUpload(owner.client, zone, uniqueName('no'), 1, more).expect(status);
  });

  it('returns 409 for a taken name before any byte is sent and again at the end', async () => {
    const name = uniqueName('Taken');
    const secondUpload = await createUpload(owner.client, zone, name.toUpperCase(), 3);
    await uploadFile(owner.client, zone.id, name, 'x');
    const early = await postUpload(owner.client, zone, name, 3).expect(409);
    expect(early.body).toMatchObject({ code: 'DUPLICATE_NAMES', names: [name] });
    const late = await sendChunk(owner.client, secondUpload, 0, 'abc').expect(409);
    expect(late.body).toMatchObject({ code: 'DUPLICATE_NAMES', names: [name.toUpperCase()] });
    // The offset is before the end, so that no client takes the upload for complete.
    expect(await readOffset(owner.client, secondUpload)).toBe(0);
    await cancelUpload(owner.client, secondUpload).expect(204);
  });

  it('is rejected when headers or length violate the protocol', async () => {
    const address = await createUpload(owner.client, zone, uniqueName('rules'), 10);
    const good = { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0', 'Content-Type': OFFSET_CONTENT_TYPE };
    const send = (headers: Record<string, string>, body = 'abc') =>
      owner.client
        .patch(address)
        .set(headers)
        .send(Buffer.from(body) as never);
    expect((await send({ ...good, 'Content-Type': 'application/octet-stream' }).expect(415)).body.code).toBe(
      'UNSUPPORTED_TYPE',
    );
    expect((await send({ ...good, 'Upload-Offset': '4' }).expect(409)).body.code).toBe('UPLOAD_OFFSET');
    expect((await send({ ...good, 'Upload-Offset': 'x' }).expect(400)).body.code).toBe('UPLOAD_PROTOCOL');
    expect((await send({ 'Tus-Resumable': '1.0.0', 'Content-Type': OFFSET_CONTENT_TYPE }).expect(400)).body.code).toBe(
      'UPLOAD_PROTOCOL',
    );
    expect((await send({ 'Upload-Offset': '0', 'Content-Type': OFFSET_CONTENT_TYPE }).expect(412)).body.code).toBe(
      'UPLOAD_VERSION',
    );
    expect((await send(good, 'more than ten bytes').expect(413)).body.code).toBe('UPLOAD_TOO_LONG');
    expect(await readOffset(owner.client, address)).toBe(0);
  });

  it('never becomes longer than announced', async () => {
    const name = uniqueName('liar');
    const address = await createUpload(owner.client, zone, name, 10);
    const call = openPatch(world.url, cookieHeaderOf(owner, world.url), address, 0, null);
    await call.write(Buffer.from('0123456789'));
    await call.write(Buffer.from('and more'));
    call.end();
    expect(await call.answer()).toMatchObject({ status: 413, code: 'UPLOAD_TOO_LONG' });
    expect(await findFile(name)).toBeUndefined();
    await sendChunk(owner.client, address, await readOffset(owner.client, address), '0123456789').expect(204);
    expect((await findFile(name)).size).toBe(10);
  });
});

describe('Resumable uploads of others', () => {
  it('cannot be seen, resumed or cancelled by members or non-members', async () => {
    const [outsider, member] = [await registerUser(world), await registerUser(world)];
    await joinPublicZone(zone, member);
    const address = await createUpload(owner.client, zone, uniqueName('mine'), 10);
    for (const { client } of [outsider, member]) {
      await requestOffset(client, address).expect(404);
      await client.get(address).expect(404);
      expect((await sendChunk(client, address, 0, 'abc').expect(404)).body.code).toBe('UPLOAD_NOT_FOUND');
      await cancelUpload(client, address).expect(404);
      expect((await client.get('/api/uploads').expect(200)).body).toEqual([]);
    }
    const { body, headers } = await owner.client.get('/api/uploads').expect(200);
    expect(headers['x-total-count']).toBe(String(body.length));
    expect(body[0]).toMatchObject({ location: address, received: 0, length: 10, zoneId: zone.id, fileId: null });
    expect((await owner.client.get(address).expect(200)).body).toEqual(body[0]);
    await cancelUpload(owner.client, address).expect(204);
    await owner.client.get(address).expect(404);
  });

  it('cannot be created in zones without permission to upload', async () => {
    const [outsider, member] = [await registerUser(world), await registerUser(world)];
    await joinPublicZone(zone, member);
    expect((await postUpload(outsider.client, zone, 'x', 1).expect(404)).body.code).toBe('ZONE_NOT_FOUND');
    expect((await postUpload(member.client, zone, 'x', 1).expect(403)).body.code).toBe('ZONE_FORBIDDEN');
    await postUpload(world.createClient(), zone, 'x', 1).expect(401);
    const unfinished = await joinAsRestrictedUser(world, zone);
    expect((await postUpload(unfinished, zone, 'x', 1).expect(403)).body.code).toBe('PROFILE_INCOMPLETE');
  });

  it('require a same-site request or a token with write scope', async () => {
    const address = await createUpload(owner.client, zone, uniqueName('token'), 3);
    await sendChunk(owner.client, address, 0, 'a').set('Sec-Fetch-Site', 'cross-site').expect(403);
    await cancelUpload(owner.client, address).set('Sec-Fetch-Site', 'cross-site').expect(403);
    const [read, write] = await Promise.all([createApiToken(owner, 'read'), createApiToken(owner, 'write')]);
    const by = ({ token }: { token: string }) =>
      supertest.agent(world.url).set('Authorization', `Bearer ${token}`) as Actor['client'];
    await sendChunk(by(read), address, 0, 'a').expect(403);
    expect(await readOffset(by(read), address)).toBe(0);
    await sendChunk(by(write), address, 0, 'abc').expect(204);
  });

  it('end when their zone is deleted', async () => {
    const other = await registerUser(world);
    const own = await createZone(other);
    const address = await createUpload(other.client, own, uniqueName('gone'), 3);
    await other.client.delete(`/api/zones/${own.id}`).expect(204);
    await sendChunk(other.client, address, 0, 'abc').expect(404);
    await cancelUpload(other.client, address).expect(404);
  });
});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function parseBinary(response: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const stream = response as NodeJS.ReadableStream;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
}

describeInProcess('An upload of a small file', () => {
  const sendResumable = async () => {
    const address = await createUpload(owner.client, zone, uniqueName('small'), 5);
    await sendChunk(owner.client, address, 0, 'hello').expect(204);
  };
  const sendForm = () => uploadFile(owner.client, zone.id, uniqueName('small'), 'hello');

  it.each([
    ['in two requests of a resumable upload', sendResumable, 27],
    ['in a form', sendForm, 19],
  ])('needs few statements %s', async (_, send, limit) => {
    // The first one of a session and of an owner needs more.
    await send();
    const query = jest.spyOn(PooledConnection.prototype, 'query');
    await send();
    const statements = query.mock.calls.map(([text]) => String(text));
    query.mockRestore();
    expect(statements.length > limit ? statements : []).toEqual([]);
  });
});
