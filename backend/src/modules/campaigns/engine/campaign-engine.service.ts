import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { after, Clock } from '../../../platform/clock/clock.js';
import { inLane } from '../../../platform/database/pool/places.js';
import { WorkerPulse } from '../../../platform/jobs/running/worker-pulse.js';
import { BulkMailer } from '../../../platform/mail/bulk/bulk-mailer.js';
import { isSendersFault, type SendOutcome } from '../../../platform/mail/outcome/send-outcome.js';
import { CampaignMails } from '../rendering/campaign-mail.service.js';
import { CampaignStates } from './campaign-states.service.js';
import { DeliveryStore, type ClaimedDelivery, type DeliveryResult } from './delivery-store.js';
import { ResultRecorder } from './result-recorder.js';
import { SendingPace } from './sending-pace.service.js';

/** The most deliveries claimed at a time. */
const LARGEST_CLAIM = 1000;
/** How the pulse of the worker knows its looks for due mails. */
const LOOKER = 'deliveries';
/** Faults in a row after which the mail server counts as down. */
const FAULTS = 3;

/**
 * Sends what is due, over as many connections as are configured. A connection takes its next mail only when the result
 * of its last is committed: after a crash at most that many mails can go out twice. Several processes may do this at
 * once; each claims its own.
 */
@Injectable()
export class CampaignEngine {
  private readonly logger = new Logger('Campaigns');
  private readonly recorder: ResultRecorder;
  private readonly buffer: ClaimedDelivery[] = [];
  private readonly lanes = new Set<Promise<void>>();
  private workerId = randomUUID();
  private seenAt = 0;
  private claiming: Promise<number> | null = null;
  private turn = 0;
  private speed = 0;
  private speedAt = -Infinity;
  private sentSince = 0;
  private faults = 0;
  private blockedUntil = 0;
  private poll: NodeJS.Timeout | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private running = false;
  private stopping = false;

  constructor(
    private readonly clock: Clock,
    private readonly store: DeliveryStore,
    private readonly mails: CampaignMails,
    private readonly mailer: BulkMailer,
    private readonly pace: SendingPace,
    private readonly states: CampaignStates,
    private readonly pulse: WorkerPulse,
  ) {
    this.recorder = new ResultRecorder(
      (campaignId, results) => this.store.record(campaignId, results),
      async ({ id, isDone, isInTrouble }) => {
        if (isDone) await this.states.finish(id);
        else if (isInTrouble) await this.pause(id);
      },
      (error) => this.logger.warn({ err: error }, 'Results of sending could not be written; they are tried again.'),
    );
  }

  /** Sends whenever something is due, until `stop`. */
  async start(): Promise<void> {
    this.running = true;
    this.pulse.expect(LOOKER);
    this.heartbeat = setInterval(() => void this.beat(), this.pace.timings.heartbeat);
    await this.beat();
    this.poll = setInterval(() => void this.refill(), this.pace.timings.poll);
    void this.refill();
  }

  /** Ends in order: claims no more, gives back what was not begun, waits for the mails under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.poll);
    await this.claiming?.catch(() => 0);
    const unsent = this.buffer.splice(0).map(({ id }) => id);
    const grace = new Promise((resolve) => setTimeout(resolve, this.pace.timings.grace).unref());
    await Promise.race([Promise.all(this.lanes).then(() => this.recorder.settled()), grace]);
    clearInterval(this.heartbeat);
    if (!this.running) return;
    this.running = false;
    await this.store.leave(this.workerId, unsent).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'Unsent mails could not be given back; others take them over soon.');
    });
  }

  /**
   * Sends what is due now. Where the engine runs by itself this only tells it to look; elsewhere it resolves when
   * nothing more is due, or the mail server is down.
   */
  async workOff(): Promise<void> {
    if (this.running) return void this.refill();
    const heartbeat = setInterval(() => void this.beat(), this.pace.timings.heartbeat);
    try {
      await this.beat();
      for (;;) {
        const seen = await this.refill();
        await Promise.all(this.lanes);
        await this.recorder.settled();
        if (seen === 0 || this.isBlocked) break;
      }
    } finally {
      clearInterval(heartbeat);
      await this.store.leave(this.workerId, []);
    }
  }

  private get isBlocked(): boolean {
    return performance.now() < this.blockedUntil;
  }

  /** Claims more if there is room; one claim at a time. @returns how many due deliveries were seen */
  private refill(): Promise<number> {
    this.claiming ??= this.claimMore()
      .then((seen) => {
        this.pulse.cameBack(LOOKER, true);
        return seen;
      })
      .catch((error: unknown) => {
        this.pulse.cameBack(LOOKER, false);
        this.logger.warn({ err: error }, 'Due mails cannot be claimed; looking goes on.');
        return 0;
      })
      .finally(() => {
        this.claiming = null;
      });
    return this.claiming;
  }

  private async claimMore(): Promise<number> {
    if (this.stopping || this.isBlocked || this.recorder.isBehind) return 0;
    const room = this.batchSize() - this.buffer.length;
    if (room <= 0) return 0;
    await this.store.sweep();
    const due = await this.store.campaignsDue();
    if (due.length === 0) return 0;
    this.turn = (this.turn + 1) % due.length;
    const share = Math.ceil(room / due.length);
    let seen = 0;
    for (const id of [...due.slice(this.turn), ...due.slice(0, this.turn)].slice(0, room)) {
      seen += await this.claimOf(id, share).catch((error: unknown) => {
        this.logger.warn({ err: error, campaignId: id }, 'Mails of a campaign cannot be claimed; the others go on.');
        return 0;
      });
    }
    return seen;
  }

  private async claimOf(campaignId: number, wanted: number): Promise<number> {
    const allowed = await this.pace.reserve(wanted);
    if (allowed === 0) return 0;
    const { toSend, seen } = await this.store.claim(campaignId, this.workerId, allowed);
    await this.pace.refund(allowed - toSend.length);
    if (this.stopping) {
      await this.store.release(toSend.map(({ id }) => id));
      return 0;
    }
    this.buffer.push(...toSend);
    while (this.lanes.size < Math.min(this.laneLimit(), this.lanes.size + this.buffer.length)) this.openLane();
    if (toSend.length < seen) await this.states.finish(campaignId);
    return seen;
  }

  /** As many mails as go out in the time ahead; a single one while the server is suspected to be down. */
  private batchSize(): number {
    if (this.faults >= FAULTS) return 1;
    const ahead = Math.ceil((this.speed * this.pace.timings.ahead) / 1000);
    return Math.min(LARGEST_CLAIM, Math.max(2 * this.mailer.connections, ahead));
  }

  private laneLimit(): number {
    return this.faults >= FAULTS ? 1 : this.mailer.connections;
  }

  private openLane(): void {
    const lane: Promise<void> = this.lane().finally(() => this.lanes.delete(lane));
    this.lanes.add(lane);
  }

  /** One connection's work: a mail, its result, the next. */
  private async lane(): Promise<void> {
    for (;;) {
      if (this.hasLostLease()) this.forgetClaims();
      const next = this.buffer.shift();
      if (this.buffer.length * 2 < this.batchSize()) void this.refill();
      if (next) {
        await this.deliver(next);
        continue;
      }
      const claiming = this.claiming;
      if (!claiming || (await claiming) === 0) {
        if (this.buffer.length === 0) return;
      }
    }
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const outcome = await this.send(delivery);
    await this.recorder.record(this.resultOf(delivery, outcome));
    this.measure();
    if (outcome.kind === 'server-fault') await this.noteFault();
    else this.faults = 0;
  }

  private async send(delivery: ClaimedDelivery): Promise<SendOutcome> {
    try {
      const campaign = await this.mails.toSend(delivery.campaignId);
      if (!campaign) return { kind: 'refused', code: null, reason: 'The campaign is gone.', fault: 'sender' };
      return await this.mailer.send(this.mails.mailFor(campaign, delivery, delivery.id));
    } catch (error) {
      this.logger.error({ err: error, deliveryId: delivery.id }, 'A mail could not be made.');
      return { kind: 'postponed', code: null, reason: 'The mail could not be made.' };
    }
  }

  private resultOf({ id, campaignId, attempt }: ClaimedDelivery, outcome: SendOutcome): DeliveryResult {
    const now = this.clock.now();
    const base = { id, campaignId, runAt: now, smtpCode: null, reason: null, fault: null };
    if (outcome.kind === 'sent') return { ...base, state: 'delivered' };
    if (outcome.kind === 'kept') return { ...base, state: 'kept' };
    const { code: smtpCode, reason } = outcome;
    if (outcome.kind === 'refused' || attempt >= this.pace.timings.attempts) {
      // What was only put off, however often, says nothing against the address.
      const fault = outcome.kind === 'refused' ? outcome.fault : 'sender';
      return { ...base, state: 'failed', smtpCode, reason, fault };
    }
    // Counted against the sending, so that it stops and its owner hears of it; the mail waits for what is mended.
    const fault = isSendersFault(outcome) ? 'sender' : null;
    return {
      ...base,
      state: 'queued',
      smtpCode,
      reason,
      fault,
      runAt: after(now, this.pace.timings.retryWait(attempt)),
    };
  }

  /** Ends the sending of a campaign that is being refused; what was claimed of it and not begun is given back. */
  private async pause(campaignId: number): Promise<void> {
    await this.states.pauseRefused(campaignId);
    const kept = this.buffer.splice(0);
    this.buffer.push(...kept.filter((delivery) => delivery.campaignId !== campaignId));
    const unsent = kept.filter((delivery) => delivery.campaignId === campaignId);
    await this.store.release(unsent.map(({ id }) => id));
  }

  /** After several faults in a row the server is left alone for a while, longer each time. */
  private async noteFault(): Promise<void> {
    this.faults += 1;
    if (this.faults < FAULTS || this.isBlocked) return;
    const wait = Math.min(
      this.pace.timings.longestServerWait,
      this.pace.timings.serverWait * 2 ** (this.faults - FAULTS),
    );
    this.blockedUntil = performance.now() + wait;
    this.logger.warn({ wait }, 'The mail server does not take mails; sending waits.');
    const unsent = this.buffer.splice(0).map(({ id }) => id);
    await this.store.release(unsent).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'Unsent mails could not be given back; they come back with the lease.');
      this.forgetClaims();
    });
  }

  private measure(): void {
    this.sentSince += 1;
    const span = performance.now() - this.speedAt;
    if (span < 500) return;
    this.speed = span > 5000 ? 0 : (this.sentSince * 1000) / span;
    this.speedAt = performance.now();
    this.sentSince = 0;
  }

  private async beat(): Promise<void> {
    const begun = Date.now();
    try {
      await inLane('beats', () => this.store.beat(this.workerId));
      this.seenAt = begun;
    } catch (error) {
      this.logger.warn({ err: error }, 'This worker could not say that it lives.');
    }
  }

  private hasLostLease(): boolean {
    return Date.now() - this.seenAt > this.pace.timings.lease * 0.8;
  }

  /** What was claimed and not begun may be another worker's by now: it is left to the lease. */
  private forgetClaims(): void {
    this.buffer.length = 0;
    this.workerId = randomUUID();
    this.seenAt = Date.now();
    void this.beat();
  }
}
