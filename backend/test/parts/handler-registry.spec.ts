import { Injectable, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { DecoratedMethodExplorer } from '../../src/platform/jobs/decorated-method-explorer.js';
import { matchHandlers } from '../../src/platform/jobs/job-handler-registry.js';
import {
  defineJob,
  allCronJobDefinitions,
  allJobDefinitions,
  type JobContext,
  type JobDefinition,
} from '../../src/platform/jobs/job-definition.js';
import { ON_JOB, OnJob, type JobHandler } from '../../src/platform/jobs/on-job.decorator.js';

const one = defineJob<{ n: number }>('spec.one', { queue: 'default' });
const two = defineJob<{ n: number }>('spec.two', { queue: 'mail', maxAttempts: 3 });
const clock = defineJob('spec.clock', { queue: 'maintenance', cron: '0 4 * * *' });

const methodOf = (mark: JobDefinition, name: string) => ({
  metadata: mark,
  name,
  call: async () => undefined,
  metadataOf: () => undefined,
});

@Injectable()
class Base {
  readonly done: string[] = [];

  get trap(): never {
    throw new Error('Getters must not be called.');
  }

  @OnJob(one)
  async doOne({ n }: { n: number }): Promise<void> {
    this.done.push(`one ${n}`);
  }
}

@Injectable()
class Both extends Base {
  @OnJob(two)
  async doTwo(): Promise<void> {
    this.done.push('two');
  }
}

describe('Job definitions', () => {
  it('are registered once declared, and those with a cron expression as cron jobs, too', () => {
    expect(allJobDefinitions()).toEqual(expect.arrayContaining([one, two, clock]));
    expect(allCronJobDefinitions()).toEqual([clock]);
    expect([one.maxAttempts, two.maxAttempts]).toEqual([10, 3]);
  });

  it('must have unique names', () => {
    expect(() => defineJob('spec.one', { queue: 'default' })).toThrow('Two jobs are named "spec.one".');
  });
});

describe('Job handler matching', () => {
  it('assigns to each job the method that handles it', () => {
    const [doesOne, doesTwo] = [methodOf(one, 'First.does'), methodOf(two, 'Second.does')];
    const handlers = matchHandlers([one, two], [doesTwo, doesOne]);
    expect(handlers.get('spec.one')).toBe(doesOne.call);
    expect(handlers.get('spec.two')).toBe(doesTwo.call);
  });

  it('names every job without a handler or with two', () => {
    const found = [methodOf(two, 'First.does'), methodOf(two, 'Second.does')];
    expect(() => matchHandlers([one, two], found)).toThrow(
      'The job "spec.one" has no handler: no method of a provider is marked @OnJob with it.\n' +
        'The job "spec.two" has 2 handlers (First.does, Second.does); it needs exactly one.',
    );
  });

  it('finds decorated methods of providers, including inherited ones, and binds them', async () => {
    const methods = await markedMethodsOf({ providers: [Both] });
    const found = methods.findMethods<JobDefinition, JobHandler<{ n: number }>>(ON_JOB);
    expect(found.map(({ metadata, name }) => [metadata.name, name])).toEqual([
      ['spec.two', 'Both.doTwo'],
      ['spec.one', 'Both.doOne'],
    ]);
    await found[1]!.call({ n: 5 }, {} as JobContext);
    expect(methods.provider.done).toEqual(['one 5']);
  });

  it('counts a provider visible in several modules once', async () => {
    const alias = { provide: 'alias', useExisting: Both };
    const methods = await markedMethodsOf({ providers: [Both, alias, { provide: 'nothing', useValue: null }] });
    expect(methods.findMethods(ON_JOB)).toHaveLength(2);
  });
});

async function markedMethodsOf({ providers }: { providers: Provider[] }) {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [DecoratedMethodExplorer, ...providers],
  }).compile();
  return Object.assign(module.get(DecoratedMethodExplorer), { provider: module.get(Both) });
}
