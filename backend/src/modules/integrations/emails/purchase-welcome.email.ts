import { defineMail } from '../../../platform/mail/mail-definition.js';
import { andMore, quoted } from './zone-names.js';

interface Values {
  url: string;
  /** At least one. */
  zoneNames: readonly string[];
  password: string;
}

/** To a customer who is new here. */
export const purchaseWelcomeMail = defineMail<Values>('integrations.purchase-welcome', {
  en: ({ url, zoneNames, password }) => ({
    subject: `Your access to ${andMore(zoneNames, 'en')}`,
    heading: `Welcome to ${andMore(zoneNames, 'en')}`,
    paragraphs: [
      `Thank you for your purchase. ${quoted(zoneNames, 'en')} ${zoneNames.length === 1 ? 'is' : 'are'} open to you now.`,
      'You need no password: at sign-in choose “Email Me a Link”, with this email address.',
      `Or sign in with this e-mail address and the temporary password ${password} and then set a password of your own. The temporary one works for 7 days.`,
    ],
    button: { label: 'Sign in', url },
  }),
  tr: ({ url, zoneNames, password }) => ({
    subject: `${andMore(zoneNames, 'tr')} erişiminiz`,
    heading:
      zoneNames.length === 1 ? `${andMore(zoneNames, 'tr')} bölgesine hoş geldiniz` : 'Bölgelerinize hoş geldiniz',
    paragraphs: [
      `Satın aldığınız için teşekkürler. ${quoted(zoneNames, 'tr')} artık size açık.`,
      'Parola gerekmez: girişte bu e-posta adresiyle “Bana Bağlantı Gönder” seçeneğini kullanın.',
      `Ya da bu e-posta adresi ve geçici parolanız ${password} ile giriş yapın, ardından kendi parolanızı belirleyin. Geçici parola 7 gün geçerlidir.`,
    ],
    button: { label: 'Giriş yap', url },
  }),
});
