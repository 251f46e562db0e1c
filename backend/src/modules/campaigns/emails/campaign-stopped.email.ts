import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';
import { removeUrls } from '../../../platform/text/plain-name.js';

export interface CampaignStoppedValues {
  readonly campaignName: string;
  readonly zoneName: string;
  readonly rejectedCount: number;
  /** The most frequent response of the mail servers, without addresses. */
  readonly reason: string;
  /** Whether the sender or missing mailboxes of recipients are the cause; null if unknown. */
  readonly bounceCause: 'reader' | 'sender' | null;
  /** False if nothing is left to send. */
  readonly isPaused: boolean;
  readonly url: string;
}

/**
 * From this many missing mailboxes on, a misconfigured server is likely. With fewer, a campaign is not paused either.
 */
const SERVER_PROBLEM_THRESHOLD = 11;

/** Explanations of the cause; they complete the sentence that starts with "Email servers rejected 12 emails". */
const causes = {
  en: {
    sender: ' because of a problem with the sender, not with your members. Your members keep receiving your emails.',
    reader:
      " and reported that these mailboxes don't exist. If this happens for many addresses at once, an email server is usually misconfigured. Your members keep receiving your emails.",
    fewMailboxes: " and reported that the mailbox doesn't exist. Your members keep receiving your emails.",
    unknown: ' without giving a reason. Your members keep receiving your emails.',
  },
  tr: {
    sender:
      'üyelerinizden değil, gönderenden kaynaklanan bir sorun nedeniyle reddetti. Üyeleriniz e-postalarınızı almaya devam eder.',
    reader:
      'böyle posta kutuları olmadığını bildirerek reddetti. Bu durum aynı anda çok sayıda adres için oluyorsa genellikle bir e-posta sunucusu yanlış yapılandırılmıştır. Üyeleriniz e-postalarınızı almaya devam eder.',
    fewMailboxes:
      'böyle bir posta kutusu olmadığını bildirerek reddetti. Üyeleriniz e-postalarınızı almaya devam eder.',
    unknown: 'neden belirtmeden reddetti. Üyeleriniz e-postalarınızı almaya devam eder.',
  },
};

const causeOf = (
  language: 'en' | 'tr',
  bounceCause: CampaignStoppedValues['bounceCause'],
  rejectedCount: number,
): string =>
  causes[language][
    bounceCause === 'reader' && rejectedCount < SERVER_PROBLEM_THRESHOLD ? 'fewMailboxes' : (bounceCause ?? 'unknown')
  ];

export const campaignStoppedEmail = defineEmail<CampaignStoppedValues>('campaigns.stopped', {
  en: ({ campaignName, zoneName, rejectedCount, reason, isPaused, url, bounceCause }) => ({
    subject: `Your campaign “${removeUrls(campaignName) || '…'}” ${isPaused ? 'has been paused' : 'was rejected'}`,
    heading: isPaused ? 'A campaign was paused automatically' : 'A campaign was rejected',
    paragraphs: [
      `Email servers rejected ${rejectedCount} ${rejectedCount === 1 ? 'email' : 'emails'} of the campaign “${removeUrls(campaignName) || '…'}” for the zone “${emailZoneTitle(zoneName, 'en')}”${causeOf('en', bounceCause, rejectedCount)}`,
      `Their answer: ${removeUrls(reason) || '…'}`,
      isPaused
        ? 'The remaining emails are on hold. You can resume the campaign once the problem is solved.'
        : "Once the problem is solved, you can resend it to the people who didn't get it.",
    ],
    button: { label: 'Open Campaign', url },
  }),
  tr: ({ campaignName, zoneName, rejectedCount, reason, isPaused, url, bounceCause }) => ({
    subject: `“${removeUrls(campaignName) || '…'}” kampanyanız ${isPaused ? 'duraklatıldı' : 'reddedildi'}`,
    heading: isPaused ? 'Bir kampanya otomatik olarak duraklatıldı' : 'Bir kampanya reddedildi',
    paragraphs: [
      `E-posta sunucuları, “${emailZoneTitle(zoneName, 'tr')}” bölgesi için hazırladığınız “${removeUrls(campaignName) || '…'}” kampanyasının ${rejectedCount} e-postasını ${causeOf('tr', bounceCause, rejectedCount)}`,
      `Verilen yanıt: ${removeUrls(reason) || '…'}`,
      isPaused
        ? 'Kalan e-postalar bekletiliyor. Sorun giderilince kampanyayı sürdürebilirsiniz.'
        : 'Sorun giderilince kampanyayı, e-postayı alamayanlara yeniden gönderebilirsiniz.',
    ],
    button: { label: 'Kampanyayı Aç', url },
  }),
});
