import { defineMail } from '../../../platform/mail/mail-definition.js';

export const zoneFullMail = defineMail<{ url: string; allowed: number }>('zones.zone-full', {
  en: ({ url, allowed }) => ({
    subject: 'Somebody could not join your zone',
    heading: 'Your audience is full',
    paragraphs: [
      `Your plan holds ${allowed} people, and somebody who wanted to join one of your zones was turned away.`,
      'Nobody who is in loses anything. To let more people in, remove members or move to a larger plan.',
    ],
    button: { label: 'Open my zones', url },
    note: 'We write about this at most once a day.',
  }),
  tr: ({ url, allowed }) => ({
    subject: 'Biri bölgenize katılamadı',
    heading: 'Kitleniz doldu',
    paragraphs: [
      `Planınız ${allowed} kişiye yer veriyor ve bölgelerinizden birine katılmak isteyen biri geri çevrildi.`,
      'İçeride olan kimse bir şey kaybetmez. Daha fazla kişi almak için üye çıkarın veya daha büyük bir plana geçin.',
    ],
    button: { label: 'Bölgelerimi aç', url },
    note: 'Bunun için günde en fazla bir kez yazarız.',
  }),
});
