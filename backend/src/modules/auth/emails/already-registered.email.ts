import { defineMail } from '../../../platform/mail/mail-definition.js';

export const alreadyRegisteredMail = defineMail<{ url: string; resetUrl: string }>('auth.already-registered', {
  en: ({ url, resetUrl }) => ({
    subject: 'You already have an account',
    heading: 'You already have an account',
    paragraphs: [
      'Somebody, probably you, wanted to create an account with this address. It has one already, so just sign in.',
      `If you do not remember the password, you can set a new one at ${resetUrl}`,
    ],
    button: { label: 'Sign in', url },
    note: 'If this was not you, you need not do anything.',
  }),
  tr: ({ url, resetUrl }) => ({
    subject: 'Zaten bir hesabınız var',
    heading: 'Zaten bir hesabınız var',
    paragraphs: [
      'Biri, büyük olasılıkla siz, bu adresle hesap oluşturmak istedi. Bu adresin zaten bir hesabı var; giriş yapmanız yeterli.',
      `Parolanızı hatırlamıyorsanız buradan yenisini belirleyebilirsiniz: ${resetUrl}`,
    ],
    button: { label: 'Giriş yap', url },
    note: 'Bunu siz yapmadıysanız bir şey yapmanız gerekmez.',
  }),
});
