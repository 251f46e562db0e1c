import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import labels from '../locales/scheduled-jobs-en';
import { parseSchedule } from './schedule';

const backend = join(import.meta.dirname, '../../../../../backend/src');

/** Names and cron expressions of the jobs that the server schedules. */
function readScheduledJobs(): [string, string][] {
  return readdirSync(backend, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .flatMap((name) =>
      readFileSync(join(backend, name), 'utf8')
        .split(/\bdefine\w*Job\b/)
        .slice(1)
        .map((definition) => [/'([\w-]+\.[\w-]+)'/.exec(definition)?.[1], /cron: '([^']+)'/.exec(definition)?.[1]]),
    )
    .filter((job): job is [string, string] => job.every((part) => part !== undefined));
}

describe('Scheduled jobs', () => {
  const jobs = readScheduledJobs();

  it('all have a name, and no name is without a job', () => {
    expect(jobs.map(([name]) => name.replaceAll(/[.-]/g, '_')).sort()).toEqual(Object.keys(labels).sort());
  });

  it.each(jobs)('%s has a schedule that can be written in words', (_, cron) =>
    expect(parseSchedule(cron)).not.toBeNull(),
  );

  it.each([
    ['* * * * *', { kind: 'minutes', count: 1 }],
    ['*/10 * * * *', { kind: 'minutes', count: 10 }],
    ['4 * * * *', { kind: 'hourly', time: ':04' }],
    ['17 2 * * *', { kind: 'daily', time: '02:17' }],
    ['40 3 * * 0', { kind: 'weekly', time: '03:40', weekday: 0 }],
    ['0 0 1 * *', null],
    ['nonsense', null],
  ])('parses %s', (cron, schedule) => expect(parseSchedule(cron)).toEqual(schedule));
});
