import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';

export const admittedMail = defineMail<{ url: string; zoneName: string }>('zones.admitted', {
  en: ({ url, zoneName }) => ({
    subject: `You're now a member of ${zoneTitle(zoneName, 'en')}`,
    heading: `Welcome to ${zoneTitle(zoneName, 'en')}`,
    paragraphs: [`Your request to join “${zoneTitle(zoneName, 'en')}” has been approved. You can now open its files.`],
    button: { label: 'Open Zone', url },
  }),
  tr: ({ url, zoneName }) => ({
    subject: `${zoneTitle(zoneName, 'tr')} bölgesine kabul edildiniz`,
    heading: `${zoneTitle(zoneName, 'tr')} bölgesine hoş geldiniz`,
    paragraphs: [
      `“${zoneTitle(zoneName, 'tr')}” bölgesine katılma isteğiniz onaylandı. Dosyalarını artık açabilirsiniz.`,
    ],
    button: { label: 'Bölgeyi Aç', url },
  }),
});
