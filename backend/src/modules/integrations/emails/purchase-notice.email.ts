import { defineEmail } from '../../../platform/email/email-definition.js';
import { formatFirstAndCount, quoteNames } from './zone-names.js';

interface PurchaseNoticeEmailValues {
  /** URL of the zone, or of the list of shared zones. */
  url: string;
  /** At least one. */
  zoneNames: readonly string[];
}

/** To a customer who has an account. */
export const purchaseNoticeEmail = defineEmail<PurchaseNoticeEmailValues>('integrations.purchase-notice', {
  en: ({ url, zoneNames }) => {
    const isSingle = zoneNames.length === 1;
    const heading = `You now have access to ${formatFirstAndCount(zoneNames, 'en')}`;
    return {
      subject: heading,
      heading,
      paragraphs: [`Thank you for your purchase. You'll find ${quoteNames(zoneNames, 'en')} under Shared with Me.`],
      button: { label: isSingle ? 'Open Zone' : 'Open My Zones', url },
    };
  },
  tr: ({ url, zoneNames }) => {
    const heading = `${formatFirstAndCount(zoneNames, 'tr')} erişiminize açıldı`;
    return {
      subject: heading,
      heading,
      paragraphs: [
        `Satın alma işleminiz için teşekkür ederiz. ${quoteNames(zoneNames, 'tr')} artık sizinle paylaşılan bölgeler arasında.`,
      ],
      button: { label: zoneNames.length === 1 ? 'Bölgeyi Aç' : 'Bölgelerimi Aç', url },
    };
  },
});
