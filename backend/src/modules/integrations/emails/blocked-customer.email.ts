import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';

interface Values {
  readonly zoneName: string;
  /** The address of who has paid. */
  readonly customer: string;
  /** Where the zone is. */
  readonly url: string;
}

/** To the owner of a zone: somebody whom they had blocked has bought their way in. */
export const blockedCustomerMail = defineMail<Values>('integrations.blocked-customer', {
  en: ({ zoneName, customer, url }) => ({
    subject: 'Somebody you had blocked has paid and is in again',
    heading: 'A purchase has ended a block',
    paragraphs: [
      `${customer} has bought access to “${zoneTitle(zoneName, 'en')}”. You had blocked them there.`,
      'Who has paid is let in, and the block has ended. If you do not want them in the zone, give the money back and remove or block them again.',
    ],
    button: { label: 'Open the zone', url },
  }),
  tr: ({ zoneName, customer, url }) => ({
    subject: 'Engellediğiniz biri ödeme yaptı ve yeniden içeride',
    heading: 'Bir satın alma engeli kaldırdı',
    paragraphs: [
      `${customer}, “${zoneTitle(zoneName, 'tr')}” bölgesine erişim satın aldı. Onu bu bölgede engellemiştiniz.`,
      'Ödeme yapan içeri alınır; engel kalktı. Bölgede olmasını istemiyorsanız parasını geri verin ve onu yeniden çıkarın ya da engelleyin.',
    ],
    button: { label: 'Bölgeyi aç', url },
  }),
});
