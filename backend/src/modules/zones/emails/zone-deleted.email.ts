import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';

export const zoneDeletedEmail = defineEmail<{ url: string; zoneName: string }>('zones.zone-removed', {
  en: ({ url, zoneName }) => ({
    subject: `Your zone ${emailZoneTitle(zoneName, 'en')} was deleted`,
    heading: 'One of your zones was deleted',
    paragraphs: [
      `An administrator of this service deleted your zone “${emailZoneTitle(zoneName, 'en')}” with everything in it. Its links no longer work, and its members can no longer see it.`,
      "This can't be undone. If you don't know why it was deleted, please contact us.",
    ],
    button: { label: 'Open My Zones', url },
  }),
  tr: ({ url, zoneName }) => ({
    subject: `“${emailZoneTitle(zoneName, 'tr')}” bölgeniz silindi`,
    heading: 'Bölgelerinizden biri silindi',
    paragraphs: [
      `Bu hizmetin bir yöneticisi “${emailZoneTitle(zoneName, 'tr')}” bölgenizi içindeki her şeyle birlikte sildi. Bağlantıları artık çalışmaz, üyeleri de bölgeyi göremez.`,
      'Bu işlem geri alınamaz. Neden silindiğini bilmiyorsanız lütfen bizimle iletişime geçin.',
    ],
    button: { label: 'Bölgelerimi Aç', url },
  }),
});
