import { defineEmail } from '../../../platform/email/email-definition.js';

export const addressVerificationEmail = defineEmail<{ url: string }>('auth.address-verification', {
  en: ({ url }) => ({
    subject: 'Confirm your email address',
    heading: 'Is this your email address?',
    paragraphs: ['Please confirm that this email address is yours.'],
    button: { label: 'Confirm Address', url },
    note: "The link is valid for 24 hours. If you don't have an account with us, you can ignore this email.",
  }),
  tr: ({ url }) => ({
    subject: 'E-posta adresinizi doğrulayın',
    heading: 'Bu e-posta adresi sizin mi?',
    paragraphs: ['Lütfen bu e-posta adresinin size ait olduğunu doğrulayın.'],
    button: { label: 'Adresi Doğrula', url },
    note: 'Bağlantı 24 saat geçerlidir. Bizde hesabınız yoksa bu e-postayı dikkate almayın.',
  }),
});

export const alreadyRegisteredEmail = defineEmail<{ url: string; resetUrl: string; from: string | null }>(
  'auth.already-registered',
  {
    en: ({ url, resetUrl, from }) => ({
      subject: 'You already have an account',
      heading: 'You already have an account',
      paragraphs: [
        'Someone, probably you, tried to create an account with this email address. It already has an account, so you can simply sign in.',
        `If you've forgotten your password, you can set a new one at ${resetUrl}`,
        ...(from === null ? [] : [from]),
      ],
      button: { label: 'Sign In', url },
      note: "If this wasn't you, you can ignore this email.",
    }),
    tr: ({ url, resetUrl, from }) => ({
      subject: 'Zaten bir hesabınız var',
      heading: 'Zaten bir hesabınız var',
      paragraphs: [
        'Birisi, büyük olasılıkla siz, bu e-posta adresiyle hesap oluşturmak istedi. Bu adresin zaten bir hesabı var; giriş yapmanız yeterli.',
        `Parolanızı unuttuysanız buradan yenisini belirleyebilirsiniz: ${resetUrl}`,
        ...(from === null ? [] : [from]),
      ],
      button: { label: 'Giriş Yap', url },
      note: 'Bunu siz yapmadıysanız bu e-postayı dikkate almayın.',
    }),
  },
);

export const verificationCodeEmail = defineEmail<{ code: string; from: string | null }>('auth.verification-code', {
  en: ({ code, from }) => ({
    subject: `${code} is your verification code`,
    heading: 'Your verification code',
    paragraphs: [
      'Enter this code to create your account. The code is valid for 10 minutes.',
      ...(from === null ? [] : [from]),
    ],
    code,
    note: "If you didn't request this code, you can ignore this email. Nothing happens without the code.",
  }),
  tr: ({ code, from }) => ({
    subject: `Doğrulama kodunuz: ${code}`,
    heading: 'Doğrulama kodunuz',
    paragraphs: [
      'Hesabınızı oluşturmak için bu kodu girin. Kod 10 dakika geçerlidir.',
      ...(from === null ? [] : [from]),
    ],
    code,
    note: 'Bu kodu siz istemediyseniz bu e-postayı dikkate almayın. Kod girilmeden hiçbir işlem yapılmaz.',
  }),
});
