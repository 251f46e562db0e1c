import { defineEmail } from '../../../platform/email/email-definition.js';

export const accountDeletedEmail = defineEmail<object>('account.deleted', {
  en: () => ({
    subject: 'Your account has been deleted',
    heading: 'Your account has been deleted',
    paragraphs: [
      "As you requested, we've deleted your account with all your zones, files and memberships. This is the last email we'll send to this address.",
    ],
    note: 'You can create a new account at any time.',
  }),
  tr: () => ({
    subject: 'Hesabınız silindi',
    heading: 'Hesabınız silindi',
    paragraphs: [
      'İsteğiniz üzerine hesabınızı; bölgeleriniz, dosyalarınız ve üyeliklerinizle birlikte sildik. Bu adrese gönderdiğimiz son e-posta budur.',
    ],
    note: 'Dilediğiniz zaman yeni bir hesap oluşturabilirsiniz.',
  }),
});
