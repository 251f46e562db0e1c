import type { Language } from '../../../platform/errors/app-error.js';
import { defineMail } from '../../../platform/mail/mail-definition.js';
import { sourceNames, type Source } from '../shared/sources.js';

interface Values {
  readonly source: Source;
  /** Of the last delivery. */
  readonly lastAt: Date;
  readonly url: string;
}

export const silenceMail = defineMail<Values>('integrations.silence', {
  en: ({ source, lastAt, url }) => ({
    subject: `Nothing has come from ${sourceNames[source]} for a while`,
    heading: `${sourceNames[source]} is silent`,
    paragraphs: [
      `The last delivery came on ${written(lastAt, 'en')}. That is more than three times as long ago as usual.`,
      'Look whether the webhook is switched on at the sender, and whether its address and secret are right. Orders of this time can be delivered again from there.',
    ],
    button: { label: 'Open the deliveries', url },
    note: 'We write about this once, until something comes again.',
  }),
  tr: ({ source, lastAt, url }) => ({
    subject: `${sourceNames[source]} bir süredir bir şey göndermiyor`,
    heading: `${sourceNames[source]} sessiz`,
    paragraphs: [
      `Son teslimat ${written(lastAt, 'tr')} tarihinde geldi. Bu, her zamanki aralığın üç katından uzun.`,
      'Gönderende webhook’un açık, adresinin ve gizli anahtarının doğru olup olmadığına bakın. Bu süredeki siparişler oradan yeniden teslim edilebilir.',
    ],
    button: { label: 'Teslimatları aç', url },
    note: 'Yeniden bir şey gelene kadar bunun için bir kez yazarız.',
  }),
});

const written = (at: Date, language: Language) =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} (UTC)`;
