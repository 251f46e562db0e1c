import { defineMail } from '../../../platform/mail/mail-definition.js';
import type { SuggestionStatus } from '../entities/feature-suggestion.entity.js';

interface Values {
  url: string;
  title: string;
  status: SuggestionStatus;
  /** What the administrators say of it. */
  notes: string | null;
}

const english: Record<SuggestionStatus, string> = {
  pending: 'is being looked at again',
  approved: 'has been approved',
  rejected: 'will not be built',
  'in-progress': 'is being worked on',
  completed: 'has been completed',
};

const turkish: Record<SuggestionStatus, string> = {
  pending: 'yeniden değerlendiriliyor',
  approved: 'onaylandı',
  rejected: 'hayata geçirilmeyecek',
  'in-progress': 'üzerinde çalışılıyor',
  completed: 'tamamlandı',
};

export const suggestionStatusMail = defineMail<Values>('suggestions.status', {
  en: ({ url, title, status, notes }) => ({
    subject: `Your suggestion ${english[status]}`,
    heading: `Your suggestion ${english[status]}`,
    paragraphs: [`“${title}” ${english[status]}.`, ...(notes ? [`What we say of it: ${notes}`] : [])],
    button: { label: 'Open the suggestions', url },
    note: 'You can turn these notices off in your settings.',
  }),
  tr: ({ url, title, status, notes }) => ({
    subject: `Öneriniz: ${turkish[status]}`,
    heading: `Öneriniz: ${turkish[status]}`,
    paragraphs: [`“${title}”: ${turkish[status]}.`, ...(notes ? [`Notumuz: ${notes}`] : [])],
    button: { label: 'Önerileri aç', url },
    note: 'Bu bildirimleri ayarlarınızdan kapatabilirsiniz.',
  }),
});
