import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inTurn } from '../lib/turn.mjs';
import { temporaryFolder } from './temporary.mjs';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const holder = folder.write(
  'holder.mjs',
  `import { inTurn } from ${JSON.stringify(new URL('../lib/turn.mjs', import.meta.url).href)};
   await inTurn(process.argv[2], () => { console.log('holding'); setInterval(() => {}, 1000); return new Promise(() => {}); });`,
);

it('runs one task at a time', async () => {
  const seen = [];
  const work = (name) => async () => {
    seen.push(`${name} begins`);
    await new Promise((resume) => setTimeout(resume, 20));
    seen.push(`${name} ends`);
  };
  await Promise.all([inTurn(folder.path, work('a')), inTurn(folder.path, work('b')), inTurn(folder.path, work('c'))]);
  expect(seen).toHaveLength(6);
  for (let i = 0; i < 6; i += 2) expect(seen[i + 1]).toBe(seen[i].replace('begins', 'ends'));
});

it('returns the result and releases the lock after a failure', async () => {
  await expect(inTurn(folder.path, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await inTurn(folder.path, () => 'done')).toBe('done');
});

it('waits for another process, reports it once and continues when that process is killed', async () => {
  const other = spawn(process.execPath, [holder, folder.path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface({ input: other.stdout }), 'line');
  let waits = 0;
  const result = await inTurn(
    folder.path,
    () => 'my turn',
    () => {
      waits += 1;
      other.kill('SIGKILL');
    },
  );
  expect(result).toBe('my turn');
  expect(waits).toBe(1);
});
