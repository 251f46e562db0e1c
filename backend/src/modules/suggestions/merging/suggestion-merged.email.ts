import { defineEmail } from '../../../platform/email/email-definition.js';

interface Values {
  url: string;
  title: string;
  /** The title of the suggestion merged into. */
  into: string;
  isUndone: boolean;
}

export const suggestionMergedEmail = defineEmail<Values>('suggestions.merged', {
  en: ({ url, title, into, isUndone }) => ({
    subject: isUndone ? 'A suggestion is separate again' : 'A suggestion was merged into another one',
    heading: isUndone ? 'A suggestion is separate again' : 'A suggestion was merged into another one',
    paragraphs: isUndone
      ? [
          `“${title}”, which you submitted or voted for, is no longer merged into “${into}”. Its votes are counted separately again.`,
        ]
      : [
          `“${title}”, which you submitted or voted for, was merged into the similar suggestion “${into}”. Your vote now counts there.`,
        ],
    button: { label: 'Open Suggestion', url },
    note: 'You can turn off these emails in your settings.',
  }),
  tr: ({ url, title, into, isUndone }) => ({
    subject: isUndone ? 'Birleştirilmiş bir öneri ayrıldı' : 'Bir öneri başka bir öneriyle birleştirildi',
    heading: isUndone ? 'Birleştirilmiş bir öneri ayrıldı' : 'Bir öneri başka bir öneriyle birleştirildi',
    paragraphs: isUndone
      ? [
          `Gönderdiğiniz ya da oy verdiğiniz “${title}” artık “${into}” ile birleşik değil. Oyları yeniden ayrı sayılıyor.`,
        ]
      : [
          `Gönderdiğiniz ya da oy verdiğiniz “${title}”, benzer olan “${into}” önerisiyle birleştirildi. Oyunuz artık orada sayılıyor.`,
        ],
    button: { label: 'Öneriyi Aç', url },
    note: 'Bu e-postaları ayarlarınızdan kapatabilirsiniz.',
  }),
});
