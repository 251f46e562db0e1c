import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable, Logger } from '@nestjs/common';
import { SECOND } from '../../clock/clock.js';
import { withTimeout } from '../../clock/with-timeout.js';
import { runInPoolPartition } from '../../database/pool/pool-partitioning.js';
import type { InstanceRole } from './instance.entity.js';
import { InstanceRepository, type StorageReport } from './instance.repository.js';

/** Heartbeat interval, in milliseconds. */
const HEARTBEAT_INTERVAL = 15 * SECOND;
/**
 * How long a stopping process waits for its row to be deleted, in milliseconds. Otherwise it is ignored after a minute.
 */
const LEAVE_TIMEOUT = 500;

/** Keeps a row in the database for this process while it works, so that others can count the running processes. */
@Injectable()
export class InstanceRegistryService {
  private readonly logger = new Logger('Instances');
  private readonly id = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> = Promise.resolve();
  private storage: StorageReport = { storageUrl: null, storageMoveId: null, storageProblem: null };
  /** Sends a heartbeat if this process is registered. */
  private sendNow: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly instances: InstanceRepository) {}

  /**
   * Registers this process and sends heartbeats until `unregister`.
   * @param port where a web process serves; null for a worker
   * @param isWorking no heartbeat is sent while it returns false, so that a hung process is no longer counted
   */
  async register(role: InstanceRole, port: number | null, isWorking: () => boolean = () => true): Promise<void> {
    const sendIfWorking = () => {
      if (isWorking()) this.sending = this.sendHeartbeat(role, port);
      return this.sending;
    };
    clearInterval(this.timer);
    this.sendNow = sendIfWorking;
    await sendIfWorking();
    this.timer = setInterval(() => void sendIfWorking(), HEARTBEAT_INTERVAL);
    this.timer.unref();
  }

  /** Tells the other processes about the storage of this one, at once and with each heartbeat. */
  async reportStorage(report: StorageReport): Promise<void> {
    this.storage = report;
    await this.sendNow();
  }

  /** Removes this process from the list. A database that doesn't respond must not delay the shutdown. */
  async unregister(): Promise<void> {
    clearInterval(this.timer);
    this.sendNow = () => Promise.resolve();
    await this.runLoggingErrors(async () => {
      await withTimeout(LEAVE_TIMEOUT, this.sending, 'The last heartbeat took too long.');
      const deletion = this.instances.deleteInstance(this.id);
      await withTimeout(LEAVE_TIMEOUT, deletion, 'The database took too long.');
    });
  }

  private sendHeartbeat(role: InstanceRole, port: number | null): Promise<void> {
    const instance = { id: this.id, role, host: hostname().slice(0, 255), port, ...this.storage };
    return this.runLoggingErrors(async () => {
      await this.instances.upsertHeartbeat(instance);
      await this.instances.deleteStale();
    });
  }

  /** The database may be unavailable; the next heartbeat tries again. */
  private async runLoggingErrors(work: () => Promise<unknown>): Promise<void> {
    try {
      await runInPoolPartition('heartbeats', work);
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't write this process's heartbeat.");
    }
  }
}
