import { defineEmail } from '../../../platform/email/email-definition.js';

export const confirmationCodeEmail = defineEmail<{ code: string }>('auth.confirmation-code', {
  en: ({ code }) => ({
    subject: `${code} is your confirmation code`,
    heading: 'Confirm your identity',
    paragraphs: ['Enter this code on the page that asked for it. The code is valid for 10 minutes.'],
    code,
    note: "If you didn't request this code, someone else may be using your account. Please open your settings and sign out of all other sessions. Don't share the code with anyone.",
  }),
  tr: ({ code }) => ({
    subject: `Onay kodunuz: ${code}`,
    heading: 'Kimliğinizi doğrulayın',
    paragraphs: ['Bu kodu, sizden istenen sayfaya girin. Kod 10 dakika geçerlidir.'],
    code,
    note: 'Bu kodu siz istemediyseniz hesabınızı başka biri kullanıyor olabilir. Lütfen ayarlardan diğer oturumları kapatın. Kodu kimseyle paylaşmayın.',
  }),
});

export const linkingCodeEmail = defineEmail<{ code: string; provider: string }>('auth.linking-code', {
  en: ({ code, provider }) => ({
    subject: `${code} is your code to connect ${provider}`,
    heading: `Connect ${provider}`,
    paragraphs: [
      `Someone signed in with ${provider} using this email address. Enter this code to connect ${provider} to your account. The code is valid for 10 minutes.`,
    ],
    code,
    note: "If this wasn't you, you can ignore this email. Nothing happens without the code. Don't share it with anyone.",
  }),
  tr: ({ code, provider }) => ({
    subject: `${provider} bağlantı kodunuz: ${code}`,
    heading: `${provider} hesabınızı bağlayın`,
    paragraphs: [
      `Birisi bu e-posta adresiyle ${provider} üzerinden giriş yaptı. ${provider} kimliğinizi hesabınıza bağlamak için bu kodu girin. Kod 10 dakika geçerlidir.`,
    ],
    code,
    note: 'Bunu siz yapmadıysanız bu e-postayı dikkate almayın. Kod girilmeden hiçbir işlem yapılmaz. Kodu kimseyle paylaşmayın.',
  }),
});

export const passwordResetEmail = defineEmail<{ url: string; from: string | null }>('auth.password-reset', {
  en: ({ url, from }) => ({
    subject: 'Set a New Password',
    heading: 'Set a New Password',
    paragraphs: [
      'Someone, probably you, asked for a new password for your account. You can set it here.',
      ...(from === null ? [] : [from]),
    ],
    button: { label: 'Set a New Password', url },
    note: "You can use the link once within one hour. If this wasn't you, you can ignore this email. Your password stays as it is.",
  }),
  tr: ({ url, from }) => ({
    subject: 'Yeni bir parola belirleyin',
    heading: 'Yeni bir parola belirleyin',
    paragraphs: [
      'Birisi, büyük olasılıkla siz, hesabınız için yeni bir parola istedi. Buradan belirleyebilirsiniz.',
      ...(from === null ? [] : [from]),
    ],
    button: { label: 'Yeni Parola Belirle', url },
    note: 'Bağlantıyı bir saat içinde bir kez kullanabilirsiniz. Bunu siz yapmadıysanız bu e-postayı dikkate almayın. Parolanız değişmez.',
  }),
});

export const signInEmail = defineEmail<{ url: string; code: string; from: string | null }>('auth.sign-in', {
  en: ({ url, code, from }) => ({
    subject: `${code} is your sign-in code`,
    heading: 'Sign in',
    paragraphs: [
      'Sign in with the button, or enter this code in the window where you requested it.',
      ...(from === null ? [] : [from]),
    ],
    code,
    button: { label: 'Sign In', url },
    note: "You can use the button or the code once within 10 minutes. If you didn't request this, you can ignore this email. Don't share the code with anyone.",
  }),
  tr: ({ url, code, from }) => ({
    subject: `Giriş kodunuz: ${code}`,
    heading: 'Giriş yapın',
    paragraphs: [
      'Düğmeyle giriş yapın ya da bu kodu, girişi başlattığınız pencereye girin.',
      ...(from === null ? [] : [from]),
    ],
    code,
    button: { label: 'Giriş Yap', url },
    note: 'Düğmeyi veya kodu 10 dakika içinde bir kez kullanabilirsiniz. Bunu siz istemediyseniz bu e-postayı dikkate almayın. Kodu kimseyle paylaşmayın.',
  }),
});
