import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';

export const audiences = freezeList(['all', 'recent', 'older']);
/** `recent`: joined within the last 30 days; `older`: before that. */
export type TargetAudience = (typeof audiences)[number];

export const campaignStatuses = freezeList(['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed']);
export type CampaignStatus = (typeof campaignStatuses)[number];

/** `welcome` is sent to each new member; there is one per zone. */
export type CampaignKind = 'campaign' | 'welcome';

/**
 * Why a campaign did not start, was paused automatically (`…_REFUSED`), or was delivered to no one (`ALL_REFUSED`,
 * `NO_MAIL_SERVER`).
 */
export type CampaignFailure =
  | 'PLAN_LIMIT'
  | 'NO_RECIPIENTS'
  | 'OWNER_DEACTIVATED'
  | 'SENDER_REFUSED'
  | 'READERS_REFUSED'
  | 'ALL_REFUSED'
  | 'NO_MAIL_SERVER';

/**
 * An email to the members of a zone. `recipientCount` is set when sending starts; the other counters are incremented as
 * deliveries end, so that the progress can be read from one row.
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
    /** May reference a deleted zone, because these rows outlive it (see `DeletedZone`). */
    zoneId: p.bigint('number'),
    /** The zone's owner, whose plan is charged. */
    sentById: () => p.manyToOne(User).mapToPk().fieldName('sent_by_id').deleteRule('cascade'),
    name: p.string().length(255),
    subject: p.string().length(255),
    /** Sanitised when saved. */
    htmlContent: p.text(),
    /** The owner's own text part; if null, it is generated from the HTML. */
    textContent: p.text().nullable(),
    targetAudience: p.string().$type<TargetAudience>().length(10).default('all'),
    status: p.string().$type<CampaignStatus>().length(10).default('draft'),
    trackingEnabled: p.boolean().default(true),
    /** Target URLs of tracked links, by their index in the email; set when sending starts. */
    links: p.json<string[]>().default([]),
    /** The month that was charged ("2026-11", UTC). */
    period: p.string().length(7).nullable(),
    recipientCount: p.integer().default(0),
    deliveredCount: p.integer().default(0),
    /**
     * Emails created without a configured mail server: they are stored in the installation's mailbox and were not sent.
     */
    keptCount: p.integer().default(0),
    failedCount: p.integer().default(0),
    /** Rejections caused by the sender since sending was last resumed, including emails that will be retried. */
    senderFaultCount: p.integer().default(0),
    /** Failed emails whose mailbox does not exist. */
    readerFaultCount: p.integer().default(0),
    /**
     * False once the owner has resumed the campaign despite many missing mailboxes; it is not paused for that reason
     * again.
     */
    readersWatched: p.boolean().default(true),
    /** Number of emails with a result when sending was last resumed. */
    watchedFrom: p.integer().default(0),
    /** Emails not sent because the person had left or no longer wanted emails when the delivery was claimed. */
    skippedCount: p.integer().default(0),
    cancelledCount: p.integer().default(0),
    /** How many of the kept, failed, skipped and cancelled emails have been refunded to the month's quota. */
    returnedCount: p.integer().default(0),
    /** Number of recipients rather than events; automated events don't count. */
    openCount: p.integer().default(0),
    clickCount: p.integer().default(0),
    failure: p.string().$type<CampaignFailure>().length(30).nullable(),
    /**
     * Digest of zone, subject, content and audience of emails sent in one call; makes a repeated request return the
     * same campaign.
     */
    contentDigest: p.string().length(64).nullable(),
    scheduledAt: p.datetime().nullable(),
    /** IANA name of the time zone in which the schedule was chosen. */
    timeZone: p.string().length(60).nullable(),
    startedAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class Campaign extends CampaignSchema.class {}
CampaignSchema.setClass(Campaign);
