import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import { MetricSources, type MetricSource } from '../health/metric-sources.js';
import type { SecurityEventKind } from './security-event-kinds.js';

type CountedKind = Exclude<SecurityEventKind, 'token-network' | 'new-device'>;

const createCounter = (name: string, help: string, label: string) =>
  new Counter({ name, help, labelNames: [label], registers: [] });

/**
 * Counts rejections by this process for `/metrics`. Labels come from our own lists, and never identify a user or
 * network.
 */
@Injectable()
export class SecurityMetrics implements MetricSource, OnModuleInit {
  private readonly counters: Record<CountedKind | 'token-refused', Counter> = {
    'sign-in-failed': createCounter('zonary_sign_in_failures_total', 'Failed sign-ins, by reason.', 'reason'),
    'confirmation-failed': createCounter(
      'zonary_reauthentication_failures_total',
      'Failed identity confirmations of signed-in users, by reason.',
      'reason',
    ),
    'locked-out': createCounter('zonary_lockouts_total', 'Attempts rejected by lockouts, by action.', 'of'),
    'webhook-refused': createCounter(
      'zonary_webhooks_refused_total',
      'Webhooks with an invalid signature, by sender.',
      'sender',
    ),
    'token-refused': createCounter(
      'zonary_api_tokens_refused_total',
      'Rejected uses of API tokens, by reason.',
      'reason',
    ),
  };

  constructor(private readonly sources: MetricSources) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  register(registry: Registry): void {
    for (const counter of Object.values(this.counters)) registry.registerMetric(counter);
  }

  /** Nothing to refresh: events are counted as they happen. */
  refresh(): Promise<void> {
    return Promise.resolve();
  }

  /** Increments a counter. @param detail one of our own keywords; becomes a label value */
  increment(kind: SecurityEventKind | 'token-refused', detail: string): void {
    const label = {
      'sign-in-failed': 'reason',
      'confirmation-failed': 'reason',
      'locked-out': 'of',
      'webhook-refused': 'sender',
      'token-refused': 'reason',
    };
    if (kind === 'token-network' || kind === 'new-device') return;
    this.counters[kind].inc({ [label[kind]]: detail });
  }
}
