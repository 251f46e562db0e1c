import { defineMail } from '../../../platform/mail/mail-definition.js';
import { quoted } from '../emails/zone-names.js';

/** To somebody who has paid and cannot come in yet. */
export const accessPreparedMail = defineMail<{ zoneNames: readonly string[] }>('integrations.access-prepared', {
  en: ({ zoneNames }) => ({
    subject: 'Your access is being prepared',
    heading: 'Your access is being prepared',
    paragraphs: [
      zoneNames.length > 0
        ? `Thank you for your purchase. Your access to ${quoted(zoneNames, 'en')} is being prepared.`
        : 'Thank you for your purchase. Your access is being prepared.',
      'You need not do anything: we write to you as soon as it is open.',
    ],
  }),
  tr: ({ zoneNames }) => ({
    subject: 'Erişiminiz hazırlanıyor',
    heading: 'Erişiminiz hazırlanıyor',
    paragraphs: [
      zoneNames.length > 0
        ? `Satın aldığınız için teşekkürler. ${quoted(zoneNames, 'tr')} erişiminiz hazırlanıyor.`
        : 'Satın aldığınız için teşekkürler. Erişiminiz hazırlanıyor.',
      'Bir şey yapmanız gerekmiyor: açılır açılmaz size yazacağız.',
    ],
  }),
});
