import { defineJob } from '../../platform/jobs/job-definition.js';
import type { WebhookSource } from './shared/sources.js';

/**
 * Admits customers who have paid while a zone was full, when there is room now: after an upgrade, or when members have
 * left.
 */
export const admitWaitingCustomers = defineJob<Record<string, never>>('integrations.admit-waiting-customers', {
  queue: 'clock',
  cron: '*/5 * * * *',
});

/** Processes a stored delivery. */
export const processWebhook = defineJob<{ webhookId: number }>('integrations.process-webhook', { queue: 'default' });

/** Deletes expired temporary passwords of customers. */
export const purgePurchasePasswords = defineJob<Record<string, never>>('integrations.purge-purchase-passwords', {
  queue: 'maintenance',
  cron: '31 4 * * *',
});

/**
 * Notifies a customer of all zones to which they have new access, in one email. New customers get a temporary password
 * with it.
 */
export const notifyPurchase = defineJob<{ userId: number }>('integrations.notify-purchase', { queue: 'mail' });

/** Notifies the super admins that a sender has become inactive. */
export const notifyInactivity = defineJob<{ source: WebhookSource }>('integrations.notify-inactivity', {
  queue: 'mail',
});

/** Checks every hour whether a sender has become inactive. */
export const detectInactivity = defineJob<Record<string, never>>('integrations.detect-inactivity', {
  queue: 'clock',
  cron: '35 * * * *',
});

/** Notifies the owner of a zone that a person they blocked has bought access. */
export const notifyBlockedCustomerPurchase = defineJob<{ zoneId: number; userId: number }>(
  'integrations.notify-blocked-customer-purchase',
  {
    queue: 'mail',
  },
);

/** Notifies the buyer, once per purchase, that access is being prepared. */
export const notifyBuyer = defineJob<{ webhookId: number }>('integrations.notify-buyer', { queue: 'mail' });

/** Notifies an owner of paid orders that have not given access since the last such email. */
export const notifyOwnerOfOrders = defineJob<{ ownerId: number }>('integrations.notify-owner-of-orders', {
  queue: 'mail',
});

/** Notifies the super admins of orders that have failed or are waiting since the last such email. */
export const notifyAdminsOfOrders = defineJob<Record<string, never>>('integrations.notify-admins-of-orders', {
  queue: 'mail',
});
