import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { runInPoolPartition } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { WorkerHeartbeat } from '../../../platform/jobs/running/worker-heartbeat.js';
import { BulkMailer } from '../../../platform/email/bulk/bulk-mailer.js';
import type { SendOutcome } from '../../../platform/email/outcome/send-outcome.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import { CampaignRendererService } from '../rendering/campaign-renderer.service.js';
import { CampaignStateRepository } from './campaign-state.repository.js';
import { CampaignStateService } from './campaign-state.service.js';
import {
  DeliveryConfig,
  detectDeliveryProblem,
  toDeliveryResult,
  type CampaignCounts,
  type ClaimedDelivery,
} from './delivery.policy.js';
import { DeliveryRepository, type DueDelivery } from './delivery.repository.js';
import { ResultRecorder } from './result-recorder.js';
import { SendRateRepository } from './send-rate.repository.js';
import { Throughput } from './throughput.js';

/** Name under which the poll for due deliveries is registered in `WorkerHeartbeat`. */
const POLLER_NAME = 'deliveries';

/** Due deliveries of a campaign: those that this worker claimed, and those whose recipients no longer want them. */
interface Claim {
  readonly toSend: ClaimedDelivery[];
  readonly unwanted: ClaimedDelivery[];
}

/**
 * Sends due deliveries over the configured number of connections, from the claim to what follows from the result. A
 * connection takes its next email only after the result of the previous one is committed, so a crash can duplicate at
 * most one email per connection. Several processes can run this concurrently; each claims its own deliveries.
 */
@Injectable()
export class CampaignEngineService {
  private readonly logger = new Logger('Campaigns');
  private readonly recorder: ResultRecorder;
  private readonly throughput: Throughput;
  private readonly claimed: ClaimedDelivery[] = [];
  private readonly connections = new Set<Promise<void>>();
  private workerId = randomUUID();
  private lastHeartbeatAt = 0;
  /** The next poll of an idle worker, in milliseconds of `performance.now()`. */
  private nextPollAt = 0;
  private pendingClaim: Promise<number> | null = null;
  private roundRobinIndex = 0;
  private pollTimer: NodeJS.Timeout | undefined;
  private heartbeatTimer: NodeJS.Timeout | undefined;
  private running = false;
  private stopping = false;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly appConfig: AppConfig,
    private readonly config: DeliveryConfig,
    private readonly deliveries: DeliveryRepository,
    private readonly states: CampaignStateRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly renderer: CampaignRendererService,
    private readonly mailer: BulkMailer,
    private readonly sendRates: SendRateRepository,
    private readonly campaignState: CampaignStateService,
    private readonly workerHeartbeat: WorkerHeartbeat,
  ) {
    this.throughput = new Throughput(this.config, this.mailer);
    this.recorder = new ResultRecorder(
      (campaignId, results) => this.deliveries.recordResults(campaignId, results),
      (counts) => this.followUp(counts),
      (error) => this.logger.warn({ err: error }, "Couldn't record delivery results; retrying."),
    );
  }

  /** Sends due deliveries continuously until `stop`. */
  async start(): Promise<void> {
    this.running = true;
    this.workerHeartbeat.registerPoller(POLLER_NAME);
    this.heartbeatTimer = setInterval(() => void this.renewLease(), this.config.heartbeatInterval);
    this.pollTimer = setInterval(() => this.pollIfDue(), this.config.pollInterval);
    void this.claimIfNeeded();
  }

  /**
   * Shuts down in order: stops claiming, releases deliveries that were not started, and waits for emails in progress.
   */
  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.pollTimer);
    await this.pendingClaim?.catch(() => 0);
    const unsent = idsOf(this.claimed.splice(0));
    const grace = new Promise((resolve) => setTimeout(resolve, this.config.shutdownGrace).unref());
    await Promise.race([Promise.all(this.connections).then(() => this.recorder.flush()), grace]);
    clearInterval(this.heartbeatTimer);
    if (!this.running) return;
    this.running = false;
    await this.deliveries.unregisterWorker(this.workerId, unsent).catch((error: unknown) => {
      this.logger.warn({ err: error }, "Couldn't release unsent emails; other workers take them over soon.");
    });
  }

  /**
   * Sends what is due now. If the engine runs continuously, this only triggers a poll. Otherwise it resolves when
   * nothing more is due or the mail server is down.
   */
  async processDueDeliveries(): Promise<void> {
    if (this.running) {
      // A claim in progress may have looked before these emails were due.
      this.nextPollAt = 0;
      return void this.claimIfNeeded();
    }
    const heartbeatTimer = setInterval(() => void this.sendHeartbeat(), this.config.heartbeatInterval);
    try {
      for (;;) {
        const seen = await this.claimIfNeeded();
        await Promise.all(this.connections);
        await this.recorder.flush();
        if (seen === 0 || this.throughput.isBlocked) break;
      }
    } finally {
      clearInterval(heartbeatTimer);
      await this.deliveries.unregisterWorker(this.workerId, []);
    }
  }

  /** Polls less often while no email is due. A successful poll counts until the next one. */
  private pollIfDue(): void {
    if (performance.now() >= this.nextPollAt) void this.claimIfNeeded();
    else if (!this.pendingClaim) this.workerHeartbeat.recordPoll(POLLER_NAME, true);
  }

  /**
   * Claims more deliveries if there is room, one claim at a time.
   * @returns how many due deliveries were found
   */
  private claimIfNeeded(): Promise<number> {
    this.pendingClaim ??= this.claimMore()
      .then((seen) => {
        this.workerHeartbeat.recordPoll(POLLER_NAME, true);
        return seen;
      })
      .catch((error: unknown) => {
        this.nextPollAt = 0;
        this.workerHeartbeat.recordPoll(POLLER_NAME, false);
        this.logger.warn({ err: error }, "Couldn't claim due emails; polling continues.");
        return 0;
      })
      .finally(() => {
        this.pendingClaim = null;
      });
    return this.pendingClaim;
  }

  private async claimMore(): Promise<number> {
    if (this.stopping || this.throughput.isBlocked || this.recorder.isBehind) return 0;
    const room = this.throughput.batchSize - this.claimed.length;
    if (room <= 0) return 0;
    this.nextPollAt = performance.now() + this.config.idlePollInterval;
    const due = await this.deliveries.findDueCampaigns(this.config.leaseDuration);
    if (due.length > 0 || this.isBusy) this.nextPollAt = 0;
    if (due.length === 0 || !(await this.ensureLease())) return 0;
    this.roundRobinIndex = (this.roundRobinIndex + 1) % due.length;
    const share = Math.ceil(room / due.length);
    let seen = 0;
    for (const id of [...due.slice(this.roundRobinIndex), ...due.slice(0, this.roundRobinIndex)].slice(0, room)) {
      seen += await this.claimCampaign(id, share).catch((error: unknown) => {
        this.logger.warn(
          { err: error, campaignId: id },
          "Couldn't claim a campaign's emails; the other campaigns continue.",
        );
        return 0;
      });
    }
    return seen;
  }

  private async claimCampaign(campaignId: number, wanted: number): Promise<number> {
    const rate = this.appConfig.mailRate;
    const allowed = rate === null ? wanted : await this.sendRates.takeTokens(rate, wanted);
    if (allowed === 0) return 0;
    const { toSend, unwanted } = await this.claimDeliveries(campaignId, allowed);
    if (unwanted.length > 0) await this.skipDeliveries(campaignId, unwanted);
    if (rate !== null && toSend.length < allowed) await this.sendRates.addTokens(allowed - toSend.length);
    if (this.stopping) {
      await this.deliveries.releaseClaims(idsOf(toSend));
      return 0;
    }
    this.claimed.push(...toSend);
    while (this.claimed.length > 0 && this.connections.size < this.throughput.maxConnections) this.openConnection();
    if (unwanted.length > 0) await this.campaignState.finish(campaignId);
    return toSend.length + unwanted.length;
  }

  /**
   * Claims up to `limit` due deliveries of a campaign; no two workers get the same one. Recipients are checked again:
   * those who left the zone, withdrew consent or are suppressed no longer want the email.
   */
  private claimDeliveries(campaignId: number, limit: number): Promise<Claim> {
    const { workerId } = this;
    return inTransaction(this.em.fork(), async (em) => {
      const due = await this.deliveries.lockDue(em, campaignId, limit);
      if (due.length === 0) return { toSend: [], unwanted: [] };
      const emails = due.filter(({ isStillWanted }) => isStillWanted).map(({ email }) => email);
      const suppressed = await this.suppressions.findSuppressed(em, due[0]!.ownerId, emails);
      const isWanted = ({ isStillWanted, email }: DueDelivery) => isStillWanted && !suppressed.has(email);
      const toSend = due.filter(isWanted);
      if (toSend.length > 0) await this.deliveries.assignToWorker(em, idsOf(toSend), workerId);
      return { toSend, unwanted: due.filter((delivery) => !isWanted(delivery)) };
    });
  }

  /**
   * Counts deliveries as skipped. Separate from the claim, which already holds locks on deliveries: here the campaign is
   * locked first, as everywhere.
   */
  private async skipDeliveries(campaignId: number, unwanted: readonly ClaimedDelivery[]): Promise<void> {
    await inTransaction(this.em.fork(), async (em) => {
      await this.states.lockRow(em, campaignId);
      const skipped = await this.deliveries.skipQueued(em, idsOf(unwanted));
      await this.states.incrementCounts(em, campaignId, { skipped });
    });
  }

  private openConnection(): void {
    const connection: Promise<void> = this.runConnection().finally(() => this.connections.delete(connection));
    this.connections.add(connection);
  }

  /** Loop of one connection: sends an email, records its result, takes the next. */
  private async runConnection(): Promise<void> {
    for (;;) {
      if (this.hasLostLease()) this.dropClaims();
      const next = this.claimed.shift();
      if (this.claimed.length * 2 < this.throughput.batchSize) void this.claimIfNeeded();
      if (next) {
        await this.deliver(next);
        continue;
      }
      const claiming = this.pendingClaim;
      if (!claiming || (await claiming) === 0) {
        if (this.claimed.length === 0) return;
      }
    }
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const outcome = await this.send(delivery);
    await this.recorder.record(toDeliveryResult(delivery, outcome, this.clock.now(), this.config));
    const wait = this.throughput.recordOutcome(outcome);
    if (wait === null) return;
    this.logger.warn({ wait }, 'The mail server accepts no emails; sending is paused.');
    await this.releaseUnsent();
  }

  private async send(delivery: ClaimedDelivery): Promise<SendOutcome> {
    try {
      const campaign = await this.renderer.getPreparedCampaign(delivery.campaignId);
      if (!campaign) return { kind: 'rejected', code: null, reason: 'The campaign is gone.', bounceCause: 'sender' };
      return await this.mailer.send(this.renderer.renderDelivery(campaign, delivery, delivery.id));
    } catch (error) {
      this.logger.error({ err: error, deliveryId: delivery.id }, "Couldn't compose an email.");
      return { kind: 'postponed', code: null, reason: "The email couldn't be composed." };
    }
  }

  /** Finishes or pauses a campaign if its results require that. */
  private async followUp(counts: CampaignCounts | null): Promise<void> {
    if (counts?.isDone) await this.campaignState.finish(counts.id);
    else if (counts && detectDeliveryProblem(counts)) await this.pauseCampaign(counts.id);
  }

  /** Pauses a campaign that is being rejected and releases its claimed deliveries that were not started. */
  private async pauseCampaign(campaignId: number): Promise<void> {
    await this.campaignState.pauseRejected(campaignId);
    const claimed = this.claimed.splice(0);
    this.claimed.push(...claimed.filter((delivery) => delivery.campaignId !== campaignId));
    const unsent = claimed.filter((delivery) => delivery.campaignId === campaignId);
    await this.deliveries.releaseClaims(idsOf(unsent));
  }

  /** Releases all claimed deliveries that were not started. */
  private async releaseUnsent(): Promise<void> {
    const unsent = idsOf(this.claimed.splice(0));
    await this.deliveries.releaseClaims(unsent).catch((error: unknown) => {
      this.logger.warn({ err: error }, "Couldn't release unsent emails; they are due again when the lease expires.");
      this.dropClaims();
    });
  }

  /** Whether this worker holds deliveries. */
  private get isBusy(): boolean {
    return this.claimed.length > 0 || this.connections.size > 0;
  }

  /** An idle worker sends no heartbeats: it has no lease to lose. */
  private async renewLease(): Promise<void> {
    if (this.isBusy || this.pendingClaim) await this.sendHeartbeat();
  }

  /**
   * Acquires a lease if this worker is idle. A lost lease must not be renewed while deliveries are held under it.
   * @returns whether this worker may claim deliveries
   */
  private async ensureLease(): Promise<boolean> {
    return this.isBusy ? !this.hasLostLease() : this.sendHeartbeat();
  }

  /** @returns whether the lease is renewed */
  private async sendHeartbeat(): Promise<boolean> {
    const startedAt = Date.now();
    try {
      await runInPoolPartition('heartbeats', () => this.deliveries.recordHeartbeat(this.workerId));
      this.lastHeartbeatAt = startedAt;
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't write this worker's heartbeat.");
      return false;
    }
  }

  private hasLostLease(): boolean {
    return Date.now() - this.lastHeartbeatAt > this.config.leaseDuration * 0.8;
  }

  /**
   * Claimed deliveries that were not started may already belong to another worker, so they are left to the lease
   * expiry.
   */
  private dropClaims(): void {
    this.claimed.length = 0;
    this.workerId = randomUUID();
    this.lastHeartbeatAt = Date.now();
    void this.sendHeartbeat();
  }
}

const idsOf = (deliveries: readonly ClaimedDelivery[]): number[] => deliveries.map(({ id }) => id);
