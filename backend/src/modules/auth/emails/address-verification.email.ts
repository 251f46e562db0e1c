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
