import { defineMail } from '../../../platform/mail/mail-definition.js';

interface Values {
  url: string;
  zoneName: string;
  password: string;
}

/** To a customer who is new here. */
export const purchaseWelcomeMail = defineMail<Values>('integrations.purchase-welcome', {
  en: ({ url, zoneName, password }) => ({
    subject: `Your access to ${zoneName}`,
    heading: `Welcome to ${zoneName}`,
    paragraphs: [
      `Thank you for your purchase. “${zoneName}” is open to you now.`,
      `Sign in with this e-mail address and the temporary password ${password} and then set a password of your own. The temporary one works for 7 days.`,
    ],
    button: { label: 'Sign in', url },
  }),
  tr: ({ url, zoneName, password }) => ({
    subject: `${zoneName} erişiminiz`,
    heading: `${zoneName} bölgesine hoş geldiniz`,
    paragraphs: [
      `Satın aldığınız için teşekkürler. “${zoneName}” artık size açık.`,
      `Bu e-posta adresi ve geçici parolanız ${password} ile giriş yapın, ardından kendi parolanızı belirleyin. Geçici parola 7 gün geçerlidir.`,
    ],
    button: { label: 'Giriş yap', url },
  }),
});
