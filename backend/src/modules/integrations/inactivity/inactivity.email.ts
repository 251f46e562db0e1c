import type { Language } from '../../../platform/errors/app-error.js';
import { defineEmail } from '../../../platform/email/email-definition.js';
import { sourceNames, type WebhookSource } from '../shared/sources.js';

interface InactivityEmailValues {
  readonly source: WebhookSource;
  /** Time of the last delivery. */
  readonly lastAt: Date;
  readonly url: string;
}

export const inactivityEmail = defineEmail<InactivityEmailValues>('integrations.silence', {
  en: ({ source, lastAt, url }) => ({
    subject: `No webhooks from ${sourceNames[source]} for a while`,
    heading: `${sourceNames[source]} has stopped sending webhooks`,
    paragraphs: [
      `The last webhook arrived on ${formatTime(lastAt, 'en')}. The gap since then is more than three times longer than usual.`,
      'Please check that the webhook is active at the sender and that its URL and secret are correct. You can resend missed orders from there.',
    ],
    button: { label: 'Open Webhook Logs', url },
    note: "We won't send this email again until webhooks arrive again.",
  }),
  tr: ({ source, lastAt, url }) => ({
    subject: `${sourceNames[source]} bir süredir webhook göndermiyor`,
    heading: `${sourceNames[source]} webhook göndermeyi bıraktı`,
    paragraphs: [
      `Son webhook ${formatTime(lastAt, 'tr')} tarihinde geldi. O zamandan beri geçen süre, her zamanki aralığın üç katından uzun.`,
      'Lütfen gönderen tarafta webhook’un açık, adresinin ve gizli anahtarının doğru olduğunu kontrol edin. Kaçırılan siparişleri oradan yeniden gönderebilirsiniz.',
    ],
    button: { label: 'Webhook Kayıtlarını Aç', url },
    note: 'Yeniden webhook gelene kadar bu e-postayı tekrar göndermeyiz.',
  }),
});

const formatTime = (at: Date, language: Language) =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} (UTC)`;
