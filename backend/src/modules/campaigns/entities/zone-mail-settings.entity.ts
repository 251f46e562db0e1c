import { defineEntity, p } from '@mikro-orm/core';
import { Zone } from '../../zones/entities/zone.entity.js';

/** How the mails of a zone name their sender, and whether new members are welcomed. A zone without a row has none. */
export const ZoneMailSettingsSchema = defineEntity({
  name: 'ZoneMailSettings',
  tableName: 'zone_mail_settings',
  properties: {
    zoneId: () =>
      p
        .manyToOne(Zone)
        .mapToPk()
        .primary()
        .fieldName('zone_id')
        .deleteRule('cascade')
        .foreignKeyName('zone_mail_settings_zone_id_foreign'),
    /** Null is the name of the zone. */
    fromName: p.string().length(100).nullable(),
    /** Null is the owner's address. */
    replyTo: p.string().length(255).nullable(),
    welcomeEnabled: p.boolean().default(false),
    /** New members who got no welcome mail because the month's quota was used up. */
    welcomeSkipped: p.integer().default(0),
  },
});
export class ZoneMailSettings extends ZoneMailSettingsSchema.class {}
ZoneMailSettingsSchema.setClass(ZoneMailSettings);
