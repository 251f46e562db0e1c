import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import supertest from 'supertest';
import { Storage } from '../../../../src/platform/storage/storage.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { readZip, type ZipContent } from '../../../support/zip.js';
import { downloadArchive, requestArchive, parseBytes, type ArchiveSelection } from './archive-helpers.js';
import { createFolder, uploadFile, pollUntil } from '../upload/multipart-helpers.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;

beforeAll(async () => {
  world = await World.open();
  owner = await registerUser(world);
  member = await registerUser(world);
  zone = await createZone(owner);
  await joinPublicZone(zone, member);
});
afterAll(() => world.close());

async function downloadZip(actor: Actor, chosen: ArchiveSelection, zoneId = zone.id): Promise<ZipContent> {
  return downloadArchive(actor, zoneId, chosen);
}

const texts = (content: ZipContent) => Object.fromEntries([...content].map(([path, data]) => [path, data.toString()]));

describe('POST /api/zones/:id/download', () => {
  it('returns an archive of files and of folders with all their contents', async () => {
    const top = await createFolder(owner.client, zone.id, 'Ödevler');
    const deep = await createFolder(owner.client, zone.id, 'alt', top);
    await createFolder(owner.client, zone.id, 'boş', top);
    const content = randomBytes(400_000);
    await uploadFile(owner.client, zone.id, 'a.bin', content, `?folderId=${top}`);
    const inner = await uploadFile(owner.client, zone.id, 'ısı.txt', 'deep', `?folderId=${deep}`);
    const loose = await uploadFile(owner.client, zone.id, 'loose.txt', 'loose');
    const zip = await downloadZip(member, { folderIds: [top, deep], fileIds: [loose.id, inner.id, loose.id] });
    expect([...zip.keys()].sort()).toEqual(
      ['Ödevler/', 'Ödevler/alt/', 'Ödevler/alt/ısı.txt', 'Ödevler/a.bin', 'Ödevler/boş/', 'loose.txt'].sort(),
    );
    expect(content.equals(zip.get('Ödevler/a.bin')!)).toBe(true);
    expect(zip.get('Ödevler/alt/ısı.txt')!.toString()).toBe('deep');
  });

  it('is named after the only folder or the zone, not cached, and logs no error', async () => {
    const errorLog = jest.spyOn(Logger.prototype, 'error');
    const folder = await createFolder(owner.client, zone.id, 'Sözleşmeler: 2026?');
    const archive = await requestArchive(member, zone.id, { folderIds: [folder] }).expect(200);
    expect(archive.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="S_zle_meler_ 2026_.zip"; filename*=UTF-8''S%C3%B6zle%C5%9Fmeler_%202026_.zip`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    const file = await uploadFile(owner.client, zone.id, uniqueName('f'), 'x');
    const two = await requestArchive(member, zone.id, { folderIds: [folder], fileIds: [file.id] }).expect(200);
    expect(two.headers['content-disposition']).toContain(`filename="${zone.name}.zip"`);
    expect(errorLog).not.toHaveBeenCalled();
    errorLog.mockRestore();
  });

  it('accepts a form so that browsers can save to disk', async () => {
    const [one, two] = [
      await uploadFile(owner.client, zone.id, 'form1.txt', '1'),
      await uploadFile(owner.client, zone.id, 'form2.txt', '2'),
    ];
    const form = (body: string) =>
      member.client.post(`/api/zones/${zone.id}/download`).type('form').send(body).buffer(true).parse(parseBytes);
    for (const body of [`fileIds=${one.id}&fileIds=${two.id}`, `fileIds=${one.id},${two.id}&folderIds=`]) {
      const answer = await form(body).expect(200);
      expect(texts(readZip(answer.body))).toEqual({ 'form1.txt': '1', 'form2.txt': '2' });
    }
    await form(`fileIds=${one.id}&fileIds=x`).expect(400);
    await form(`fileIds=${one.id}&other=1`).expect(400);
    await form(`fileIds=${one.id}`).set('Sec-Fetch-Site', 'cross-site').expect(403);
  });

  it('rejects the whole request for missing, hidden or no items', async () => {
    const outsider = await registerUser(world);
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('hidden'), 'x');
    const foreign = await createZone(outsider);
    const foreignFile = await uploadFile(outsider.client, foreign.id, uniqueName('theirs'), 'x');
    const code = async (actor: Actor, chosen: object, status: number, at = zone.id) =>
      (await requestArchive(actor, at, chosen).expect(status)).body.code;
    expect(await code(outsider, { fileIds: [id] }, 404)).toBe('ZONE_NOT_FOUND');
    expect(await code(member, {}, 400)).toBe('NOTHING_CHOSEN');
    expect(await code(member, { fileIds: [id, foreignFile.id] }, 404)).toBe('FILE_NOT_FOUND');
    expect(await code(outsider, { fileIds: [id] }, 404, foreign.id)).toBe('FILE_NOT_FOUND');
    expect(await code(member, { folderIds: [999_999_999] }, 404)).toBe('FOLDER_NOT_FOUND');
    expect(await code(member, { fileIds: ['1'] }, 400)).toBe('VALIDATION_FAILED');
    await supertest(world.url).post(`/api/zones/${zone.id}/download`).set('Sec-Fetch-Site', 'same-origin').expect(401);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    expect(await code(owner, { fileIds: [id] }, 404)).toBe('FILE_NOT_FOUND');
  });

  it('leaves out files that may not be downloaded, except for those who manage them', async () => {
    const folder = await createFolder(owner.client, zone.id, uniqueName('part'));
    const keptFile = await uploadFile(owner.client, zone.id, 'kept.txt', 'kept', `?folderId=${folder}`);
    await uploadFile(owner.client, zone.id, 'free.txt', 'free', `?folderId=${folder}`);
    await owner.client.patch(`/api/files/${keptFile.id}`).send({ allowDownload: false }).expect(200);
    const names = async (actor: Actor) =>
      [...(await downloadZip(actor, { folderIds: [folder] })).keys()].map((path) => path.split('/')[1]);
    expect(await names(member)).toEqual(['', 'free.txt']);
    expect((await names(owner)).sort()).toEqual(['', 'free.txt', 'kept.txt']);
    const { body } = await requestArchive(member, zone.id, { fileIds: [keptFile.id] }).expect(403);
    expect(body.code).toBe('DOWNLOAD_NOT_ALLOWED');
  });

  it('counts each file once per viewing, together with its single download', async () => {
    const folder = await createFolder(owner.client, zone.id, uniqueName('count'));
    const { id } = await uploadFile(owner.client, zone.id, 'counted.txt', 'x', `?folderId=${folder}`);
    await downloadZip(member, { folderIds: [folder] });
    await downloadZip(member, { fileIds: [id] });
    await member.client.get(`/api/files/${id}/download`).expect(200);
    const { body } = await owner.client.get(`/api/zones/${zone.id}/files?folderId=${folder}`).expect(200);
    expect(body[0]).toMatchObject({ viewCount: 0, downloadCount: 1 });
  });
});

describeInProcess('Zip archive', () => {
  /** Replaces the storage's `read` while `run` runs. */
  async function reading(read: Storage['read'], run: () => Promise<void>): Promise<void> {
    const storage = world.testApp.app.get(Storage);
    // `readWhole` must use the replaced `read` as well.
    const { readWhole } = Storage.prototype;
    const own = { read: storage.read, readWhole: storage.readWhole };
    Object.assign(storage, { read, readWhole });
    try {
      await run();
    } finally {
      Object.assign(storage, own);
    }
  }

  const cookieOf = (actor: Actor) => {
    const at = { domain: '127.0.0.1', path: '/', secure: false, script: false };
    return actor.client.jar.getCookies(at as never).toValueString();
  };

  /** Sends a raw request; returns the response while it is still streaming. */
  function openDownload(actor: Actor, chosen: ArchiveSelection) {
    const call = request(`${world.url}/api/zones/${zone.id}/download`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: cookieOf(actor) },
    });
    call.end(JSON.stringify(chosen));
    return new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      call.on('response', resolve);
      call.on('error', reject);
    });
  }

  async function insertFiles(count: number, folder: number, size: number): Promise<void> {
    await world.testApp.em().execute(
      `insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, folder_id,
         allow_download, created_at, updated_at)
       select 'f' || n || '.txt', 'f' || n || '.txt', 'text/plain', ?, repeat('0', 64), ? || n, 'local', ?, ?, true,
         now(), now() from generate_series(1, ?) n`,
      [size, `files/00/${randomBytes(8).toString('hex')}x`, zone.id, folder, count],
    );
  }

  it('includes mirrors, and for the owner of both also undownloadable files', async () => {
    await allowUnlimitedZones(world, owner);
    const source = await createFolder(owner.client, zone.id, uniqueName('source'));
    const below = await createFolder(owner.client, zone.id, 'below', source);
    const keptFile = await uploadFile(owner.client, zone.id, 'kept.txt', 'kept', `?folderId=${below}`);
    await uploadFile(owner.client, zone.id, 'free.txt', 'free', `?folderId=${below}`);
    await owner.client.patch(`/api/files/${keptFile.id}`).send({ allowDownload: false }).expect(200);
    const target = await createZone(owner);
    const visitor = await registerUser(world);
    await joinPublicZone(target, visitor);
    const mirror = {
      sourceFolderId: source,
      targetZoneId: target.id,
      targetFolderName: 'Shown',
      mirrorType: 'one_way',
    };
    const mirrorResponse = await owner.client.post(`/api/zones/${zone.id}/folder-mirrors`).send(mirror).expect(201);
    const mount = mirrorResponse.body.targetFolderId as number;
    const names = async (actor: Actor, folderId: number) =>
      [...(await downloadZip(actor, { folderIds: [folderId] }, target.id)).keys()].sort();
    expect(await names(visitor, mount)).toEqual(['Shown/', 'Shown/below/', 'Shown/below/free.txt']);
    expect(await names(owner, mount)).toEqual([
      'Shown/',
      'Shown/below/',
      'Shown/below/free.txt',
      'Shown/below/kept.txt',
    ]);
    expect(await names(visitor, below)).toEqual(['below/', 'below/free.txt']);
    await requestArchive(visitor, zone.id, { folderIds: [source] }).expect(404);
    await requestArchive(visitor, target.id, { folderIds: [source] }).expect(200);
  });

  it('contains no path that leads out of the target folder', async () => {
    const folder = await createFolder(owner.client, zone.id, uniqueName('slip'));
    await insertFiles(4, folder, 1);
    for (const [n, name] of ['../../up', 'C:\\x', 'CON.txt', 'F4.TXT'].entries()) {
      await world.testApp
        .em()
        .execute(`update files set original_name = ?, name_key = ? where folder_id = ? and name_key = ?`, [
          ...[name, `k${n}`, folder, `f${n + 1}.txt`],
        ]);
    }
    await world.testApp.em().execute('update folders set name = ? where id = ?', ['../x', folder]);
    await reading(
      async () => Readable.from([Buffer.from('x')]),
      async () => {
        const paths = [...(await downloadZip(member, { folderIds: [folder] })).keys()];
        expect(paths.sort()).toEqual(['.._x/', '.._x/.._.._up', '.._x/C__x', '.._x/F4.TXT', '.._x/_CON.txt']);
      },
    );
  });

  it('can hold 10,000 files', async () => {
    const folder = await createFolder(owner.client, zone.id, uniqueName('many'));
    await insertFiles(10_000, folder, 3);
    let open = 0;
    let most = 0;
    const read = async () => {
      most = Math.max(most, ++open);
      return Readable.from([Buffer.from('abc')], { objectMode: false }).once('close', () => open--);
    };
    await reading(read as never, async () => {
      const zip = await downloadZip(member, { folderIds: [folder] });
      expect(zip.size).toBe(10_001);
      expect(most).toBeLessThanOrEqual(3);
    });
    const [downloads] = await world.testApp.em().execute(
      `select count(*)::int from activity a join files f on f.id = a.file_id
         where f.folder_id = ? and a.type = 'file.downloaded'`,
      [folder],
    );
    expect(downloads).toEqual({ count: 10_000 });
  });

  it('stops reading when the client disconnects and counts what was read', async () => {
    const folder = await createFolder(owner.client, zone.id, uniqueName('gone'));
    const block = randomBytes(256 * 1024);
    await insertFiles(50, folder, 40 * block.length);
    let opened = 0;
    let closed = 0;
    const read = async () => {
      opened++;
      const stream = Readable.from(Array.from({ length: 40 }, () => block));
      return stream.once('close', () => closed++);
    };
    await reading(read as never, async () => {
      const response = await openDownload(member, { folderIds: [folder] });
      await new Promise((resolve) => response.once('data', resolve));
      response.destroy();
      await pollUntil(async () => opened > 0 && opened === closed);
      const before = opened;
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(opened).toBe(before);
      expect(opened).toBeLessThan(50);
    });
  });

  it.each([64 * 1024, 500])(
    'is cut off when the storage fails midway, with files of two times %i bytes',
    async (half) => {
      const folder = await createFolder(owner.client, zone.id, uniqueName('broken'));
      const block = randomBytes(half);
      await insertFiles(5, folder, 2 * block.length);
      const failures: Record<string, () => Readable> = {
        late: () =>
          Readable.from(
            (function* () {
              yield block;
              throw new Error('The disk is unavailable.');
            })(),
          ),
        short: () => Readable.from([block]),
        absent: () => {
          throw new Error('No such object.');
        },
      };
      for (const [kind, fail] of Object.entries(failures)) {
        let opened = 0;
        const read = async () => (++opened < 4 ? Readable.from([block, block]) : fail());
        await reading(read as never, async () => {
          const response = await openDownload(owner, { folderIds: [folder] });
          const chunks: Buffer[] = [];
          const outcome = await new Promise<string>((resolve) => {
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('end', () => resolve('whole'));
            response.on('error', () => resolve('cut'));
          });
          expect([kind, outcome]).toEqual([kind, 'cut']);
          expect(() => readZip(Buffer.concat(chunks))).toThrow();
        });
      }
    },
  );

  it('returns 503 when the first file cannot be read', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('lost'), 'some text');
    await world.testApp.em().execute(`update files set object_key = object_key || '0' where id = ?`, [id]);
    const { body, headers } = await requestArchive(member, zone.id, { fileIds: [id] }).expect(503);
    expect(body.code).toBe('STORAGE_UNAVAILABLE');
    expect(headers['content-disposition']).toBeUndefined();
  });
});
