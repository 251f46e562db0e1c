import { defineMail } from '../../../platform/mail/mail-definition.js';

export const verificationCodeMail = defineMail<{ code: string }>('auth.verification-code', {
  en: ({ code }) => ({
    subject: `${code} is your verification code`,
    heading: 'Your verification code',
    paragraphs: ['Enter this code to create your account. It is valid for 10 minutes.'],
    code,
    note: 'If you did not ask for it, you can ignore this mail: nothing happens without the code.',
  }),
  tr: ({ code }) => ({
    subject: `Doğrulama kodunuz: ${code}`,
    heading: 'Doğrulama kodunuz',
    paragraphs: ['Hesabınızı oluşturmak için bu kodu girin. Kod 10 dakika geçerlidir.'],
    code,
    note: 'Bunu siz istemediyseniz bu e-postayı dikkate almayın: kod olmadan hiçbir şey yapılmaz.',
  }),
});
