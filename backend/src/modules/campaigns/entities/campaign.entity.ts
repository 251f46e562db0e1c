import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';

export const audiences = freezeList(['all', 'recent', 'older']);
/** `recent` joined within the last 30 days, `older` before. */
export type TargetAudience = (typeof audiences)[number];

export const campaignStatuses = freezeList(['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed']);
export type CampaignStatus = (typeof campaignStatuses)[number];

/** `welcome` goes to each new member of a zone; there is one a zone. */
export type CampaignKind = 'campaign' | 'welcome';

/** Why a campaign did not start, has paused by itself (`…_REFUSED`), or reached nobody (`ALL_REFUSED`, `NO_MAIL_SERVER`). */
export type CampaignFailure =
  | 'PLAN_LIMIT'
  | 'NO_RECIPIENTS'
  | 'OWNER_DEACTIVATED'
  | 'SENDER_REFUSED'
  | 'READERS_REFUSED'
  | 'ALL_REFUSED'
  | 'NO_MAIL_SERVER';

/**
 * A mail to the members of a zone. `recipientCount` is fixed when sending begins; the other counts are added to as
 * deliveries end, so that progress is read from one row.
 */
export const CampaignSchema = defineEntity({
  name: 'Campaign',
  tableName: 'campaigns',
  indexes: [
    { name: 'campaigns_zone_id_created_at_id_index', properties: ['zoneId', 'createdAt', 'id'] },
    { name: 'campaigns_sent_by_id_created_at_id_index', properties: ['sentById', 'createdAt', 'id'] },
    {
      name: 'campaigns_active_index',
      properties: ['status', 'id'],
      where: "status in ('scheduled', 'sending', 'paused')",
    },
    {
      name: 'campaigns_welcome_unique',
      expression: `create unique index "campaigns_welcome_unique" on "campaigns" ("zone_id") where kind = 'welcome'`,
    },
  ],
  checks: [
    {
      name: 'campaigns_status_check',
      expression: "status in ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed')",
    },
    { name: 'campaigns_links_check', expression: "jsonb_typeof(links) = 'array'" },
    { name: 'campaigns_schedule_check', expression: "status <> 'scheduled' or scheduled_at is not null" },
    {
      name: 'campaigns_counts_check',
      expression: `
        delivered_count >= 0 and kept_count >= 0 and failed_count >= 0 and skipped_count >= 0 and cancelled_count >= 0
        and returned_count >= 0 and open_count >= 0 and click_count >= 0
        and delivered_count + kept_count + failed_count + skipped_count + cancelled_count <= recipient_count`,
    },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.string().$type<CampaignKind>().length(10).default('campaign'),
    /** Of a zone, or of one that is gone: these rows outlive it (see `DeletedZone`). */
    zoneId: p.bigint('number'),
    /** The owner of the zone, whose plan it is charged to. */
    sentById: () => p.manyToOne(User).mapToPk().fieldName('sent_by_id').deleteRule('cascade'),
    name: p.string().length(255),
    subject: p.string().length(255),
    /** Sanitised when it was saved. */
    htmlContent: p.text(),
    /** The owner's own text part; null is made from the HTML. */
    textContent: p.text().nullable(),
    targetAudience: p.string().$type<TargetAudience>().length(10).default('all'),
    status: p.string().$type<CampaignStatus>().length(10).default('draft'),
    trackingEnabled: p.boolean().default(true),
    /** The addresses that clicks are led to, by their place in the mail; fixed when sending begins. */
    links: p.json<string[]>().default([]),
    /** The month that was charged ("2026-11", UTC). */
    period: p.string().length(7).nullable(),
    recipientCount: p.integer().default(0),
    deliveredCount: p.integer().default(0),
    /** Made while no mail server was set: they are in the mailbox of the installation and went to nobody. */
    keptCount: p.integer().default(0),
    failedCount: p.integer().default(0),
    /** Since it was last let go on, refusals for a reason that lies with the sending, also of mails that wait for another try. */
    senderFaultCount: p.integer().default(0),
    /** Of the failed ones, those whose mailbox is said to be missing. */
    readerFaultCount: p.integer().default(0),
    /** False once its owner let it go on although many mailboxes are said to be missing: it does not pause for that again. */
    readersWatched: p.boolean().default(true),
    /** How many had a result when it was last let go on. */
    watchedFrom: p.integer().default(0),
    /** Not sent, because the person had left or wants no mails when their turn came. */
    skippedCount: p.integer().default(0),
    cancelledCount: p.integer().default(0),
    /** How many of the kept, failed, skipped and cancelled have been given back to the month's quota. */
    returnedCount: p.integer().default(0),
    /** Recipients, not events; those whom a person or an unknown program opened it for. */
    openCount: p.integer().default(0),
    clickCount: p.integer().default(0),
    failure: p.string().$type<CampaignFailure>().length(30).nullable(),
    /** Of zone, subject, text and audience, for mails sent in one call: a repeated click is the same campaign. */
    contentDigest: p.string().length(64).nullable(),
    scheduledAt: p.datetime().nullable(),
    /** IANA name of the zone in which the schedule was chosen. */
    timeZone: p.string().length(60).nullable(),
    startedAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class Campaign extends CampaignSchema.class {}
CampaignSchema.setClass(Campaign);
