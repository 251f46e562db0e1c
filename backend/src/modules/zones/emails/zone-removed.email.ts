import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';

export const zoneRemovedMail = defineMail<{ url: string; zoneName: string }>('zones.zone-removed', {
  en: ({ url, zoneName }) => ({
    subject: `Your zone ${zoneTitle(zoneName, 'en')} was deleted`,
    heading: 'A zone of yours was deleted',
    paragraphs: [
      `An administrator of this service deleted your zone “${zoneTitle(zoneName, 'en')}” with everything in it. Its links no longer open, and its members no longer see it.`,
      'This cannot be undone. If you do not know why, please write to us.',
    ],
    button: { label: 'Open my zones', url },
  }),
  tr: ({ url, zoneName }) => ({
    subject: `${zoneTitle(zoneName, 'tr')} bölgeniz silindi`,
    heading: 'Bir bölgeniz silindi',
    paragraphs: [
      `Bu hizmetin bir yöneticisi “${zoneTitle(zoneName, 'tr')}” bölgenizi içindeki her şeyle birlikte sildi. Bağlantıları artık açılmaz, üyeleri de onu göremez.`,
      'Bu işlem geri alınamaz. Nedenini bilmiyorsanız lütfen bize yazın.',
    ],
    button: { label: 'Bölgelerimi aç', url },
  }),
});
