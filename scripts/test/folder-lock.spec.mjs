import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { withFolderLock } from '../lib/folder-lock.mjs';
import { createTempFolder } from './support.mjs';

const folder = createTempFolder();
afterAll(() => folder.remove());

const holder = folder.write(
  'holder.mjs',
  `import { withFolderLock } from ${JSON.stringify(new URL('../lib/folder-lock.mjs', import.meta.url).href)};
   await withFolderLock(process.argv[2], () => { console.log('holding'); setInterval(() => {}, 1000); return new Promise(() => {}); });`,
);

it('runs one task at a time', async () => {
  const events = [];
  const task = (name) => async () => {
    events.push(`${name} starts`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    events.push(`${name} ends`);
  };
  await Promise.all([
    withFolderLock(folder.path, task('a')),
    withFolderLock(folder.path, task('b')),
    withFolderLock(folder.path, task('c')),
  ]);
  expect(events).toHaveLength(6);
  for (let i = 0; i < 6; i += 2) expect(events[i + 1]).toBe(events[i].replace('starts', 'ends'));
});

it('returns the result and releases the lock after a failure', async () => {
  await expect(withFolderLock(folder.path, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await withFolderLock(folder.path, () => 'done')).toBe('done');
});

it('waits for another process, reports it once and continues when that process is killed', async () => {
  const other = spawn(process.execPath, [holder, folder.path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface({ input: other.stdout }), 'line');
  let waitCount = 0;
  const result = await withFolderLock(
    folder.path,
    () => 'result',
    () => {
      waitCount += 1;
      other.kill('SIGKILL');
    },
  );
  expect(result).toBe('result');
  expect(waitCount).toBe(1);
});
