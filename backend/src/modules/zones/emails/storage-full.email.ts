import { defineMail } from '../../../platform/mail/mail-definition.js';

/** `allowed` is a size in words, such as "1 GB". */
export const storageFullMail = defineMail<{ url: string; allowed: string }>('zones.storage-full', {
  en: ({ url, allowed }) => ({
    subject: 'Your storage is full',
    heading: 'Your storage is full',
    paragraphs: [
      `Your plan holds ${allowed}, and an administrator of one of your zones could not upload a file.`,
      'Nothing that is stored is lost. To store more, empty the trash, remove files or move to a larger plan.',
    ],
    button: { label: 'Open my zones', url },
    note: 'We write about this at most once a day.',
  }),
  tr: ({ url, allowed }) => ({
    subject: 'Depolama alanınız doldu',
    heading: 'Depolama alanınız doldu',
    paragraphs: [
      `Planınız ${allowed} yer veriyor ve bölgelerinizden birinin yöneticisi bir dosyayı yükleyemedi.`,
      'Saklanan hiçbir şey kaybolmaz. Daha fazlası için çöp kutusunu boşaltın, dosya silin veya daha büyük bir plana geçin.',
    ],
    button: { label: 'Bölgelerimi aç', url },
    note: 'Bunun için günde en fazla bir kez yazarız.',
  }),
});
