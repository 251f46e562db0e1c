import { TransactionContext } from '@mikro-orm/core';
import type { INestApplication } from '@nestjs/common';
import { MailerService } from '@nestjs-modules/mailer';
import { StripeClientService } from '../../src/modules/billing/stripe-client.service.js';
import { BulkMailer } from '../../src/platform/email/bulk/bulk-mailer.js';
import { Storage } from '../../src/platform/storage/storage.js';

/** What is reached over a network, or on a disk: by its class, and what of it is called. */
const EXTERNAL_SERVICES = [
  [Storage, ['write', 'read', 'openRange', 'readWhole', 'stat', 'delete', 'move', 'list', 'removeUnfinished']],
  [MailerService, ['sendMail']],
  [BulkMailer, ['send']],
  [StripeClientService, ['call']],
] as const;

/**
 * Refuses every call of a neighbour from inside a transaction: it may take seconds, nobody else gets at the rows meanwhile,
 * and a transaction that is done again would do it twice.
 * @returns tells where it happened, also when whoever called took the refusal for a fault of the neighbour
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
