import { defineMail } from '../../../platform/mail/mail-definition.js';
import { andMore, quoted } from './zone-names.js';

interface Values {
  /** Where the zone is, or all that are shared. */
  url: string;
  /** At least one. */
  zoneNames: readonly string[];
}

/** To a customer who has an account. */
export const purchaseNoticeMail = defineMail<Values>('integrations.purchase-notice', {
  en: ({ url, zoneNames }) => {
    const one = zoneNames.length === 1;
    const heading = `${andMore(zoneNames, 'en')} ${one ? 'is' : 'are'} open to you`;
    return {
      subject: heading,
      heading,
      paragraphs: [
        `Thank you for your purchase. ${quoted(zoneNames, 'en')} ${one ? 'is' : 'are'} now among the zones shared with you.`,
      ],
      button: { label: one ? 'Open the zone' : 'Open your zones', url },
    };
  },
  tr: ({ url, zoneNames }) => {
    const heading = `${andMore(zoneNames, 'tr')} size açıldı`;
    return {
      subject: heading,
      heading,
      paragraphs: [
        `Satın aldığınız için teşekkürler. ${quoted(zoneNames, 'tr')} artık sizinle paylaşılan bölgeler arasında.`,
      ],
      button: { label: zoneNames.length === 1 ? 'Bölgeyi aç' : 'Bölgelerinizi açın', url },
    };
  },
});
