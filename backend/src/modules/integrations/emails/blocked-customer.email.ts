import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';

interface BlockedCustomerEmailValues {
  readonly zoneName: string;
  /** The buyer's email address. */
  readonly customer: string;
  /** URL of the zone. */
  readonly url: string;
}

/** To the owner of a zone: a person they blocked has bought access. */
export const blockedCustomerEmail = defineEmail<BlockedCustomerEmailValues>('integrations.blocked-customer', {
  en: ({ zoneName, customer, url }) => ({
    subject: 'Someone you blocked has bought access',
    heading: 'A purchase has lifted a block',
    paragraphs: [
      `${customer} has bought access to “${emailZoneTitle(zoneName, 'en')}”. You had blocked this person in the zone.`,
      "Paying customers always get access, so the block was lifted. If you don't want this person in the zone, refund the purchase, then remove or block them again.",
    ],
    button: { label: 'Open Zone', url },
  }),
  tr: ({ zoneName, customer, url }) => ({
    subject: 'Engellediğiniz biri erişim satın aldı',
    heading: 'Bir satın almayla engel kalktı',
    paragraphs: [
      `${customer}, “${emailZoneTitle(zoneName, 'tr')}” bölgesine erişim satın aldı. Bu kişiyi bölgede engellemiştiniz.`,
      'Ödeme yapan müşteriler her zaman erişim alır; bu yüzden engel kaldırıldı. Bu kişinin bölgede olmasını istemiyorsanız ödemesini iade edin, ardından kişiyi yeniden çıkarın veya engelleyin.',
    ],
    button: { label: 'Bölgeyi Aç', url },
  }),
});
