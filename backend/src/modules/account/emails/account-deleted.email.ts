import { defineMail } from '../../../platform/mail/mail-definition.js';

export const accountDeletedMail = defineMail<object>('account.deleted', {
  en: () => ({
    subject: 'Your account has been deleted',
    heading: 'Your account has been deleted',
    paragraphs: [
      'As you asked, your account is gone, and with it your zones, your files and your memberships. This is the last mail that we send to this address.',
    ],
    note: 'You can create a new account at any time.',
  }),
  tr: () => ({
    subject: 'Hesabınız silindi',
    heading: 'Hesabınız silindi',
    paragraphs: [
      'İsteğiniz üzerine hesabınız; bölgeleriniz, dosyalarınız ve üyelikleriniz ile birlikte silindi. Bu, bu adrese gönderdiğimiz son e-postadır.',
    ],
    note: 'Dilediğiniz zaman yeni bir hesap oluşturabilirsiniz.',
  }),
});
