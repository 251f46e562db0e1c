import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';

/** An owner's own email template. */
export const EmailTemplateSchema = defineEntity({
  name: 'EmailTemplate',
  tableName: 'email_templates',
  indexes: [{ name: 'email_templates_owner_id_index', properties: ['ownerId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    ownerId: () => p.manyToOne(User).mapToPk().fieldName('owner_id').deleteRule('cascade'),
    name: p.string().length(255),
    subject: p.string().length(255),
    htmlContent: p.text(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class EmailTemplate extends EmailTemplateSchema.class {}
EmailTemplateSchema.setClass(EmailTemplate);
