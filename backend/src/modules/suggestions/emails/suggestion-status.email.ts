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
  pending: 'is being reviewed again',
  approved: 'has been approved',
  rejected: 'has been rejected',
  'in-progress': 'is being worked on',
  completed: 'has been completed',
};

const turkish: Record<SuggestionStatus, string> = {
  pending: 'yeniden değerlendiriliyor',
  approved: 'onaylandı',
  rejected: 'reddedildi',
  'in-progress': 'üzerinde çalışılıyor',
  completed: 'tamamlandı',
};

export const suggestionStatusMail = defineMail<Values>('suggestions.status', {
  en: ({ url, title, status, notes }) => ({
    subject: `Your suggestion ${english[status]}`,
    heading: `Your suggestion ${english[status]}`,
    paragraphs: [`“${title}” ${english[status]}.`, ...(notes ? [`Our note: ${notes}`] : [])],
    button: { label: 'Open Suggestions', url },
    note: 'You can turn off these emails in your settings.',
  }),
  tr: ({ url, title, status, notes }) => ({
    subject: `Öneriniz: ${turkish[status]}`,
    heading: `Öneriniz: ${turkish[status]}`,
    paragraphs: [`“${title}”: ${turkish[status]}.`, ...(notes ? [`Notumuz: ${notes}`] : [])],
    button: { label: 'Önerileri Aç', url },
    note: 'Bu e-postaları ayarlarınızdan kapatabilirsiniz.',
  }),
});
