import { defineMail } from '../../../platform/mail/mail-definition.js';

export const addressVerificationMail = defineMail<{ url: string }>('auth.address-verification', {
  en: ({ url }) => ({
    subject: 'Confirm your email address',
    heading: 'Is this your address?',
    paragraphs: ['One click shows that this address is yours.'],
    button: { label: 'Confirm the address', url },
    note: 'The link is valid for 24 hours. If you have no account with us, you can ignore this mail.',
  }),
  tr: ({ url }) => ({
    subject: 'E-posta adresinizi onaylayın',
    heading: 'Bu adres sizin mi?',
    paragraphs: ['Tek bir tıklamayla bu adresin size ait olduğunu gösterebilirsiniz.'],
    button: { label: 'Adresi onayla', url },
    note: 'Bağlantı 24 saat geçerlidir. Bizde hesabınız yoksa bu e-postayı dikkate almayın.',
  }),
});

export const alreadyRegisteredMail = defineMail<{ url: string; resetUrl: string; from: string | null }>(
  'auth.already-registered',
  {
    en: ({ url, resetUrl, from }) => ({
      subject: 'You already have an account',
      heading: 'You already have an account',
      paragraphs: [
        'Somebody, probably you, wanted to create an account with this address. It has one already, so just sign in.',
        `If you do not remember the password, you can set a new one at ${resetUrl}`,
        ...(from === null ? [] : [from]),
      ],
      button: { label: 'Sign in', url },
      note: 'If this was not you, you need not do anything.',
    }),
    tr: ({ url, resetUrl, from }) => ({
      subject: 'Zaten bir hesabınız var',
      heading: 'Zaten bir hesabınız var',
      paragraphs: [
        'Biri, büyük olasılıkla siz, bu adresle hesap oluşturmak istedi. Bu adresin zaten bir hesabı var; giriş yapmanız yeterli.',
        `Parolanızı hatırlamıyorsanız buradan yenisini belirleyebilirsiniz: ${resetUrl}`,
        ...(from === null ? [] : [from]),
      ],
      button: { label: 'Giriş yap', url },
      note: 'Bunu siz yapmadıysanız bir şey yapmanız gerekmez.',
    }),
  },
);

export const verificationCodeMail = defineMail<{ code: string; from: string | null }>('auth.verification-code', {
  en: ({ code, from }) => ({
    subject: `${code} is your verification code`,
    heading: 'Your verification code',
    paragraphs: [
      'Enter this code to create your account. It is valid for 10 minutes.',
      ...(from === null ? [] : [from]),
    ],
    code,
    note: 'If you did not ask for it, you can ignore this mail: nothing happens without the code.',
  }),
  tr: ({ code, from }) => ({
    subject: `Doğrulama kodunuz: ${code}`,
    heading: 'Doğrulama kodunuz',
    paragraphs: [
      'Hesabınızı oluşturmak için bu kodu girin. Kod 10 dakika geçerlidir.',
      ...(from === null ? [] : [from]),
    ],
    code,
    note: 'Bunu siz istemediyseniz bu e-postayı dikkate almayın: kod olmadan hiçbir şey yapılmaz.',
  }),
});
