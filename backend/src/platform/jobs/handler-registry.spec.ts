import { matchHandlers } from './handler-registry.js';
import { defineJob, knownClockJobs, knownJobs } from './job-definition.js';

const one = defineJob<{ n: number }>('spec.one', { queue: 'default' });
const two = defineJob<{ n: number }>('spec.two', { queue: 'mail', maxAttempts: 3 });
const clock = defineJob('spec.clock', { queue: 'maintenance', cron: '0 4 * * *' });

class First {
  async handle() {}
}
class Second {
  async handle() {}
}

describe('definitions', () => {
  it('are known once declared, those with a cron expression as clock jobs too', () => {
    expect(knownJobs()).toEqual(expect.arrayContaining([one, two, clock]));
    expect(knownClockJobs()).toEqual([clock]);
    expect([one.maxAttempts, two.maxAttempts]).toEqual([10, 3]);
  });

  it('do not share a name', () => {
    expect(() => defineJob('spec.one', { queue: 'default' })).toThrow('Two jobs are named "spec.one".');
  });
});

describe('matching handlers', () => {
  it('gives each job its handler', () => {
    const [first, second] = [new First(), new Second()];
    const handlers = matchHandlers(
      [one, two],
      [
        [two, second],
        [one, first],
      ],
    );
    expect(handlers.get('spec.one')).toBe(first);
    expect(handlers.get('spec.two')).toBe(second);
  });

  it('names every job that has none, or two', () => {
    const found = [[two, new First()] as const, [two, new Second()] as const];
    expect(() => matchHandlers([one, two], found)).toThrow(
      'The job "spec.one" has no handler: no provider of the application is marked @JobHandler with it.\n' +
        'The job "spec.two" has 2 handlers (First, Second); it needs exactly one.',
    );
  });

  it('counts a provider that several modules see as one', () => {
    const first = new First();
    expect(() =>
      matchHandlers(
        [one],
        [
          [one, first],
          [one, first],
        ],
      ),
    ).not.toThrow();
  });
});
