import { TransactionContext } from '@mikro-orm/core';
import type { INestApplication } from '@nestjs/common';
import { MailerService } from '@nestjs-modules/mailer';
import { StripeClientService } from '../../src/modules/billing/stripe-client.service.js';
import { BulkMailer } from '../../src/platform/email/bulk/bulk-mailer.js';
import { Storage } from '../../src/platform/storage/storage.js';

/** What is reached over a network, or on a disk: by its class, and what of it is called. */
const NEIGHBOURS = [
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
export function watchNeighbours(app: INestApplication): () => readonly string[] {
  const found: string[] = [];
  for (const [kind, names] of NEIGHBOURS) {
    const neighbour = app.get<Record<string, unknown>>(kind as never, { strict: false });
    for (const name of names) {
      const call = neighbour[name] as (...args: unknown[]) => unknown;
      neighbour[name] = (...args: unknown[]) => {
        if (TransactionContext.getEntityManager()?.isInTransaction()) {
          const refusal = new Error(`${kind.name}.${name} was called inside a transaction.`);
          found.push(refusal.stack!);
          throw refusal;
        }
        return call.apply(neighbour, args);
      };
    }
  }
  return () => found;
}
