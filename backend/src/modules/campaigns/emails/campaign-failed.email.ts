import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';
import { plainName } from '../../../platform/text/plain-name.js';

export interface CampaignFailed {
  readonly campaignName: string;
  readonly zoneName: string;
  readonly isOverQuota: boolean;
  readonly url: string;
}

export const campaignFailedMail = defineMail<CampaignFailed>('campaigns.failed', {
  en: ({ campaignName, zoneName, isOverQuota, url }) => ({
    subject: `Your campaign “${plainName(campaignName) || '…'}” was not sent`,
    heading: 'A scheduled campaign was not sent',
    paragraphs: [
      `The campaign “${plainName(campaignName) || '…'}” for the zone “${zoneTitle(zoneName, 'en')}” could not start at its time.`,
      isOverQuota
        ? 'It has more recipients than your plan has mails left this month, so none of them got it.'
        : 'Nobody in the audience chosen can get it at present: there are no members, or they have not agreed to mails.',
    ],
    button: { label: 'Open campaigns', url },
  }),
  tr: ({ campaignName, zoneName, isOverQuota, url }) => ({
    subject: `“${plainName(campaignName) || '…'}” kampanyanız gönderilmedi`,
    heading: 'Zamanlanmış bir kampanya gönderilmedi',
    paragraphs: [
      `“${zoneTitle(zoneName, 'tr')}” bölgesi için hazırladığınız “${plainName(campaignName) || '…'}” kampanyası zamanı geldiğinde başlatılamadı.`,
      isOverQuota
        ? 'Alıcı sayısı, planınızda bu ay kalan e-posta sayısından fazla olduğu için kimseye gönderilmedi.'
        : 'Seçilen kitlede şu anda bu e-postayı alabilecek kimse yok: üye yok veya e-postalara onay verilmemiş.',
    ],
    button: { label: 'Kampanyaları aç', url },
  }),
});
