import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';
import { plainName } from '../../../platform/text/plain-name.js';

export interface CampaignStopped {
  readonly campaignName: string;
  readonly zoneName: string;
  readonly refused: number;
  /** What the mail servers said most often; without addresses. */
  readonly reason: string;
  /** Whether the sending is why, or readers whose mailbox is said to be missing; null when no reason was given. */
  readonly fault: 'reader' | 'sender' | null;
  /** False when nothing is left to send. */
  readonly isPaused: boolean;
  readonly url: string;
}

/** From so many on, missing mailboxes tell of a server: with fewer a campaign does not pause for them either. */
const MANY = 11;

/** What follows "Mail servers refused 12 mails", and what that means for the readers. */
const why = {
  en: {
    sender:
      ' for a reason that lies with the sending, not with your readers. No reader is left out of your mails for it.',
    reader:
      ' and said that these mailboxes are not there. When that is said of so many at once, most often a mail server is set up wrongly. No reader is left out of your mails for it.',
    fewReaders: ' and said that there is no such mailbox. No reader is left out of your mails for it.',
    unknown: ' without saying why. No reader is left out of your mails for it.',
  },
  tr: {
    sender:
      'okurlarınızdan değil, gönderimden kaynaklanan bir nedenle reddetti. Hiçbir okurunuz bu yüzden e-postalarınızın dışında kalmaz.',
    reader:
      'böyle bir posta kutusu olmadığını söyleyerek reddetti. Bu kadar çok adres için aynı anda böyle deniyorsa, çoğunlukla bir posta sunucusu yanlış ayarlanmıştır. Hiçbir okurunuz bu yüzden e-postalarınızın dışında kalmaz.',
    fewReaders:
      'böyle bir posta kutusu olmadığını söyleyerek reddetti. Hiçbir okurunuz bu yüzden e-postalarınızın dışında kalmaz.',
    unknown: 'nedenini söylemeden reddetti. Hiçbir okurunuz bu yüzden e-postalarınızın dışında kalmaz.',
  },
};

const whyOf = (language: 'en' | 'tr', fault: CampaignStopped['fault'], refused: number): string =>
  why[language][fault === 'reader' && refused < MANY ? 'fewReaders' : (fault ?? 'unknown')];

export const campaignStoppedMail = defineMail<CampaignStopped>('campaigns.stopped', {
  en: ({ campaignName, zoneName, refused, reason, isPaused, url, fault }) => ({
    subject: `Your campaign “${plainName(campaignName) || '…'}” ${isPaused ? 'has paused' : 'was refused'}`,
    heading: isPaused ? 'A campaign has paused by itself' : 'A campaign was refused',
    paragraphs: [
      `Mail servers refused ${refused} ${refused === 1 ? 'mail' : 'mails'} of the campaign “${plainName(campaignName) || '…'}” for the zone “${zoneTitle(zoneName, 'en')}”${whyOf('en', fault, refused)}`,
      `They said: ${plainName(reason) || '…'}`,
      isPaused
        ? 'The rest waits. Once the reason is mended you can resume the campaign.'
        : 'Once the reason is mended you can send it again to those who did not get it.',
    ],
    button: { label: 'Open the campaign', url },
  }),
  tr: ({ campaignName, zoneName, refused, reason, isPaused, url, fault }) => ({
    subject: `“${plainName(campaignName) || '…'}” kampanyanız ${isPaused ? 'duraklatıldı' : 'reddedildi'}`,
    heading: isPaused ? 'Bir kampanya kendiliğinden duraklatıldı' : 'Bir kampanya reddedildi',
    paragraphs: [
      `Posta sunucuları, “${zoneTitle(zoneName, 'tr')}” bölgesi için hazırladığınız “${plainName(campaignName) || '…'}” kampanyasının ${refused} e-postasını ${whyOf('tr', fault, refused)}`,
      `Verilen yanıt: ${plainName(reason) || '…'}`,
      isPaused
        ? 'Kalanlar bekliyor. Neden giderilince kampanyayı sürdürebilirsiniz.'
        : 'Neden giderilince almayanlara yeniden gönderebilirsiniz.',
    ],
    button: { label: 'Kampanyayı aç', url },
  }),
});
