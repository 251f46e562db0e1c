import { defineMail } from '../../../platform/mail/mail-definition.js';

export const passwordResetMail = defineMail<{ url: string }>('auth.password-reset', {
  en: ({ url }) => ({
    subject: 'Set a new password',
    heading: 'Set a new password',
    paragraphs: ['Somebody, probably you, wants to set a new password for your account. Choose one here.'],
    button: { label: 'Set a new password', url },
    note: 'The link works once and for one hour. If this was not you, you need not do anything: your password stays as it is.',
  }),
  tr: ({ url }) => ({
    subject: 'Yeni bir parola belirleyin',
    heading: 'Yeni bir parola belirleyin',
    paragraphs: [
      'Biri, büyük olasılıkla siz, hesabınız için yeni bir parola belirlemek istiyor. Buradan seçebilirsiniz.',
    ],
    button: { label: 'Yeni parola belirle', url },
    note: 'Bağlantı bir kez ve bir saat boyunca çalışır. Bunu siz yapmadıysanız bir şey yapmanız gerekmez: parolanız olduğu gibi kalır.',
  }),
});
