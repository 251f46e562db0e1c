import { defineMail } from '../../../platform/mail/mail-definition.js';

export const confirmationCodeMail = defineMail<{ code: string }>('auth.confirmation-code', {
  en: ({ code }) => ({
    subject: `${code} confirms that it is you`,
    heading: 'Confirm that it is you',
    paragraphs: ['Enter this code on the page where you were asked for it. It is valid for 10 minutes.'],
    code,
    note: 'If you did not ask for it, somebody else uses your account: please open the settings and end the other sessions. Tell nobody the code.',
  }),
  tr: ({ code }) => ({
    subject: `Onay kodunuz: ${code}`,
    heading: 'Siz olduğunuzu doğrulayın',
    paragraphs: ['Bu kodu, sizden istendiği sayfaya girin. Kod 10 dakika geçerlidir.'],
    code,
    note: 'Bunu siz istemediyseniz hesabınızı başka biri kullanıyor olabilir: lütfen ayarlardan diğer oturumları kapatın. Kodu kimseyle paylaşmayın.',
  }),
});

export const linkingCodeMail = defineMail<{ code: string; provider: string }>('auth.linking-code', {
  en: ({ code, provider }) => ({
    subject: `${code} is your code to connect ${provider}`,
    heading: `Connect ${provider}`,
    paragraphs: [
      `Somebody signed in with ${provider} under this address. Enter this code to connect ${provider} with your account. It is valid for 10 minutes.`,
    ],
    code,
    note: 'If this was not you, do not give the code to anybody: nothing happens without it.',
  }),
  tr: ({ code, provider }) => ({
    subject: `${provider} bağlantı kodunuz: ${code}`,
    heading: `${provider} hesabınızı bağlayın`,
    paragraphs: [
      `Biri bu adresle ${provider} üzerinden giriş yaptı. ${provider} kimliğinizi hesabınıza bağlamak için bu kodu girin. Kod 10 dakika geçerlidir.`,
    ],
    code,
    note: 'Bunu siz yapmadıysanız kodu kimseyle paylaşmayın: kod olmadan hiçbir şey yapılmaz.',
  }),
});

export const passwordResetMail = defineMail<{ url: string; from: string | null }>('auth.password-reset', {
  en: ({ url, from }) => ({
    subject: 'Set a new password',
    heading: 'Set a new password',
    paragraphs: [
      'Somebody, probably you, wants to set a new password for your account. Choose one here.',
      ...(from === null ? [] : [from]),
    ],
    button: { label: 'Set a new password', url },
    note: 'The link works once and for one hour. If this was not you, you need not do anything: your password stays as it is.',
  }),
  tr: ({ url, from }) => ({
    subject: 'Yeni bir parola belirleyin',
    heading: 'Yeni bir parola belirleyin',
    paragraphs: [
      'Biri, büyük olasılıkla siz, hesabınız için yeni bir parola belirlemek istiyor. Buradan seçebilirsiniz.',
      ...(from === null ? [] : [from]),
    ],
    button: { label: 'Yeni parola belirle', url },
    note: 'Bağlantı bir kez ve bir saat boyunca çalışır. Bunu siz yapmadıysanız bir şey yapmanız gerekmez: parolanız olduğu gibi kalır.',
  }),
});

export const signInMail = defineMail<{ url: string; code: string; from: string | null }>('auth.sign-in', {
  en: ({ url, code, from }) => ({
    subject: `${code} is your sign-in code`,
    heading: 'Sign in',
    paragraphs: [
      'Sign in with the button, or type this code in the window in which you asked for it.',
      ...(from === null ? [] : [from]),
    ],
    code,
    button: { label: 'Sign in', url },
    note: 'Both work once, for 10 minutes. If you did not ask for it, you can ignore this email; tell nobody the code.',
  }),
  tr: ({ url, code, from }) => ({
    subject: `Giriş kodunuz: ${code}`,
    heading: 'Giriş yapın',
    paragraphs: [
      'Düğmeyle giriş yapın ya da bu kodu, istediğiniz penceredeki alana yazın.',
      ...(from === null ? [] : [from]),
    ],
    code,
    button: { label: 'Giriş yap', url },
    note: 'İkisi de bir kez ve 10 dakika boyunca çalışır. Bunu siz istemediyseniz bu e-postayı dikkate almayın; kodu kimseyle paylaşmayın.',
  }),
});
