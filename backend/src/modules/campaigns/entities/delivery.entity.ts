import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Campaign } from './campaign.entity.js';
import type { BounceCause } from '../../../platform/email/outcome/send-outcome.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';

export const deliveryStates = freezeList(['queued', 'sending', 'delivered', 'kept', 'failed', 'skipped', 'cancelled']);
/**
 * `kept`: made while no mail server was set; it went to nobody, and goes out only when the owner sends it again.
 * `sending` belongs to a worker until its result is written, or until that worker has not been seen for a while.
 */
export type DeliveryState = (typeof deliveryStates)[number];

/** A campaign for one recipient. The address is the person's own, so it goes with them. */
export const DeliverySchema = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  uniques: [{ name: 'deliveries_campaign_id_user_id_unique', properties: ['campaignId', 'userId'] }],
  indexes: [
    { name: 'deliveries_user_id_index', properties: ['userId'] },
    { name: 'deliveries_due_index', properties: ['campaignId', 'runAt', 'id'], where: "state = 'queued'" },
    { name: 'deliveries_sending_index', properties: ['workerId'], where: "state = 'sending'" },
    { name: 'deliveries_failed_index', properties: ['campaignId', 'id'], where: "state = 'failed'" },
    { name: 'deliveries_sent_at_index', properties: ['sentAt'], type: 'brin' },
  ],
  checks: [
    {
      name: 'deliveries_state_check',
      expression: "state in ('queued', 'sending', 'delivered', 'kept', 'failed', 'skipped', 'cancelled')",
    },
    { name: 'deliveries_fault_check', expression: "fault in ('reader', 'sender')" },
    { name: 'deliveries_worker_check', expression: "(state = 'sending') = (worker_id is not null)" },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    campaignId: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id').deleteRule('cascade'),
    userId: () => p.manyToOne(User).mapToPk().nullable().fieldName('user_id').deleteRule('set null'),
    state: p.string().$type<DeliveryState>().length(10).default('queued'),
    attempts: p.smallint().default(0),
    runAt: p.datetime(),
    workerId: p.uuid().nullable(),
    /** What the mail server answered last, if it was not a success. */
    smtpCode: p.smallint().nullable(),
    /** Why it failed or was skipped; holds no address. */
    reason: p.string().length(300).nullable(),
    /** Whose fault a failure is: only the reader's counts against an address. */
    fault: p.string().$type<BounceCause>().length(6).nullable(),
    failedAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    openedAt: p.datetime().nullable(),
    clickedAt: p.datetime().nullable(),
    /** Events kept of this delivery; above a limit no more are. */
    eventCount: p.smallint().default(0),
    /** Places of links whose totals have counted this reader; their events are gone. */
    countedLinks: p
      .array((place: string) => Number(place))
      .columnType('smallint[]')
      .nullable(),
  },
});
export class Delivery extends DeliverySchema.class {}
DeliverySchema.setClass(Delivery);

/** A process that sends. What it holds goes to others when it has not been seen for a while. */
export const DeliveryWorkerSchema = defineEntity({
  name: 'DeliveryWorker',
  tableName: 'delivery_workers',
  properties: {
    id: p.uuid().primary(),
    seenAt: p.datetime(),
  },
});
export class DeliveryWorker extends DeliveryWorkerSchema.class {}
DeliveryWorkerSchema.setClass(DeliveryWorker);

/** A bucket from which all processes together take what they may send. */
export const SendRateSchema = defineEntity({
  name: 'SendRate',
  tableName: 'send_rates',
  properties: {
    name: p.string().length(30).primary(),
    tokens: p.double(),
    updatedAt: p.datetime(),
  },
});
export class SendRate extends SendRateSchema.class {}
SendRateSchema.setClass(SendRate);
