import { defineMail } from '../../../platform/mail/mail-definition.js';

/** To a customer who has an account. */
export const purchaseNoticeMail = defineMail<{ url: string; zoneName: string }>('integrations.purchase-notice', {
  en: ({ url, zoneName }) => ({
    subject: `${zoneName} is open to you`,
    heading: `${zoneName} is open to you`,
    paragraphs: [`Thank you for your purchase. “${zoneName}” is now among the zones shared with you.`],
    button: { label: 'Open the zone', url },
  }),
  tr: ({ url, zoneName }) => ({
    subject: `${zoneName} size açıldı`,
    heading: `${zoneName} size açıldı`,
    paragraphs: [`Satın aldığınız için teşekkürler. “${zoneName}” artık sizinle paylaşılan bölgeler arasında.`],
    button: { label: 'Bölgeyi aç', url },
  }),
});
