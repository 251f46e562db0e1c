import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';

export const declinedMail = defineMail<{ zoneName: string }>('zones.declined', {
  en: ({ zoneName }) => ({
    subject: `Your request to join ${zoneTitle(zoneName, 'en')}`,
    heading: 'Your request was declined',
    paragraphs: [
      `The owner of “${zoneTitle(zoneName, 'en')}” has declined your request to join.`,
      'You can send a new request in 30 days.',
    ],
  }),
  tr: ({ zoneName }) => ({
    subject: `${zoneTitle(zoneName, 'tr')} bölgesine katılma isteğiniz`,
    heading: 'İsteğiniz reddedildi',
    paragraphs: [
      `“${zoneTitle(zoneName, 'tr')}” bölgesinin sahibi katılma isteğinizi reddetti.`,
      '30 gün sonra yeniden istek gönderebilirsiniz.',
    ],
  }),
});
