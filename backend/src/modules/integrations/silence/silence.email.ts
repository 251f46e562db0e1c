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
    subject: `No webhooks from ${sourceNames[source]} for a while`,
    heading: `${sourceNames[source]} has stopped sending webhooks`,
    paragraphs: [
      `The last webhook arrived on ${written(lastAt, 'en')}. The gap since then is more than three times longer than usual.`,
      'Please check that the webhook is active at the sender and that its URL and secret are correct. You can resend missed orders from there.',
    ],
    button: { label: 'Open Webhook Logs', url },
    note: "We won't send this email again until webhooks arrive again.",
  }),
  tr: ({ source, lastAt, url }) => ({
    subject: `${sourceNames[source]} bir süredir webhook göndermiyor`,
    heading: `${sourceNames[source]} webhook göndermeyi bıraktı`,
    paragraphs: [
      `Son webhook ${written(lastAt, 'tr')} tarihinde geldi. O zamandan beri geçen süre, her zamanki aralığın üç katından uzun.`,
      'Lütfen gönderen tarafta webhook’un açık, adresinin ve gizli anahtarının doğru olduğunu kontrol edin. Kaçırılan siparişleri oradan yeniden gönderebilirsiniz.',
    ],
    button: { label: 'Webhook Kayıtlarını Aç', url },
    note: 'Yeniden webhook gelene kadar bu e-postayı tekrar göndermeyiz.',
  }),
});

const written = (at: Date, language: Language) =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} (UTC)`;
