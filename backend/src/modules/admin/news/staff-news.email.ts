import { defineMail } from '../../../platform/mail/mail-definition.js';
import { plainName } from '../../../platform/text/plain-name.js';

/** What happened in a time. */
export interface News {
  readonly suggestions: number;
  /** Of the first few. */
  readonly titles: readonly string[];
  /** Jobs that gave up, and have not been tried anew since. */
  readonly deadJobs: number;
  readonly jobNames: readonly string[];
  /** Orders that failed or wait still. */
  readonly orders: number;
}

export const staffNewsMail = defineMail<News & { url: string }>('admin.staff-news', {
  en: ({ suggestions, titles, deadJobs, jobNames, orders, url }) => ({
    subject: "What's new on your site",
    heading: 'Since the last summary',
    paragraphs: [
      ...(suggestions > 0 ? [`New suggestions: ${suggestions}. ${listed(titles.map(quoted), suggestions)}`] : []),
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
      ...(suggestions > 0 ? [`Yeni öneriler: ${suggestions}. ${listed(titles.map(quoted), suggestions)}`] : []),
      ...(deadJobs > 0 ? [`Başarısız olan işler: ${deadJobs}. ${jobNames.join(', ')}`] : []),
      ...(orders > 0 ? [`Başarısız olan veya bekleyen siparişler: ${orders}.`] : []),
    ],
    button: { label: 'Yönetimi Aç', url },
    note: 'Bu özeti, yeni bir şey varsa günde bir kez göndeririz. Ayarlarınızdan kapatabilirsiniz.',
  }),
});

const quoted = (title: string) => `“${plainName(title) || '…'}”`;
const listed = (names: readonly string[], all: number) => `${names.join(', ')}${all > names.length ? ' …' : ''}`;
