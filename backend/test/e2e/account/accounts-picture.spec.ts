import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { Storage } from '../../../src/platform/storage/storage.js';
import { registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { runConcurrently } from '../auth/account-helpers.js';

let world: World;
let ada: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  ada = await registerUser(world);
});
afterAll(() => world.close());

const upload = (bytes: Buffer, name = 'me.png', field = 'file') =>
  ada.client.post('/api/user/picture').attach(field, bytes, name);
const me = async () => (await ada.client.get('/api/user').expect(200)).body;

/** A picture of one colour in the given format. */
function createPicture(format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif', width = 400, height = 300): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .toFormat(format)
    .toBuffer();
}

/** A PNG of a few kilobytes that decompresses to a huge square. */
function createDecompressionBomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(side * (side / 8 + 1)));
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

describe('POST /api/user/picture', () => {
  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
    'accepts %s and serves a square WebP to everyone',
    async (format) => {
      const { body } = await upload(await createPicture(format)).expect(200);
      expect(body.profileImageUrl).toMatch(/^\/api\/pictures\/[0-9a-f]{40}$/);
      expect((await me()).profileImageUrl).toBe(body.profileImageUrl);
      const pictureResponse = await world.createClient().get(body.profileImageUrl).buffer(true).expect(200);
      expect(pictureResponse.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      const { width, height, format: stored } = await sharp(pictureResponse.body as Buffer).metadata();
      expect([width, height, stored]).toEqual([256, 256, 'webp']);
    },
  );

  it('drops everything but the pixels of the original', async () => {
    const secret = 'taken at home, 41.0082 N';
    const bytes = await sharp(await createPicture('jpeg'))
      .withExif({ IFD0: { ImageDescription: secret } })
      .jpeg()
      .toBuffer();
    const polyglot = Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]);
    expect(polyglot.includes(secret)).toBe(true);
    const { body } = await upload(polyglot, 'me.html').expect(200);
    const pictureResponse = await world.createClient().get(body.profileImageUrl).buffer(true).expect(200);
    expect((pictureResponse.body as Buffer).includes(secret)).toBe(false);
    expect((pictureResponse.body as Buffer).includes('<script>')).toBe(false);
  });

  it('replaces the picture under a new URL, and DELETE removes it', async () => {
    const first = (await upload(await createPicture('png')).expect(200)).body.profileImageUrl;
    const second = (await upload(await createPicture('jpeg')).expect(200)).body.profileImageUrl;
    expect(second).not.toBe(first);
    await ada.client.delete('/api/user/picture').expect(204);
    await ada.client.delete('/api/user/picture').expect(204);
    expect((await me()).profileImageUrl).toBeNull();
  });

  it('detects the type by content, not by file name', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const xml = Buffer.concat([Buffer.from('<?xml version="1.0"?>'), svg]);
    for (const bytes of [svg, xml, Buffer.from('%PDF-1.7 no picture'), Buffer.from('no picture at all')]) {
      expect((await upload(bytes, 'me.png').expect(400)).body.code).toBe('PICTURE_TYPE');
    }
  });

  it('rejects damaged pictures and decompression bombs', async () => {
    const whole = await createPicture('png', 1000, 1000);
    const packed = createDecompressionBomb(16_000);
    expect(packed.length).toBeLessThan(100_000);
    for (const bytes of [whole.subarray(0, whole.length / 2), packed]) {
      expect((await upload(bytes).expect(400)).body.code).toBe('PICTURE_UNREADABLE');
    }
    expect((await me()).profileImageUrl).toBeNull();
  });

  it('limits the upload to 5 MB, counted while streaming', async () => {
    const { body } = await upload(Buffer.alloc(5 * 2 ** 20 + 1)).expect(413);
    expect(body.code).toBe('PICTURE_TOO_LARGE');
    await upload(Buffer.alloc(20 * 2 ** 20)).expect(413);
  });

  it.each([
    ['no file', () => ada.client.post('/api/user/picture').field('name', 'me')],
    ['another field', async () => upload(await createPicture('png'), 'me.png', 'picture')],
    ['an empty file', () => upload(Buffer.alloc(0))],
    ['two files', async () => upload(await createPicture('png')).attach('file', await createPicture('png'), 'two.png')],
  ])('rejects %s', async (_what, send) => {
    const response = await send();
    expect([response.status, response.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('accepts only multipart forms', async () => {
    await ada.client.post('/api/user/picture').send({ file: 'me' }).expect(415);
    const broken = ada.client.post('/api/user/picture').set('Content-Type', 'multipart/form-data');
    expect((await broken.send('no boundary')).status).toBe(400);
  });

  it('returns 404 for unknown keys and path traversal', async () => {
    for (const key of ['a'.repeat(40), '..%2Ffiles', 'x', 'A'.repeat(40)]) {
      expect((await world.createClient().get(`/api/pictures/${key}`).expect(404)).body.code).toBe('PICTURE_NOT_FOUND');
    }
  });
});

describeInProcess('Picture objects in storage', () => {
  const listObjects = async () => {
    const keys: string[] = [];
    for await (const { key } of world.testApp.app.get(Storage).list('pictures/')) keys.push(key);
    return keys;
  };
  const runCleanup = async () => {
    await world.testApp.drain();
    world.testApp.clock.advance(3_600_000 + 1);
    await world.testApp.drain();
  };

  beforeEach(async () => {
    await runCleanup();
    for (const key of await listObjects()) await world.testApp.app.get(Storage).delete(key);
  });

  it('are deleted when the picture is replaced or removed', async () => {
    await upload(await createPicture('png')).expect(200);
    const { body } = await upload(await createPicture('png')).expect(200);
    await runCleanup();
    expect((await listObjects()).map((key) => key.split('/').at(-1))).toEqual([body.profileImageUrl.split('/').at(-1)]);
    await world.createClient().get(body.profileImageUrl).expect(200);
    await ada.client.delete('/api/user/picture').expect(204);
    await runCleanup();
    expect(await listObjects()).toEqual([]);
    await world.createClient().get(body.profileImageUrl).expect(404);
  });

  it('are reduced to one after 10 concurrent uploads', async () => {
    const bytes = await createPicture('png');
    const responses = await runConcurrently(10, () => upload(bytes));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    await runCleanup();
    const { profileImageUrl } = await me();
    expect((await listObjects()).map((key) => `/api/pictures/${key.split('/').at(-1)}`)).toEqual([profileImageUrl]);
  });

  it('are limited to 30 uploads per hour', async () => {
    const limited = await World.open({ RATE_LIMIT: 'on' });
    try {
      const actor = await registerUser(limited);
      const bytes = await createPicture('png', 10, 10);
      const send = () => actor.client.post('/api/user/picture').attach('file', bytes, 'me.png');
      for (let count = 0; count < 30; count++) await send().expect(200);
      await send().expect(429);
    } finally {
      await limited.close();
    }
  });

  it('are deleted when they were never assigned to a user', async () => {
    await world.testApp.em().execute(`
      create function stop_here() returns trigger as $$ begin raise exception 'died'; end; $$ language plpgsql;
      create trigger stop_here before update of profile_image_url on users for each row execute function stop_here();`);
    await upload(await createPicture('png')).expect(500);
    await world.testApp.em().execute('drop trigger stop_here on users; drop function stop_here');
    expect(await listObjects()).toHaveLength(1);
    await runCleanup();
    expect(await listObjects()).toEqual([]);
    expect((await me()).profileImageUrl).toBeNull();
  });
});
