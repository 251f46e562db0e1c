import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { ownerWithZone, tryUpload } from '../lib/faults/upload-helpers.mjs';

const MEGABYTE = Buffer.alloc(1_000_000, 'a line of text\n');
const MEGABYTES = 100;

/** What replaces the disk, and whether the disk comes back before the upload ends. */
const cases = [
  { leaves: 'nothing', back: 'after' },
  { leaves: 'nothing', back: 'amid' },
  { leaves: 'a folder', back: 'after' },
  { leaves: 'a folder', back: 'amid' },
];

/** The disk with the files disappears during an upload of 100 MB. What was acknowledged must be stored completely. */
export default {
  name: 'the disk goes amid an upload of 100 MB',
  before: 'folders in its place hindered its return',
  async run(room) {
    const folder = room.folder();
    const disk = new Disk(join(folder, 'files'));
    const { owner, zone, upload } = await ownerWithZone(await room.product({ DATA_DIR: folder }));
    const result = { times: cases.length, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    const kept = [];
    for (const [at, { leaves, back }] of cases.entries()) {
      const steps = { 30: () => disk.go(leaves), ...(back === 'amid' ? { 60: () => disk.comeBack(result) } : {}) };
      const id = await tryUpload(() => uploadLarge(owner, zone, `Large ${at}.txt`, steps));
      if (id !== null) kept.push(id);
      if (back === 'after') disk.comeBack(result);
      const seconds = await secondsUntil(async () => (await tryUpload(() => upload(`after ${at}`))) !== null);
      if (seconds === null) result.stuck++;
      result.seconds = Math.max(result.seconds, seconds ?? 60);
    }
    for (const id of kept) {
      const answer = await fetch(`${owner.url}/api/files/${id}/view`, { headers: { Cookie: owner.cookie } });
      const { byteLength } = await answer.arrayBuffer();
      if (byteLength !== MEGABYTES * MEGABYTE.length) result.lost++;
    }
    return result;
  },
};

/** A folder that disappears and returns like a mounted disk. */
class Disk {
  constructor(root) {
    this.root = root;
  }

  go(leaves) {
    renameSync(this.root, `${this.root}-aside`);
    if (leaves === 'a folder') mkdirSync(this.root);
  }

  /** What was stored in its place meanwhile counts as lost. */
  comeBack(result) {
    try {
      if (readdirSync(this.root).length > 0) result.lost++;
      rmSync(this.root, { recursive: true });
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    renameSync(`${this.root}-aside`, this.root);
  }
}

/**
 * Uploads a file megabyte by megabyte.
 * @param steps actions to run before a given megabyte
 * @returns its id
 */
async function uploadLarge(owner, zone, name, steps) {
  const boundary = 'the-boundary-of-a-fault';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`;
  const parts = async function* () {
    yield Buffer.from(head);
    for (let at = 0; at < MEGABYTES; at++) {
      steps[at]?.();
      yield MEGABYTE;
    }
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  };
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  const body = ReadableStream.from(parts());
  const [file] = await (await owner.call('POST', `/api/zones/${zone.id}/files`, body, headers)).json();
  return file.id;
}
