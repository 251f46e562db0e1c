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
    subject: 'What is new in your installation',
    heading: 'Since the last mail of this kind',
    paragraphs: [
      ...(suggestions > 0 ? [`New suggestions: ${suggestions}. ${listed(titles.map(quoted), suggestions)}`] : []),
      ...(deadJobs > 0 ? [`Jobs that gave up: ${deadJobs}. ${jobNames.join(', ')}`] : []),
      ...(orders > 0 ? [`Orders that have failed or wait: ${orders}.`] : []),
    ],
    button: { label: 'Open the administration', url },
    note: 'It comes once a day, and not when nothing has happened. You can turn it off in your settings.',
  }),
  tr: ({ suggestions, titles, deadJobs, jobNames, orders, url }) => ({
    subject: 'Kurulumunuzda yeni olanlar',
    heading: 'Bu türden son e-postadan beri',
    paragraphs: [
      ...(suggestions > 0 ? [`Yeni öneriler: ${suggestions}. ${listed(titles.map(quoted), suggestions)}`] : []),
      ...(deadJobs > 0 ? [`Denemeleri tükenen işler: ${deadJobs}. ${jobNames.join(', ')}`] : []),
      ...(orders > 0 ? [`Başarısız olan veya bekleyen siparişler: ${orders}.`] : []),
    ],
    button: { label: 'Yönetimi aç', url },
    note: 'Günde bir kez gelir, bir şey olmadıysa gelmez. Ayarlarınızdan kapatabilirsiniz.',
  }),
});

const quoted = (title: string) => `“${plainName(title) || '…'}”`;
const listed = (names: readonly string[], all: number) => `${names.join(', ')}${all > names.length ? ' …' : ''}`;
