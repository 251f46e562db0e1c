import { defineEntity, p } from '@mikro-orm/core';
import { Zone } from '../../zones/entities/zone.entity.js';

/** Sender details of a zone's emails, and the welcome email setting. Zones without a row use the defaults. */
export const ZoneMailSettingsSchema = defineEntity({
  name: 'ZoneMailSettings',
  tableName: 'zone_mail_settings',
  checks: [
    {
      name: 'zone_mail_settings_reply_to_check',
      expression: 'reply_to is not null or (reply_to_proved_at is null and reply_to_asked_at is null)',
    },
  ],
  properties: {
    zoneId: () => p.manyToOne(Zone).mapToPk().primary().fieldName('zone_id').deleteRule('cascade'),
    /** Null means the zone's name. */
    fromName: p.string().length(100).nullable(),
    /** Null means the owner's address. */
    replyTo: p.string().length(255).nullable(),
    /** When that address confirmed; until then replies go to the owner. */
    replyToProvedAt: p.datetime().nullable(),
    /** When the confirmation link was last sent. */
    replyToAskedAt: p.datetime().nullable(),
    welcomeEnabled: p.boolean().default(false),
    /** New members who got no welcome email because the month's quota was used up. */
    welcomeSkipped: p.integer().default(0),
  },
});
export class ZoneMailSettings extends ZoneMailSettingsSchema.class {}
ZoneMailSettingsSchema.setClass(ZoneMailSettings);
