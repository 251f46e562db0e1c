import { defineEntity, p } from '@mikro-orm/core';
import { Campaign } from './campaign.entity.js';
import { Delivery } from './delivery.entity.js';

/** Who most likely caused an event: a person, a program that looks at mails, or nobody can tell. */
export type Verdict = 'human' | 'machine' | 'unknown';

/** An opening or a click as it came; address and program are forgotten after 90 days. */
export const CampaignEventSchema = defineEntity({
  name: 'CampaignEvent',
  tableName: 'campaign_events',
  indexes: [
    { name: 'campaign_events_campaign_id_index', properties: ['campaignId', 'type'] },
    { name: 'campaign_events_delivery_id_index', properties: ['deliveryId', 'createdAt'] },
    { name: 'campaign_events_created_at_index', properties: ['createdAt'] },
    {
      name: 'campaign_events_traced_index',
      properties: ['createdAt'],
      where: 'ip_address is not null or user_agent is not null',
    },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    campaignId: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id').deleteRule('cascade'),
    deliveryId: () => p.manyToOne(Delivery).mapToPk().fieldName('delivery_id').deleteRule('cascade'),
    type: p.string().$type<'open' | 'click'>().length(10),
    /** Of a click: the place of the address among the campaign's links. */
    link: p.smallint().nullable(),
    verdict: p.string().$type<Verdict>().length(10),
    ipAddress: p.string().length(64).nullable(),
    userAgent: p.string().length(500).nullable(),
    createdAt: p.datetime(),
  },
});
export class CampaignEvent extends CampaignEventSchema.class {}
CampaignEventSchema.setClass(CampaignEvent);

/** What a report counts of openings and clicks that were old and are gone. */
export const CampaignEventTotalSchema = defineEntity({
  name: 'CampaignEventTotal',
  tableName: 'campaign_event_totals',
  properties: {
    campaignId: () => p.manyToOne(Campaign).mapToPk().primary().fieldName('campaign_id').deleteRule('cascade'),
    /** The place of the address among the campaign's links; -1 for what was no click. */
    link: p.smallint().primary().autoincrement(false),
    clicks: p.bigint('number').default(0),
    recipients: p.bigint('number').default(0),
    machineEvents: p.bigint('number').default(0),
  },
});
export class CampaignEventTotal extends CampaignEventTotalSchema.class {}
CampaignEventTotalSchema.setClass(CampaignEventTotal);
