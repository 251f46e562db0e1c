import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { freezeList } from '../constants/freeze-list.js';
import { Clock } from '../clock/clock.js';
import { JobRepository } from '../jobs/job.repository.js';
import { queues } from '../jobs/queues.js';
import { InstanceRepository } from './instances/instance.repository.js';
import { MailStateRepository } from '../email/mail-state.repository.js';
import { DiskReserve } from '../storage/disk-reserve.js';
import { StorageOwnershipGuard } from '../storage/ownership/storage-ownership-guard.js';
import { MetricSources, type MetricSource } from './metric-sources.js';

const STATES = freezeList(['queued', 'running', 'dead']);

const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
  new Gauge({ name, help, labelNames, registers: [] });

/** Metrics of shared services: disk and storage, mail server, and jobs. */
@Injectable()
export class ServiceMetrics implements MetricSource, OnModuleInit {
  private readonly gauges = {
    free: gauge('zonary_disk_free_bytes', 'Free bytes on the fullest disk of this process.'),
    reserve: gauge('zonary_disk_reserve_bytes', 'Uploads are rejected below this number of free bytes.'),
    own: gauge('zonary_storage_owned', '1 if the storage belongs to this installation; otherwise nothing is stored.'),
    refusing: gauge(
      'zonary_mail_server_refusing_seconds',
      'Seconds since the mail server stopped accepting emails; 0 while it accepts them.',
    ),
    jobs: gauge('zonary_jobs', 'Jobs by queue and state; dead jobs failed all attempts.', ['queue', 'state']),
    oldest: gauge('zonary_job_oldest_due_seconds', 'Seconds since the oldest waiting job was due.', ['queue']),
    workers: gauge('zonary_workers', 'Live workers: their last heartbeat is younger than a minute.'),
  };

  constructor(
    private readonly sources: MetricSources,
    private readonly disk: DiskReserve,
    private readonly storageOwnership: StorageOwnershipGuard,
    private readonly mailState: MailStateRepository,
    private readonly jobs: JobRepository,
    private readonly clock: Clock,
    private readonly instances: InstanceRepository,
  ) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  register(registry: Registry): void {
    for (const metric of Object.values(this.gauges)) registry.registerMetric(metric);
  }

  async refresh(): Promise<void> {
    await Promise.all([this.refreshStorage(), this.refreshMail(), this.refreshJobs(), this.refreshWorkers()]);
  }

  private async refreshStorage(): Promise<void> {
    const [space, state] = await Promise.all([this.disk.findFullestDisk(), this.storageOwnership.checkState()]);
    this.gauges.own.set(state.kind === 'own' ? 1 : 0);
    if (!space) return;
    this.gauges.free.set(space.free);
    this.gauges.reserve.set(space.reserve);
  }

  private async refreshMail(): Promise<void> {
    this.gauges.refusing.set(this.secondsSince((await this.mailState.getState()).refusingSince));
  }

  private async refreshWorkers(): Promise<void> {
    this.gauges.workers.set(await this.instances.countAlive('worker'));
  }

  private async refreshJobs(): Promise<void> {
    const rows = await this.jobs.countByQueueAndState();
    for (const queue of Object.keys(queues)) {
      const own = rows.filter((row) => row.queue === queue);
      for (const state of STATES) {
        this.gauges.jobs.set({ queue, state }, own.find((row) => row.state === state)?.count ?? 0);
      }
      this.gauges.oldest.set({ queue }, this.secondsSince(own.find((row) => row.due !== null)?.due ?? null));
    }
  }

  private secondsSince(at: Date | null): number {
    return at ? (this.clock.now().getTime() - at.getTime()) / 1000 : 0;
  }
}
