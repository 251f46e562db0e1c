import { defineMail } from '../../../platform/mail/mail-definition.js';

export const zoneRemovedMail = defineMail<{ url: string; zoneName: string }>('zones.zone-removed', {
  en: ({ url, zoneName }) => ({
    subject: `Your zone ${zoneName} was deleted`,
    heading: 'A zone of yours was deleted',
    paragraphs: [
      `An administrator of this service deleted your zone “${zoneName}” with everything in it. Its links no longer open, and its members no longer see it.`,
      'This cannot be undone. If you do not know why, please write to us.',
    ],
    button: { label: 'Open my zones', url },
  }),
  tr: ({ url, zoneName }) => ({
    subject: `${zoneName} bölgeniz silindi`,
    heading: 'Bir bölgeniz silindi',
    paragraphs: [
      `Bu hizmetin bir yöneticisi “${zoneName}” bölgenizi içindeki her şeyle birlikte sildi. Bağlantıları artık açılmaz, üyeleri de onu göremez.`,
      'Bu işlem geri alınamaz. Nedenini bilmiyorsanız lütfen bize yazın.',
    ],
    button: { label: 'Bölgelerimi aç', url },
  }),
});
