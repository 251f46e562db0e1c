import { defineEntity, p } from '@mikro-orm/core';
import { Zone } from '../../zones/entities/zone.entity.js';

/** How the mails of a zone name their sender, and whether new members are welcomed. A zone without a row has none. */
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
    /** Null is the name of the zone. */
    fromName: p.string().length(100).nullable(),
    /** Null is the owner's address. */
    replyTo: p.string().length(255).nullable(),
    /** When the mailbox of that address agreed; until then answers go to the owner. */
    replyToProvedAt: p.datetime().nullable(),
    /** When the link was last mailed there by which it agrees. */
    replyToAskedAt: p.datetime().nullable(),
    welcomeEnabled: p.boolean().default(false),
    /** New members who got no welcome mail because the month's quota was used up. */
    welcomeSkipped: p.integer().default(0),
  },
});
export class ZoneMailSettings extends ZoneMailSettingsSchema.class {}
ZoneMailSettingsSchema.setClass(ZoneMailSettings);
