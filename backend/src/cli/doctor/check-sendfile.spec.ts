import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSendfile } from './check-sendfile.js';

describe('checkSendfile', () => {
  it("names what the web server can't read until its group can", async () => {
    const parent = await mkdtemp(join(tmpdir(), 'zonary-permissions-'));
    try {
      const root = join(parent, 'storage');
      const [objects, folder] = [join(root, 'files'), join(root, 'files/ab')];
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, 'object');
      await writeFile(file, '', { mode: 0o600 });
      for (const [path, mode] of [
        [parent, 0o711],
        [root, 0o750],
        [objects, 0o750],
        [folder, 0o750],
        [file, 0o640],
      ] as const) {
        expect((await checkSendfile(root)).sentence).toContain(` can read ${path}.`);
        await chmod(path, mode);
      }
      expect((await checkSendfile(root)).sentence).not.toContain(parent);
    } finally {
      await rm(parent, { recursive: true });
    }
  });
});
