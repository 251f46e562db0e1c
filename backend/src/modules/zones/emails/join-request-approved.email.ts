import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';

export const joinRequestApprovedEmail = defineEmail<{ url: string; zoneName: string }>('zones.admitted', {
  en: ({ url, zoneName }) => ({
    subject: `You're now a member of ${emailZoneTitle(zoneName, 'en')}`,
    heading: `Welcome to ${emailZoneTitle(zoneName, 'en')}`,
    paragraphs: [
      `Your request to join “${emailZoneTitle(zoneName, 'en')}” has been approved. You can now open its files.`,
    ],
    button: { label: 'Open Zone', url },
  }),
  tr: ({ url, zoneName }) => ({
    subject: `“${emailZoneTitle(zoneName, 'tr')}” bölgesine kabul edildiniz`,
    heading: `“${emailZoneTitle(zoneName, 'tr')}” bölgesine hoş geldiniz`,
    paragraphs: [
      `“${emailZoneTitle(zoneName, 'tr')}” bölgesine katılma isteğiniz onaylandı. Dosyalarını artık açabilirsiniz.`,
    ],
    button: { label: 'Bölgeyi Aç', url },
  }),
});
