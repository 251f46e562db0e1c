import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { createOwnerWithZone, tryUpload } from '../lib/faults/upload-helpers.mjs';

const MEGABYTE = Buffer.alloc(1_000_000, 'a line of text\n');
const MEGABYTES = 100;

/** What replaces the disk, and whether the disk returns during or after the upload. */
const CASES = [
  { replacement: 'nothing', returns: 'after' },
  { replacement: 'nothing', returns: 'during' },
  { replacement: 'a folder', returns: 'after' },
  { replacement: 'a folder', returns: 'during' },
];

/** The disk with the files disappears during an upload of 100 MB. What was acknowledged must be stored completely. */
export default {
  name: 'the disk goes away during an upload of 100 MB',
  previousBehaviour: 'folders in its place prevented mounting it again',
  async run(environment) {
    const folder = environment.createFolder();
    const disk = new Disk(join(folder, 'files'));
    const { owner, zone, uploadFile } = await createOwnerWithZone(await environment.startProduct({ DATA_DIR: folder }));
    const result = { runs: CASES.length, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    const stored = [];
    for (const [round, { replacement, returns }] of CASES.entries()) {
      const steps = {
        30: () => disk.unmount(replacement),
        ...(returns === 'during' ? { 60: () => disk.remount(result) } : {}),
      };
      const fileId = await tryUpload(() => uploadLarge(owner, zone, `Large ${round}.txt`, steps));
      if (fileId !== null) stored.push(fileId);
      if (returns === 'after') disk.remount(result);
      const seconds = await secondsUntil(async () => (await tryUpload(() => uploadFile(`after ${round}`))) !== null);
      if (seconds === null) result.stuck++;
      result.seconds = Math.max(result.seconds, seconds ?? 60);
    }
    for (const fileId of stored) {
      const response = await fetch(`${owner.url}/api/files/${fileId}/view`, { headers: { Cookie: owner.cookie } });
      const { byteLength } = await response.arrayBuffer();
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

  unmount(replacement) {
    renameSync(this.root, `${this.root}-aside`);
    if (replacement === 'a folder') mkdirSync(this.root);
  }

  /** Mounts the disk again. What was stored in its place meanwhile counts as lost. */
  remount(result) {
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
 * @param steps actions by the number of megabytes sent before
 * @returns its id
 */
async function uploadLarge(owner, zone, name, steps) {
  const boundary = 'the-boundary-of-a-fault';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`;
  const parts = async function* () {
    yield Buffer.from(head);
    for (let sent = 0; sent < MEGABYTES; sent++) {
      steps[sent]?.();
      yield MEGABYTE;
    }
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  };
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  const body = ReadableStream.from(parts());
  const [file] = await (await owner.call('POST', `/api/zones/${zone.id}/files`, body, headers)).json();
  return file.id;
}
