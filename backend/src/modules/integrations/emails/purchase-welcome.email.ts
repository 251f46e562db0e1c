import { defineEmail } from '../../../platform/email/email-definition.js';
import { formatFirstAndCount, quoteNames } from './zone-names.js';

interface PurchaseWelcomeEmailValues {
  url: string;
  /** At least one. */
  zoneNames: readonly string[];
  password: string;
}

/** To a customer whose account was created by the purchase. */
export const purchaseWelcomeEmail = defineEmail<PurchaseWelcomeEmailValues>('integrations.purchase-welcome', {
  en: ({ url, zoneNames, password }) => ({
    subject: `Your access to ${formatFirstAndCount(zoneNames, 'en')}`,
    heading: `Welcome to ${formatFirstAndCount(zoneNames, 'en')}`,
    paragraphs: [
      `Thank you for your purchase. You now have access to ${quoteNames(zoneNames, 'en')}.`,
      "You don't need a password. On the sign-in page, enter this email address and choose “Email Me a Sign-In Link”.",
      `Or sign in with this email address and the temporary password ${password} and then set your own password. The temporary password is valid for 7 days.`,
    ],
    button: { label: 'Sign In', url },
  }),
  tr: ({ url, zoneNames, password }) => ({
    subject: `${formatFirstAndCount(zoneNames, 'tr')} erişiminiz`,
    heading:
      zoneNames.length === 1
        ? `${formatFirstAndCount(zoneNames, 'tr')} bölgesine hoş geldiniz`
        : 'Bölgelerinize hoş geldiniz',
    paragraphs: [
      `Satın alma işleminiz için teşekkür ederiz. ${quoteNames(zoneNames, 'tr')} artık erişiminize açık.`,
      'Parola gerekmez. Giriş sayfasında bu e-posta adresini yazıp “Giriş Bağlantısı Gönder” seçeneğini kullanın.',
      `Ya da bu e-posta adresi ve geçici parolanız ${password} ile giriş yapın, ardından kendi parolanızı belirleyin. Geçici parola 7 gün geçerlidir.`,
    ],
    button: { label: 'Giriş Yap', url },
  }),
});
