import { defineEntity, p } from '@mikro-orm/core';
import { Campaign } from './campaign.entity.js';
import { Delivery } from './delivery.entity.js';

/** Who most likely caused an event: a person, a program that scans emails, or unknown. */
export type Verdict = 'human' | 'machine' | 'unknown';

/** An open or click as received; IP address and user agent are deleted after 90 days. */
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
    /** For a click: index of the URL among the campaign's links. */
    link: p.smallint().nullable(),
    verdict: p.string().$type<Verdict>().length(10),
    ipAddress: p.string().length(64).nullable(),
    userAgent: p.string().length(500).nullable(),
    createdAt: p.datetime(),
  },
});
export class CampaignEvent extends CampaignEventSchema.class {}
CampaignEventSchema.setClass(CampaignEvent);

/** Totals of opens and clicks whose events were deleted because of their age. */
export const CampaignEventTotalSchema = defineEntity({
  name: 'CampaignEventTotal',
  tableName: 'campaign_event_totals',
  properties: {
    campaignId: () => p.manyToOne(Campaign).mapToPk().primary().fieldName('campaign_id').deleteRule('cascade'),
    /** Index of the URL among the campaign's links; -1 for events other than clicks. */
    link: p.smallint().primary().autoincrement(false),
    clicks: p.bigint('number').default(0),
    recipients: p.bigint('number').default(0),
    machineEvents: p.bigint('number').default(0),
  },
});
export class CampaignEventTotal extends CampaignEventTotalSchema.class {}
CampaignEventTotalSchema.setClass(CampaignEventTotal);
