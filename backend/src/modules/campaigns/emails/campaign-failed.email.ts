import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';
import { removeUrls } from '../../../platform/text/plain-name.js';

export interface CampaignFailedValues {
  readonly campaignName: string;
  readonly zoneName: string;
  readonly isOverQuota: boolean;
  readonly url: string;
}

export const campaignFailedEmail = defineEmail<CampaignFailedValues>('campaigns.failed', {
  en: ({ campaignName, zoneName, isOverQuota, url }) => ({
    subject: `Your campaign “${removeUrls(campaignName) || '…'}” wasn't sent`,
    heading: "A scheduled campaign wasn't sent",
    paragraphs: [
      `The campaign “${removeUrls(campaignName) || '…'}” for the zone “${emailZoneTitle(zoneName, 'en')}” couldn't start at the scheduled time.`,
      isOverQuota
        ? "You don't have enough emails left this month to send to everyone, so nothing was sent."
        : "Nobody in the selected audience can receive it: there are no members, or they haven't agreed to receive emails.",
    ],
    button: { label: 'Open Campaigns', url },
  }),
  tr: ({ campaignName, zoneName, isOverQuota, url }) => ({
    subject: `“${removeUrls(campaignName) || '…'}” kampanyanız gönderilmedi`,
    heading: 'Zamanlanmış bir kampanya gönderilmedi',
    paragraphs: [
      `“${emailZoneTitle(zoneName, 'tr')}” bölgesi için hazırladığınız “${removeUrls(campaignName) || '…'}” kampanyası planlanan zamanda başlatılamadı.`,
      isOverQuota
        ? 'Bu ay kalan e-postalarınız tüm alıcılara yetmediği için hiçbir e-posta gönderilmedi.'
        : 'Seçilen kitlede bu e-postayı alabilecek kimse yok: üye yok ya da üyeler e-posta almayı kabul etmemiş.',
    ],
    button: { label: 'Kampanyaları Aç', url },
  }),
});
