import { defineEntity, p } from '@mikro-orm/core';

/** What became of an event: its customer's subscription is read anew, or there was nothing to do and why. */
export type EventOutcome = 'taken' | 'unknown-type' | 'unknown-customer';

/** Events that Stripe delivered, each once; ids and types only. */
export const StripeEventSchema = defineEntity({
  name: 'StripeEvent',
  tableName: 'stripe_events',
  indexes: [
    { name: 'stripe_events_received_at_index', properties: ['receivedAt'] },
    { name: 'stripe_events_customer_id_index', properties: ['customerId'] },
  ],
  properties: {
    id: p.string().length(255).primary(),
    type: p.string().length(100),
    customerId: p.string().length(255).nullable(),
    outcome: p.string().$type<EventOutcome>().length(20),
    receivedAt: p.datetime(),
  },
});
export class StripeEvent extends StripeEventSchema.class {}
StripeEventSchema.setClass(StripeEvent);
