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
  indexes: [
    {
      name: 'item_guests_link_id_email_unique',
      expression:
        'create unique index "item_guests_link_id_email_unique" on "item_guests" ("link_id", "email") where not can_send',
    },
    { name: 'item_guests_link_id_index', properties: ['linkId'] },
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
    /**
     * True if the guest entered while the link accepted files. Then the guest is one browser: another one with the same
     * address is another guest, because addresses aren't verified and guests see their own private files.
     */
    canSend: p.boolean().default(false),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
    views: p.integer().default(0),
    downloads: p.integer().default(0),
  },
});
export class ItemGuest extends ItemGuestSchema.class {}
ItemGuestSchema.setClass(ItemGuest);
