import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { connectionToUrl } from '../../src/platform/database/pool/database-connection.js';
import { registerUser } from '../support/people/actors.js';
import { runCommand } from '../e2e/operations/backup-helpers.js';
import { describeInProcess, World } from '../support/world.js';

describeInProcess('npm run doctor', () => {
  let world: World;
  let env: Record<string, string>;
  beforeAll(async () => {
    world = await World.open();
    await registerUser(world);
    const { config, connection } = world.testApp;
    env = {
      DATABASE_URL: connectionToUrl(connection),
      DATA_DIR: config.dataDir,
      APP_SECRET: config.appSecret,
      APP_URL: world.url,
      DISK_RESERVE: '1MB',
    };
    await insertInstance('worker', null);
  });
  afterAll(() => world.close());

  /** Inserts a process of this machine whose last heartbeat was this many seconds ago. */
  const insertInstance = (role: string, port: number | null, secondsAgo = 0) =>
    world.testApp
      .em()
      .execute(
        `insert into instances (id, role, host, port, seen_at) values (gen_random_uuid(), ?, ?, ?, now() - make_interval(secs => ?))`,
        [role, hostname().slice(0, 255), port, secondsAgo],
      );

  const runDoctor = (more: Record<string, string> = {}) => runCommand('doctor', [], { ...env, ...more });

  it('reports no problems on a healthy installation and exits with 0', async () => {
    const { code, text } = await runDoctor();
    expect(text).not.toContain('BAD');
    expect(code).toBe(0);
    for (const sentence of [
      /ok {4}database +PostgreSQL \d+ with \d+ connections/,
      /ok {4}database +Its clock differs from this machine's clock by/,
      /ok {4}database +Its schema matches this version/,
      /ok {4}storage +It belongs to this installation/,
      /ok {4}storage +An object was written, read and deleted/,
      /storage +[\d.]+ GB are free/,
      /warn {2}mail +SMTP_URL is not set/,
      /ok {4}secrets +APP_SECRET matches this installation/,
      /ok {4}redis +REDIS_URL is not set/,
      /ok {4}address +\S+ leads to a running Zonary/,
      /ok {4}workers +1 worker is running, and no jobs are waiting/,
    ]) {
      expect(text).toMatch(sentence);
    }
    expect(text).not.toContain(env.APP_SECRET);
  });

  it('creates nothing where there is no installation', async () => {
    const dataDir = join(world.testApp.config.dataDir, 'elsewhere');
    const { code, text } = await runCommand('doctor', [], { DATA_DIR: dataDir });
    expect({ code, text }).toMatchObject({
      code: 1,
      text: expect.stringContaining(`There is no installation in ${dataDir}`),
    });
    const withDatabase = await runCommand('doctor', [], { DATA_DIR: dataDir, DATABASE_URL: env.DATABASE_URL! });
    expect(withDatabase.code).toBe(1);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('counts live workers and reports when there are none', async () => {
    await insertInstance('worker', null, 5);
    await insertInstance('worker', null, 120);
    expect((await runDoctor()).text).toMatch(/ok {4}workers +2 workers are running/);
    // A cron job that just ran doesn't prove that a worker is alive: it may have died after it.
    await world.testApp.em().execute(`insert into clock_runs (name, slot) values ('insights.roll-up', now())`);
    await world.testApp.em().execute(`delete from instances where seen_at > now() - interval '1 minute'`);
    expect(await runDoctor()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/BAD {3}workers +No worker is running/),
    });
    await insertInstance('worker', null);
  });

  it('queries a running web process on its own port, whatever PORT is set here', async () => {
    const port = Number(new URL(world.url).port);
    await insertInstance('web', port);
    const { text } = await runDoctor({ APP_URL: '', PORT: '1' });
    expect(text).toContain(`http://localhost:${port} leads to a running Zonary`);
  });

  it('says for each problem what to do and exits with 1', async () => {
    const { code, text } = await runDoctor({
      SMPT_URL: 'smtp://mail.example',
      SMTP_URL: 'smtp://user:mailsecret@127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
      APP_URL: 'https://127.0.0.1:1',
      APP_SECRET: 'another secret than that of all others',
    });
    expect(code).toBe(1);
    for (const sentence of [
      /warn {2}variables +SMPT_URL isn't a Zonary variable and has no effect\. Did you mean SMTP_URL/,
      /BAD {3}mail +Couldn't sign in to the email server/,
      /BAD {3}redis +Redis does not answer/,
      /warn {2}address +https:\/\/127.0.0.1:1 does not answer/,
      /warn {2}address .*TRUST_PROXY/,
      /BAD {3}secrets +APP_SECRET is not that of this installation/,
    ]) {
      expect(text).toMatch(sentence);
    }
    expect(text).not.toMatch(/mailsecret|another secret|\n\s+at /);
  });

  it('reports a foreign storage and leaves it unchanged', async () => {
    const { text, code } = await runDoctor({ STORAGE_URL: `file://${env.DATA_DIR}/elsewhere` });
    expect(code).toBe(1);
    expect(text).toMatch(/BAD {3}storage .*is not the one of this installation/);
  });

  it('reports invalid variables and an unreachable database in a sentence', async () => {
    expect(await runDoctor({ PORT: 'many', MAIL_CONNECTIONS: '0' })).toMatchObject({
      code: 1,
      text: expect.stringMatching(/BAD {3}variables +PORT must be .*\nMAIL_CONNECTIONS must/),
    });
    const away = await runDoctor({ DATABASE_URL: 'postgresql://127.0.0.1:1/zonary' });
    expect(away.code).toBe(1);
    expect(away.text).toMatch(/BAD {3}database +Zonary couldn't start: no database server answers/);
  });

  it('reports a secret readable by others', async () => {
    const path = join(env.DATA_DIR!, 'app-secret');
    await writeFile(path, env.APP_SECRET!, { mode: 0o644 });
    const { text } = await runDoctor({ APP_SECRET: '' });
    expect(text).toContain(`BAD   secrets    ${path} is readable by other users. Run chmod 600`);
  });
});
