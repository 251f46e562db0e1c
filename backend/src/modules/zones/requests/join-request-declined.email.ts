import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';

export const joinRequestDeclinedEmail = defineEmail<{ zoneName: string }>('zones.declined', {
  en: ({ zoneName }) => ({
    subject: `Your request to join ${emailZoneTitle(zoneName, 'en')}`,
    heading: 'Your request was declined',
    paragraphs: [
      `The owner of “${emailZoneTitle(zoneName, 'en')}” has declined your request to join.`,
      'You can send a new request in 30 days.',
    ],
  }),
  tr: ({ zoneName }) => ({
    subject: `“${emailZoneTitle(zoneName, 'tr')}” bölgesine katılma isteğiniz`,
    heading: 'İsteğiniz reddedildi',
    paragraphs: [
      `“${emailZoneTitle(zoneName, 'tr')}” bölgesinin sahibi katılma isteğinizi reddetti.`,
      '30 gün sonra yeniden istek gönderebilirsiniz.',
    ],
  }),
});
