import { defineEmail } from '../../../platform/email/email-definition.js';
import { quoteNames } from '../emails/zone-names.js';

/** To a customer who has paid but has no access yet. */
export const accessPreparedEmail = defineEmail<{ zoneNames: readonly string[] }>('integrations.access-prepared', {
  en: ({ zoneNames }) => ({
    subject: 'Your access is being prepared',
    heading: 'Your access is being prepared',
    paragraphs: [
      zoneNames.length > 0
        ? `Thank you for your purchase. Your access to ${quoteNames(zoneNames, 'en')} is being prepared.`
        : 'Thank you for your purchase. Your access is being prepared.',
      "You don't need to do anything. We'll email you as soon as it's ready.",
    ],
  }),
  tr: ({ zoneNames }) => ({
    subject: 'Erişiminiz hazırlanıyor',
    heading: 'Erişiminiz hazırlanıyor',
    paragraphs: [
      zoneNames.length > 0
        ? `Satın alma işleminiz için teşekkür ederiz. ${quoteNames(zoneNames, 'tr')} erişiminiz hazırlanıyor.`
        : 'Satın alma işleminiz için teşekkür ederiz. Erişiminiz hazırlanıyor.',
      'Bir şey yapmanız gerekmez. Hazır olur olmaz size e-posta göndereceğiz.',
    ],
  }),
});
