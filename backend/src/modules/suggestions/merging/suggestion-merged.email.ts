import { defineMail } from '../../../platform/mail/mail-definition.js';

interface Values {
  url: string;
  title: string;
  /** The title of the other one. */
  into: string;
  isUndone: boolean;
}

export const suggestionMergedMail = defineMail<Values>('suggestions.merged', {
  en: ({ url, title, into, isUndone }) => ({
    subject: isUndone ? 'A suggestion stands by itself again' : 'A suggestion was merged with another one',
    heading: isUndone ? 'A suggestion stands by itself again' : 'A suggestion was merged with another one',
    paragraphs: isUndone
      ? [`“${title}”, which you made or voted for, is no longer merged with “${into}”. Its votes are its own again.`]
      : [
          `“${title}”, which you made or voted for, says the same as “${into}”. Both go on as one, and your vote counts there.`,
        ],
    button: { label: 'Open the suggestion', url },
    note: 'You can turn these notices off in your settings.',
  }),
  tr: ({ url, title, into, isUndone }) => ({
    subject: isUndone ? 'Bir öneri yeniden ayrıldı' : 'Bir öneri başka bir öneriyle birleştirildi',
    heading: isUndone ? 'Bir öneri yeniden ayrıldı' : 'Bir öneri başka bir öneriyle birleştirildi',
    paragraphs: isUndone
      ? [`Yaptığınız ya da oy verdiğiniz “${title}” artık “${into}” ile birleşik değil. Oyları yeniden kendisinin.`]
      : [
          `Yaptığınız ya da oy verdiğiniz “${title}”, “${into}” ile aynı şeyi söylüyor. İkisi tek öneri olarak sürüyor; oyunuz orada sayılıyor.`,
        ],
    button: { label: 'Öneriyi aç', url },
    note: 'Bu bildirimleri ayarlarınızdan kapatabilirsiniz.',
  }),
});
