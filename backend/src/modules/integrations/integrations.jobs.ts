import { defineJob } from '../../platform/jobs/job-definition.js';
import type { WebhookSource } from './shared/sources.js';

/** Lets in who has paid and found a zone full, where there is a place now: after an upgrade, or when others left. */
export const admitWaitingCustomers = defineJob<Record<string, never>>('integrations.admit-waiting', {
  queue: 'clock',
  cron: '*/5 * * * *',
});

/** Does what a stored delivery asks for. */
export const processWebhook = defineJob<{ webhookId: number }>('integrations.process-webhook', { queue: 'default' });

/** Removes temporary passwords of customers that have expired. */
export const purgePurchasePasswords = defineJob<Record<string, never>>('integrations.purge-purchase-passwords', {
  queue: 'maintenance',
  cron: '31 4 * * *',
});

/**
 * Tells a customer of every zone that has opened to them and of which they have not been told, in one mail; a new
 * customer gets a temporary password with it.
 */
export const notifyPurchase = defineJob<{ userId: number }>('integrations.tell-purchase', { queue: 'mail' });

/** Tells the super admins that a sender has fallen silent. */
export const notifyInactivity = defineJob<{ source: WebhookSource }>('integrations.tell-silence', { queue: 'mail' });

/** Looks every hour whether a sender has fallen silent. */
export const detectInactivity = defineJob<Record<string, never>>('integrations.watch-silence', {
  queue: 'clock',
  cron: '35 * * * *',
});

/** Tells the owner of a zone that somebody whom they had blocked has paid, and is in again. */
export const notifyBlockedCustomerPurchase = defineJob<{ zoneId: number; userId: number }>(
  'integrations.tell-blocked-customer',
  {
    queue: 'mail',
  },
);

/** Tells the buyer of a delivery, once a purchase, that access is being prepared. */
export const notifyBuyer = defineJob<{ webhookId: number }>('integrations.tell-buyer', { queue: 'mail' });

/** Tells an owner which paid orders have not opened their zones since the last such mail. */
export const notifyOwnerOfOrders = defineJob<{ ownerId: number }>('integrations.tell-owner-of-orders', {
  queue: 'mail',
});

/** Tells the super admins which orders have failed or wait since the last such mail. */
export const notifyAdminsOfOrders = defineJob<Record<string, never>>('integrations.tell-staff-of-orders', {
  queue: 'mail',
});
