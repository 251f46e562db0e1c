import { defineEmail } from '../../../platform/email/email-definition.js';
import { removeUrls } from '../../../platform/text/plain-name.js';

/** What happened in a period. */
export interface AdminDigestContent {
  readonly suggestions: number;
  /** Titles of the first few. */
  readonly titles: readonly string[];
  /** Jobs that failed permanently and have not been retried since. */
  readonly deadJobs: number;
  readonly jobNames: readonly string[];
  /** Orders that failed or are still waiting. */
  readonly orders: number;
}

export const adminDigestEmail = defineEmail<AdminDigestContent & { url: string }>('admin.staff-news', {
  en: ({ suggestions, titles, deadJobs, jobNames, orders, url }) => ({
    subject: "What's new on your site",
    heading: 'Since the last summary',
    paragraphs: [
      ...(suggestions > 0
        ? [`New suggestions: ${suggestions}. ${joinNames(titles.map(quoteTitle), suggestions)}`]
        : []),
      ...(deadJobs > 0 ? [`Failed jobs: ${deadJobs}. ${jobNames.join(', ')}`] : []),
      ...(orders > 0 ? [`Failed or waiting orders: ${orders}.`] : []),
    ],
    button: { label: 'Open Administration', url },
    note: "We send this summary once a day, and only if there's something new. You can turn it off in your settings.",
  }),
  tr: ({ suggestions, titles, deadJobs, jobNames, orders, url }) => ({
    subject: 'Sitenizdeki yenilikler',
    heading: 'Son özetten bu yana',
    paragraphs: [
      ...(suggestions > 0 ? [`Yeni öneriler: ${suggestions}. ${joinNames(titles.map(quoteTitle), suggestions)}`] : []),
      ...(deadJobs > 0 ? [`Başarısız olan işler: ${deadJobs}. ${jobNames.join(', ')}`] : []),
      ...(orders > 0 ? [`Başarısız olan veya bekleyen siparişler: ${orders}.`] : []),
    ],
    button: { label: 'Yönetimi Aç', url },
    note: 'Bu özeti, yeni bir şey varsa günde bir kez göndeririz. Ayarlarınızdan kapatabilirsiniz.',
  }),
});

const quoteTitle = (title: string) => `“${removeUrls(title) || '…'}”`;
const joinNames = (names: readonly string[], all: number) => `${names.join(', ')}${all > names.length ? ' …' : ''}`;
