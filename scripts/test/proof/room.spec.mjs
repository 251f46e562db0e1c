import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { outputOf } from '../../lib/run.mjs';
import { root } from '../../lib/project.mjs';
import { until } from '../temporary.mjs';

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A run that leaves a process and a folder behind, and prints its result. */
const careless = `
  import { spawn } from 'node:child_process';
  import { mkdirSync } from 'node:fs';
  import { openRoom } from './scripts/lib/proof/room.mjs';
  const room = openRoom();
  mkdirSync(process.env.TMPDIR + '/zonary-app-left');
  const { pid } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  const report = await room.left(200);
  console.log('SAID' + JSON.stringify({ report, pid, folder: process.env.TMPDIR }));
  process.exit();`;

async function run() {
  const { output } = await outputOf(process.execPath, ['--input-type=module', '--eval', careless]);
  return { output, ...JSON.parse(output.split('SAID')[1]) };
}

/** Only Linux shows which processes belong to a run. */
(process.platform === 'linux' ? describe : describe.skip)('what a run leaves behind', () => {
  it('reports leftover processes and folders and removes them', async () => {
    const { output, report, pid, folder } = await run();
    const lines = [`process ${pid}: sleep 600`, 'folder zonary-app-left'];
    for (const line of lines) expect(output).toContain(`left behind: ${line}`);
    expect(report).toMatchObject({ code: 0, unsteady: [{ where: 'left behind', lines }] });
    await until(() => !isAlive(pid));
    expect(existsSync(folder)).toBe(false);
  });

  it('leaves nothing behind when a signal ends the run and its workers', async () => {
    const worker = `require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' });
      console.log('WORKS ' + process.pid); setInterval(() => undefined, 1000);`;
    const program = `
      import { openRoom } from './scripts/lib/proof/room.mjs';
      import { runGroup } from './scripts/lib/proof/group.mjs';
      openRoom();
      console.log('ROOM ' + process.env.TMPDIR);
      await runGroup(process.execPath, ['--eval', ${JSON.stringify(worker)}]);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: root });
    let output = '';
    child.stdout.on('data', (piece) => (output += piece));
    await until(() => output.includes('WORKS'));
    const folder = /ROOM (.*)/.exec(output)[1];
    const leader = Number(/WORKS (\d+)/.exec(output)[1]);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
    await until(() => !isAlive(-leader));
    expect(existsSync(folder)).toBe(false);
  });
});
