import { defineEntity, p } from '@mikro-orm/core';
import type { Source } from '../sources.js';

/** How many deliveries of a day (UTC) were refused for their signature; nothing else is kept of them. */
export const WebhookRefusalSchema = defineEntity({
  name: 'WebhookRefusal',
  tableName: 'webhook_refusals',
  properties: {
    source: p.string().$type<Source>().length(20).primary(),
    day: p.date().primary(),
    count: p.integer().default(1),
  },
});
export class WebhookRefusal extends WebhookRefusalSchema.class {}
WebhookRefusalSchema.setClass(WebhookRefusal);
