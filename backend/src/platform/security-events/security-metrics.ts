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
    'sign-in-failed': createCounter('zonary_sign_in_failures_total', 'Sign-ins that failed, by reason.', 'reason'),
    'confirmation-failed': createCounter(
      'zonary_confirmation_failures_total',
      'Confirmations by people signed in that failed, by reason.',
      'reason',
    ),
    'locked-out': createCounter(
      'zonary_lock_outs_total',
      'Tries refused because there were too many, by what was tried.',
      'of',
    ),
    'webhook-refused': createCounter('zonary_webhooks_refused_total', 'Webhooks without a right signature.', 'sender'),
    'token-refused': createCounter(
      'zonary_api_tokens_refused_total',
      'Uses of API tokens that were refused.',
      'reason',
    ),
  };

  constructor(private readonly sources: MetricSources) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  register(registry: Registry): void {
    for (const one of Object.values(this.counters)) registry.registerMetric(one);
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
