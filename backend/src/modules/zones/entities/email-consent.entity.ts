import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';

/** Proof that a person agreed to receive the emails of a zone: when, from which IP address, how, and to which text. */
export const EmailConsentSchema = defineEntity({
  name: 'EmailConsent',
  tableName: 'email_consents',
  uniques: [{ name: 'email_consents_zone_id_user_id_unique', properties: ['zoneId', 'userId'] }],
  indexes: [{ name: 'email_consents_user_id_index', properties: ['userId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** May reference a deleted zone, because these rows outlive it (see `DeletedZone`). */
    zoneId: p.bigint('number'),
    userId: () => belongsTo(User, 'email_consents', 'user_id'),
    consentedAt: p.datetime(),
    ipAddress: p.string().length(64).nullable(),
    consentMethod: p.string().length(20),
    consentText: p.text(),
  },
});
export class EmailConsent extends EmailConsentSchema.class {}
EmailConsentSchema.setClass(EmailConsent);
