import { TransactionContext } from '@mikro-orm/core';
import type { INestApplication } from '@nestjs/common';
import { MailerService } from '@nestjs-modules/mailer';
import { StripeClientService } from '../../src/modules/billing/stripe-client.service.js';
import { BulkMailer } from '../../src/platform/email/bulk/bulk-mailer.js';
import { Storage } from '../../src/platform/storage/storage.js';

/** Services reached over a network or on disk: class and methods. */
const EXTERNAL_SERVICES = [
  [
    Storage,
    [
      ...[
        'write',
        'openGrowing',
        'read',
        'openRange',
        'readWhole',
        'stat',
        'delete',
        'move',
        'list',
        'removeUnfinished',
      ],
      ...['beginMultipart', 'sendPart', 'completeMultipart', 'abortMultipart'],
    ],
  ],
  [MailerService, ['sendMail']],
  [BulkMailer, ['send']],
  [StripeClientService, ['call']],
] as const;

/**
 * Forbids calls to external services inside transactions. Such a call may take seconds while the transaction holds its
 * locks, and a retried transaction would repeat it.
 * @returns a function that lists the violations, including those whose error the caller took for a failed service
 */
export function forbidExternalCallsInTransactions(app: INestApplication): () => readonly string[] {
  const violations: string[] = [];
  for (const [serviceClass, methods] of EXTERNAL_SERVICES) {
    const service = app.get<Record<string, unknown>>(serviceClass as never, { strict: false });
    for (const method of methods) {
      const original = service[method] as (...args: unknown[]) => unknown;
      service[method] = (...args: unknown[]) => {
        if (TransactionContext.getEntityManager()?.isInTransaction()) {
          const error = new Error(`${serviceClass.name}.${method} was called inside a transaction.`);
          violations.push(error.stack!);
          throw error;
        }
        return original.apply(service, args);
      };
    }
  }
  return () => violations;
}
