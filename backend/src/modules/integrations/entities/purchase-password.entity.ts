import { defineEntity, p } from '@mikro-orm/core';

/** A temporary password that was mailed to a new customer, as its digest. */
export const PurchasePasswordSchema = defineEntity({
  name: 'PurchasePassword',
  tableName: 'purchase_passwords',
  indexes: [
    { name: 'purchase_passwords_email_index', properties: ['email'] },
    { name: 'purchase_passwords_expires_at_index', properties: ['expiresAt'] },
  ],
  properties: {
    digest: p.string().length(64).primary(),
    email: p.string().length(255),
    expiresAt: p.datetime(),
  },
});
export class PurchasePassword extends PurchasePasswordSchema.class {}
PurchasePasswordSchema.setClass(PurchasePassword);
