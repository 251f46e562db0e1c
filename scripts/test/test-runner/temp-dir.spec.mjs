import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { captureOutput } from '../../lib/run.mjs';
import { projectRoot } from '../../lib/project.mjs';
import { waitUntil } from '../support.mjs';

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A run that leaves a process and a folder behind, and prints its result. */
const leakyProgram = `
  import { spawn } from 'node:child_process';
  import { mkdirSync } from 'node:fs';
  import { createTempDir } from './scripts/lib/test-runner/temp-dir.mjs';
  const tempDir = createTempDir();
  mkdirSync(process.env.TMPDIR + '/zonary-app-left');
  const { pid } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  const report = await tempDir.checkLeftovers(200);
  console.log('RESULT' + JSON.stringify({ report, pid, folder: process.env.TMPDIR }));
  process.exit();`;

async function run() {
  const { output } = await captureOutput(process.execPath, ['--input-type=module', '--eval', leakyProgram]);
  return { output, ...JSON.parse(output.split('RESULT')[1]) };
}

/** Only Linux shows which processes belong to a run. */
(process.platform === 'linux' ? describe : describe.skip)('Leftovers of a run', () => {
  it('reports leftover processes and folders and removes them', async () => {
    const { output, report, pid, folder } = await run();
    const lines = [`process ${pid}: sleep 600`, 'folder zonary-app-left'];
    for (const line of lines) expect(output).toContain(`left behind: ${line}`);
    expect(report).toMatchObject({ code: 0, flaky: [{ name: 'left behind', lines }] });
    await waitUntil(() => !isAlive(pid));
    expect(existsSync(folder)).toBe(false);
  });

  it('leaves nothing behind when a signal ends the run and its workers', async () => {
    const worker = `require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' });
      console.log('WORKER ' + process.pid); setInterval(() => undefined, 1000);`;
    const program = `
      import { createTempDir } from './scripts/lib/test-runner/temp-dir.mjs';
      import { runProcessGroup } from './scripts/lib/test-runner/process-group.mjs';
      createTempDir();
      console.log('FOLDER ' + process.env.TMPDIR);
      await runProcessGroup(process.execPath, ['--eval', ${JSON.stringify(worker)}]);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: projectRoot });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    await waitUntil(() => output.includes('WORKER'));
    const folder = /FOLDER (.*)/.exec(output)[1];
    const workerPid = Number(/WORKER (\d+)/.exec(output)[1]);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await exited).toBe(143);
    await waitUntil(() => !isAlive(-workerPid));
    expect(existsSync(folder)).toBe(false);
  });
});
