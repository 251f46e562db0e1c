import { defineEmail } from '../../../platform/email/email-definition.js';
import type { SuggestionStatus } from '../entities/feature-suggestion.entity.js';

interface Values {
  url: string;
  title: string;
  status: SuggestionStatus;
  /** The administrators' note. */
  notes: string | null;
}

const englishStatus: Record<SuggestionStatus, string> = {
  pending: 'is being reviewed again',
  approved: 'has been approved',
  rejected: 'has been rejected',
  'in-progress': 'is being worked on',
  completed: 'has been completed',
};

const turkishStatus: Record<SuggestionStatus, string> = {
  pending: 'yeniden değerlendiriliyor',
  approved: 'onaylandı',
  rejected: 'reddedildi',
  'in-progress': 'üzerinde çalışılıyor',
  completed: 'tamamlandı',
};

export const suggestionStatusEmail = defineEmail<Values>('suggestions.status', {
  en: ({ url, title, status, notes }) => ({
    subject: `Your suggestion ${englishStatus[status]}`,
    heading: `Your suggestion ${englishStatus[status]}`,
    paragraphs: [`“${title}” ${englishStatus[status]}.`, ...(notes ? [`Our note: ${notes}`] : [])],
    button: { label: 'Open Suggestions', url },
    note: 'You can turn off these emails in your settings.',
  }),
  tr: ({ url, title, status, notes }) => ({
    subject: `Öneriniz: ${turkishStatus[status]}`,
    heading: `Öneriniz: ${turkishStatus[status]}`,
    paragraphs: [`“${title}”: ${turkishStatus[status]}.`, ...(notes ? [`Notumuz: ${notes}`] : [])],
    button: { label: 'Önerileri Aç', url },
    note: 'Bu e-postaları ayarlarınızdan kapatabilirsiniz.',
  }),
});
