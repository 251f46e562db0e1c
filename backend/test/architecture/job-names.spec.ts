import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { Migration0016StandardJobNames } from '../../migrations/0016-standard-job-names.js';
import { allJobDefinitions } from '../../src/platform/jobs/job-definition.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const SOURCES = join(import.meta.dirname, '../../src');
const DECLARATION = /const (\w+) = defineJob(?:<[^(]*>)?\(\s*'([^']+)'/g;

const toKebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const declared = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .flatMap((path) =>
    [...readFileSync(join(SOURCES, path), 'utf8').matchAll(DECLARATION)].map(([, constant, name]) => ({
      folder: path.replaceAll('\\', '/').split('/')[1]!,
      constant: constant!,
      name: name!,
    })),
  );

describe('Job names', () => {
  let inside: TestApp;
  beforeAll(async () => {
    inside = await createTestApp();
  });
  afterAll(() => inside.close());

  it('consist of the module and the constant that declares the job', () => {
    expect(declared.length).toBeGreaterThan(80);
    expect(declared.map(({ name }) => name)).toEqual(
      declared.map(({ folder, constant }) => `${folder}.${toKebabCase(constant)}`),
    );
  });

  it('are renamed by the upgrade for waiting jobs, past cron runs and throttled notifications', async () => {
    const em = inside.em();
    const slot = '2026-03-10T12:00:00Z';
    await em.execute(
      `insert into jobs (queue, name, payload, run_at, max_attempts, created_at)
       values ('mail', 'zones.tell-admitted', '{}', '2999-01-01', 10, now()),
         ('mail', 'zones.send-invitation', '{}', '2999-01-01', 10, now());
       insert into clock_runs (name, slot) values ('campaigns.sweep', '${slot}');
       insert into hourly_notices (kind, subject_id, job_id, told_at) values ('zones.tell-join-requests', 1, 1, '${slot}');`,
    );

    const orm = inside.app.get(MikroORM);
    const migration = new Migration0016StandardJobNames(orm.em.getDriver() as never, orm.config);
    migration.up();
    for (const statement of migration.getQueries()) await em.execute(statement as string);

    const names = await em.execute<{ name: string }[]>(`
      (select name from jobs where run_at = '2999-01-01' order by id)
      union all select name from clock_runs where slot = '${slot}'
      union all select kind from hourly_notices where told_at = '${slot}'`);
    const renamed = [
      'zones.notify-join-request-approved',
      'zones.send-invitation',
      'campaigns.sweep-campaigns',
      'zones.notify-join-requests',
    ];
    expect(names.map(({ name }) => name)).toEqual(renamed);
    expect(allJobDefinitions().map(({ name }) => name)).toEqual(expect.arrayContaining(renamed));
  });
});
