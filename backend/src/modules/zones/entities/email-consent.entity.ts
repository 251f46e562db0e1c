import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from './zone.entity.js';

/** Proof that a person agreed to the mails of a zone: when, from where, how, and to which words. */
export const EmailConsentSchema = defineEntity({
  name: 'EmailConsent',
  tableName: 'email_consents',
  uniques: [{ name: 'email_consents_zone_id_user_id_unique', properties: ['zoneId', 'userId'] }],
  indexes: [{ name: 'email_consents_user_id_index', properties: ['userId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    zoneId: () =>
      p
        .manyToOne(Zone)
        .mapToPk()
        .fieldName('zone_id')
        .deleteRule('cascade')
        .foreignKeyName('email_consents_zone_id_foreign'),
    userId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .fieldName('user_id')
        .deleteRule('cascade')
        .foreignKeyName('email_consents_user_id_foreign'),
    consentedAt: p.datetime(),
    ipAddress: p.string().length(64).nullable(),
    consentMethod: p.string().length(20),
    consentText: p.text(),
  },
});
export class EmailConsent extends EmailConsentSchema.class {}
EmailConsentSchema.setClass(EmailConsent);
