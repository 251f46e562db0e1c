import { defineMail } from '../../../platform/mail/mail-definition.js';

export const admittedMail = defineMail<{ url: string; zoneName: string }>('zones.admitted', {
  en: ({ url, zoneName }) => ({
    subject: `You are now a member of ${zoneName}`,
    heading: `Welcome to ${zoneName}`,
    paragraphs: [`Your request to join “${zoneName}” has been approved. Its files are open to you now.`],
    button: { label: 'Open the zone', url },
  }),
  tr: ({ url, zoneName }) => ({
    subject: `${zoneName} bölgesine kabul edildiniz`,
    heading: `${zoneName} bölgesine hoş geldiniz`,
    paragraphs: [`“${zoneName}” bölgesine katılma isteğiniz onaylandı. Dosyaları artık size açık.`],
    button: { label: 'Bölgeyi aç', url },
  }),
});
