import { defineEntity, p } from '@mikro-orm/core';
import type { WebhookSource } from '../shared/sources.js';

/** A sender that has been inactive for three times its usual interval, and was reported. */
export const IntegrationInactivitySchema = defineEntity({
  name: 'IntegrationInactivity',
  tableName: 'integration_silences',
  properties: {
    source: p.string().$type<WebhookSource>().length(20).primary(),
    /** The last delivery before the inactivity; a newer one ends it. */
    webhookId: p.bigint('number'),
    notedAt: p.datetime(),
  },
});
export class IntegrationInactivity extends IntegrationInactivitySchema.class {}
IntegrationInactivitySchema.setClass(IntegrationInactivity);
