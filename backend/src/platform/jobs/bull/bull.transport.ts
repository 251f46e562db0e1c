import { Inject, Injectable, Logger } from '@nestjs/common';
import type Bull from 'bull';
import { within } from '../../clock/within.js';
import { BULL_QUEUES, hearRefusals, PATIENCE, type BullQueues, type Hint, type Listening } from './bull-queues.js';
import { InProcessTransport, JobTransport } from '../in-process.transport.js';
import { JobRunner } from '../running/job-runner.js';
import { JobSignal } from '../job-signal.js';
import { JobStore, type AnnouncedJob } from '../job-store.js';
import { JobTimings } from '../running/job-timings.js';
import { WorkerPulse } from '../running/worker-pulse.js';
import { messagesOf, queues, type QueueName } from '../queues.js';

/** Where the relay of one queue stands: the round under way, and what is wanted after it. */
interface Relay {
  round: Promise<void> | null;
  again: boolean;
  /** Whether jobs that are due soon are to be looked for too. */
  ahead: boolean;
}

/**
 * Hands jobs to workers through Redis, as many at once as their queue allows. A message about a job that is due within the
 * minute, which the next try of a failed one mostly is, is sent ahead and kept by Redis until then. Messages carry ids only,
 * and whoever gets one claims the row: a lost message is sent again, a doubled one finds the row taken. While Redis does not
 * answer, this worker looks into the database by itself.
 */
@Injectable()
export class BullTransport extends JobTransport {
  private readonly logger = new Logger('Jobs');
  private readonly relays = new Map<QueueName, Relay>();
  private poll: NodeJS.Timeout | undefined;
  private running = false;
  /** Redis does not answer: the database is looked into instead. */
  private isDown = false;
  private letGo!: () => void;
  /** Resolved at the stop: no message is held back for the job that it is about. */
  private readonly stopped = new Promise<void>((resolve) => (this.letGo = resolve));

  constructor(
    @Inject(BULL_QUEUES) private readonly bulls: BullQueues,
    private readonly runner: JobRunner,
    private readonly store: JobStore,
    private readonly signal: JobSignal,
    private readonly timings: JobTimings,
    private readonly local: InProcessTransport,
    private readonly pulse: WorkerPulse,
  ) {
    super();
  }

  override async start(): Promise<void> {
    this.running = true;
    for (const [name, bull] of this.bulls) {
      this.pulse.expect(name);
      this.consume(name, bull);
    }
    await this.relayAll();
    this.poll = setInterval(() => this.look(), this.timings.poll);
  }

  override async stop(): Promise<void> {
    this.running = false;
    clearInterval(this.poll);
    this.letGo();
    if (this.isDown) await this.local.stop();
    this.signal.silence();
    await Promise.all([...this.relays.values()].map(({ round }) => round));
    await Promise.all([...this.bulls.values()].map((bull) => this.pause(bull)));
  }

  private consume(name: QueueName, bull: Bull.Queue<Hint>): void {
    // What a broken connection means is judged by the next round; it must not end the process.
    bull.on('error', (error) => this.logger.debug({ err: error }, 'Redis failed.'));
    hearRefusals(bull as unknown as Listening);
    bull.on('drained', () => this.relay(name));
    bull.process(queues[name].concurrency, ({ data }) => this.follow(name, data.id)).catch(() => undefined);
  }

  private async follow(name: QueueName, id: number): Promise<void> {
    if (!this.running || this.isDown) return;
    const job = await this.runner.claimOne(name, id);
    if (job) await Promise.race([this.runner.run(job), this.stopped]);
  }

  private look(): void {
    if (this.isDown) void this.tryAgain();
    else for (const name of this.bulls.keys()) this.relay(name, true);
  }

  /** Announces everything that is due, at the start and when Redis has come back: it may have been emptied. */
  private async relayAll(): Promise<void> {
    await this.store.forgetAnnounced().catch((error: unknown) => this.failed(error));
    await this.signal.listen((queue) => this.relay(queue));
  }

  /** Sends messages about what is due, and with `ahead` about what is due soon. */
  private relay(name: QueueName, ahead = false): void {
    const relay = this.relays.get(name) ?? { round: null, again: false, ahead: false };
    this.relays.set(name, relay);
    relay.again = true;
    relay.ahead ||= ahead;
    relay.round ??= this.rounds(name, relay).finally(() => {
      relay.round = null;
    });
  }

  private async rounds(name: QueueName, relay: Relay): Promise<void> {
    while (relay.again && this.running && !this.isDown) {
      const { ahead } = relay;
      relay.again = relay.ahead = false;
      const bull = this.bulls.get(name)!;
      let gotThrough = await this.announce(name, bull, 'now', () => bull.getWaitingCount());
      if (ahead) gotThrough = (await this.announce(name, bull, 'soon', () => bull.getDelayedCount())) && gotThrough;
      this.pulse.cameBack(name, gotThrough);
    }
  }

  /** @returns false when the database could not be looked into; without Redis others look there */
  private async announce(
    name: QueueName,
    bull: Bull.Queue<Hint>,
    when: 'now' | 'soon',
    count: () => Promise<number>,
  ): Promise<boolean> {
    const there = await this.ask(count);
    const most = messagesOf(name);
    if (there === null || there >= most) return true;
    const jobs = await this.runner.announce(name, when, most - there).catch((error: unknown) => this.failed(error));
    if (jobs?.length) await this.ask(() => bull.addBulk(jobs.map(message)));
    return jobs !== null;
  }

  /** The answer of Redis; null when there is none, and this worker then goes on without it. */
  private async ask<T>(command: () => Promise<T>): Promise<T | null> {
    try {
      return await within(PATIENCE, command(), 'Redis took too long.');
    } catch (error) {
      await this.fallBack(error);
      return null;
    }
  }

  private async fallBack(error: unknown): Promise<void> {
    if (this.isDown || !this.running) return;
    this.isDown = true;
    this.logger.warn({ err: error }, 'Redis does not answer; until it does, jobs are looked for in the database.');
    await this.local.start();
  }

  private async tryAgain(): Promise<void> {
    try {
      await within(PATIENCE, this.bulls.get('default')!.client.ping(), 'Redis took too long.');
    } catch {
      return;
    }
    if (!this.isDown || !this.running) return;
    this.isDown = false;
    await this.local.stop();
    this.logger.log('Redis answers again.');
    await this.relayAll();
  }

  /** Takes no further message. Without Redis the connections end, so that nothing waits for them later. */
  private async pause(bull: Bull.Queue<Hint>): Promise<void> {
    await within(PATIENCE, bull.pause(true, true), 'Redis took too long.').catch(() => {
      for (const client of bull.clients) client.disconnect();
    });
  }

  private failed(error: unknown): null {
    this.logger.warn({ err: error }, 'Due jobs cannot be announced; looking goes on.');
    return null;
  }
}

/** A message that is still there is not doubled: it is named by its job and by when that is due. */
const message = ({ id, runAt, wait }: AnnouncedJob) => ({
  data: { id },
  opts: { jobId: `${id}-${runAt.getTime()}`, delay: Math.ceil(wait) },
});
