import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { ItemLink } from './item-link.entity.js';

/**
 * Somebody who entered by a link to a file or folder. Guests are not members: they count in no audience, give no consent
 * and get no emails.
 */
export const ItemGuestSchema = defineEntity({
  name: 'ItemGuest',
  tableName: 'item_guests',
  uniques: [{ name: 'item_guests_link_id_email_unique', properties: ['linkId', 'email'] }],
  indexes: [
    { name: 'item_guests_email_id_index', properties: ['email', 'id'] },
    { name: 'item_guests_last_at_index', properties: ['lastAt'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    linkId: () => belongsTo(ItemLink, 'item_guests', 'link_id'),
    /** As stated, not verified. Null if the link doesn't ask for it. */
    email: p.string().length(255).nullable(),
    /** Random part of the signature in the guest's cookie, so that a reused id isn't the same guest. */
    key: p.uuid(),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
    views: p.integer().default(0),
    downloads: p.integer().default(0),
  },
});
export class ItemGuest extends ItemGuestSchema.class {}
ItemGuestSchema.setClass(ItemGuest);
