import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Campaign } from './campaign.entity.js';
import type { BounceCause } from '../../../platform/email/outcome/send-outcome.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';

export const deliveryStates = freezeList(['queued', 'sending', 'delivered', 'kept', 'failed', 'skipped', 'cancelled']);
/**
 * `kept`: created without a configured mail server; it was not sent and is sent only if the owner retries. `sending`:
 * claimed by a worker until its result is recorded or its lease expires.
 */
export type DeliveryState = (typeof deliveryStates)[number];

/** A campaign's delivery to one recipient. The address is read from the user, so it is erased with the account. */
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
    /** Last response code of the mail server, unless successful. */
    smtpCode: p.smallint().nullable(),
    /** Why it failed or was skipped; contains no email address. */
    reason: p.string().length(300).nullable(),
    /** Cause of a failure; only recipient failures count against an address. */
    fault: p.string().$type<BounceCause>().length(6).nullable(),
    failedAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    openedAt: p.datetime().nullable(),
    clickedAt: p.datetime().nullable(),
    /** Number of stored events of this delivery, which is limited. */
    eventCount: p.smallint().default(0),
    /** Indexes of links whose totals already include this recipient; their events are deleted. */
    countedLinks: p
      .array((place: string) => Number(place))
      .columnType('smallint[]')
      .nullable(),
  },
});
export class Delivery extends DeliverySchema.class {}
DeliverySchema.setClass(Delivery);

/** A sending process. Its deliveries are requeued if it sends no heartbeats for a while. */
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

/** Token bucket that limits the sending rate of all processes together. */
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
