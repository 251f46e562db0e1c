import type { OpenAPIObject } from '@nestjs/swagger';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { MIB } from '../../../../src/platform/text/byte-units.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { buildPdf, pdfStream } from '../rendering/generated/pdf-samples.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { createFolder, uploadFile } from '../upload/multipart-helpers.js';

let world: World;
let owner: Actor;
let zone: TestZone;
let folderId: number;

/** Incompressible bytes that are the same at every run. */
function pseudorandomBytes(length: number, seed: string): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${seed} ${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

function createWav(length: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(length, 40);
  return Buffer.concat([head, pseudorandomBytes(length, 'sound')]);
}

/** A page with a hidden stream that no viewer renders, so that a large part of the file is searched for. */
const createPdfSample = () =>
  buildPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Extra 4 0 R >>',
    pdfStream(pseudorandomBytes(20_000, 'pdf')),
  ]);
const createPictureSample = () =>
  sharp(pseudorandomBytes(120 * 90 * 3, 'picture'), { raw: { width: 120, height: 90, channels: 3 } })
    .png()
    .toBuffer();

const kinds: Record<string, () => Buffer | Promise<Buffer>> = {
  'a document': createPdfSample,
  'a picture': createPictureSample,
  sound: () => createWav(5 * MIB),
  'a text': () => Buffer.from(pseudorandomBytes(6000, 'text').toString('hex')),
  'an Office document': () => Buffer.concat([Buffer.from('504b0304', 'hex'), pseudorandomBytes(8000, 'office')]),
  'an archive': () => Buffer.concat([Buffer.from('504b0304', 'hex'), pseudorandomBytes(8000, 'archive')]),
};
const names: Record<string, string> = {
  'a document': 'a.pdf',
  'a picture': 'a.png',
  sound: 'a.wav',
  'a text': 'a.txt',
  'an Office document': 'a.docx',
  'an archive': 'a.zip',
};

/** Every GET route with a file's id. The one that never ends returns no content. */
const contract = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenAPIObject;
const routes = Object.entries(contract.paths)
  .filter(([path, item]) => path.startsWith('/api/files/{id}') && item.get !== undefined)
  .filter(([, item]) => !JSON.stringify(item.get!.responses).includes('text/event-stream'))
  .map(([path]) => path);

/** Requested ranges: the whole and parts. */
const ranges: Record<string, string>[] = [{}, { Range: 'bytes=0-' }, { Range: 'bytes=-4000' }];

/** Buffers a body unchanged. */
const bytes = (response: unknown, done: (error: Error | null, body: Buffer) => void) =>
  void buffer(response as Readable).then(
    (body) => done(null, body),
    (error: Error) => done(error, Buffer.alloc(0)),
  );

const requestFile = (actor: Actor, path: string, headers: Record<string, string> = {}) =>
  actor.client.get(path).set(headers).buffer(true).parse(bytes);

/** Counts the 64-byte fragments of a file that appear in a response. */
function countFragments(body: Buffer, original: Buffer): number {
  let found = 0;
  for (let at = 0; at + 64 <= original.length; at += 64) if (body.includes(original.subarray(at, at + 64))) found += 1;
  return found;
}

async function uploadForbiddenFile(kind: string) {
  const original = await kinds[kind]!();
  const { id } = await uploadFile(
    owner.client,
    zone.id,
    `${uniqueName('kept')} ${names[kind]}`,
    original,
    `?folderId=${folderId}`,
  );
  await owner.client.patch(`/api/files/${id}`).send({ allowDownload: false }).expect(200);
  await world.testApp.drain();
  return { id, original };
}

async function createMember(inZone: TestZone, role = 'member'): Promise<Actor> {
  const actor = await registerUser(world);
  await joinPublicZone(inZone, actor);
  await world.testApp
    .em()
    .execute('update zone_members set role = ? where zone_id = ? and user_id = ?', [role, inZone.id, actor.id]);
  return actor;
}

describeInProcess('File that may not be downloaded', () => {
  let members: Record<string, Actor>;

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    await allowUnlimitedZones(world, owner);
    zone = await createZone(owner);
    folderId = await createFolder(owner.client, zone.id, 'Source');
    const other = await createZone(owner);
    const mirror = {
      sourceFolderId: folderId,
      targetZoneId: other.id,
      targetFolderName: 'Shown',
      mirrorType: 'one_way',
    };
    await owner.client.post(`/api/zones/${zone.id}/folder-mirrors`).send(mirror).expect(201);
    members = {
      'a member': await createMember(zone),
      'a member of a zone that mirrors it': await createMember(other),
      'an admin of a zone that mirrors it': await createMember(other, 'admin'),
    };
  });
  afterAll(() => world?.close());

  it('is tested on all routes', () => {
    expect(routes).toEqual(
      expect.arrayContaining(
        ['view', 'download', 'url', 'media', 'thumbnail', 'pages', 'pages/{page}', 'pages/{page}/text'].map(
          (route) => `/api/files/{id}/${route}`,
        ),
      ),
    );
  });

  describe.each(Object.keys(kinds))('%s', (kind) => {
    it('exposes no part of the original to members on any route', async () => {
      const { id, original } = await uploadForbiddenFile(kind);
      for (const member of Object.values(members)) {
        for (const route of routes.filter((path) => !path.endsWith('/media'))) {
          const path = `${route.replace('{id}', String(id)).replace('{page}', '1').replace('{attachment}', '1')}${route.endsWith('search') ? '?q=abc' : ''}`;
          for (const headers of ranges) {
            const { status, body } = await requestFile(member, path, headers);
            expect({ path, status: status < 500, fragments: countFragments(body as Buffer, original) }).toEqual({
              path,
              status: true,
              fragments: 0,
            });
          }
        }
      }
    });

    it('is left out of archives for members', async () => {
      const { id, original } = await uploadForbiddenFile(kind);
      const archive = (actor: Actor) =>
        actor.client
          .post(`/api/zones/${zone.id}/download`)
          .type('form')
          .send({ fileIds: String(id), folderIds: String(folderId) })
          .buffer(true)
          .parse(bytes);
      const { status, body } = await archive(members['a member']!);
      expect({ isAnswered: status < 500, fragments: countFragments(body as Buffer, original) }).toEqual({
        isAnswered: true,
        fragments: 0,
      });
      // Verifies the search itself: archives store files uncompressed.
      const whole = (await archive(owner).expect(200)).body as Buffer;
      expect(whole.includes(original.subarray(0, 4000))).toBe(true);
    });

    it('is complete for its owner, even where it is mirrored', async () => {
      const { id, original } = await uploadForbiddenFile(kind);
      for (const route of ['view', 'download']) {
        expect(original.equals((await requestFile(owner, `/api/files/${id}/${route}`).expect(200)).body)).toBe(true);
      }
    });
  });
});
