import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';

export const admittedMail = defineMail<{ url: string; zoneName: string }>('zones.admitted', {
  en: ({ url, zoneName }) => ({
    subject: `You are now a member of ${zoneTitle(zoneName, 'en')}`,
    heading: `Welcome to ${zoneTitle(zoneName, 'en')}`,
    paragraphs: [
      `Your request to join “${zoneTitle(zoneName, 'en')}” has been approved. Its files are open to you now.`,
    ],
    button: { label: 'Open the zone', url },
  }),
  tr: ({ url, zoneName }) => ({
    subject: `${zoneTitle(zoneName, 'tr')} bölgesine kabul edildiniz`,
    heading: `${zoneTitle(zoneName, 'tr')} bölgesine hoş geldiniz`,
    paragraphs: [`“${zoneTitle(zoneName, 'tr')}” bölgesine katılma isteğiniz onaylandı. Dosyaları artık size açık.`],
    button: { label: 'Bölgeyi aç', url },
  }),
});
