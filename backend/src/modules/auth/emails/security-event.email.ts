import { defineMail, type MailContent } from '../../../platform/mail/mail-definition.js';
import type { SecurityEvent } from '../tell-security-event.job.js';

interface Values {
  readonly event: SecurityEvent;
  /** Name of the API token, for `token-made`. */
  readonly tokenName: string;
  readonly settingsUrl: string;
  readonly resetUrl: string;
}

type Wording = Pick<MailContent, 'subject' | 'paragraphs'>;

const english = (tokenName: string): Record<SecurityEvent, Wording> => ({
  'password-changed': {
    subject: 'Your password has been changed',
    paragraphs: ['The password of your account has just been changed. All other devices have been signed out.'],
  },
  'password-reset': {
    subject: 'Your password has been reset',
    paragraphs: [
      'The password of your account has just been set anew by a link that we mailed to this address. All devices have been signed out.',
    ],
  },
  'sessions-ended': {
    subject: 'You have been signed out everywhere else',
    paragraphs: ['All sessions of your account have just been ended, except the one in which that was asked for.'],
  },
  'token-made': {
    subject: 'A new API token for your account',
    paragraphs: [
      `The API token “${tokenName}” has just been made for your account. Whoever has it can act for you until it expires or you delete it.`,
    ],
  },
});

const turkish = (tokenName: string): Record<SecurityEvent, Wording> => ({
  'password-changed': {
    subject: 'Parolanız değiştirildi',
    paragraphs: ['Hesabınızın parolası az önce değiştirildi. Diğer tüm cihazlarda oturum kapatıldı.'],
  },
  'password-reset': {
    subject: 'Parolanız sıfırlandı',
    paragraphs: [
      'Hesabınızın parolası az önce bu adrese gönderdiğimiz bir bağlantıyla yeniden belirlendi. Tüm cihazlarda oturum kapatıldı.',
    ],
  },
  'sessions-ended': {
    subject: 'Diğer tüm oturumlarınız kapatıldı',
    paragraphs: ['Hesabınızın, bunun istendiği oturum dışındaki tüm oturumları az önce kapatıldı.'],
  },
  'token-made': {
    subject: 'Hesabınız için yeni bir API anahtarı',
    paragraphs: [
      `Hesabınız için az önce “${tokenName}” adlı API anahtarı oluşturuldu. Bu anahtara sahip olan herkes, anahtarın süresi dolana veya siz silene kadar sizin adınıza işlem yapabilir.`,
    ],
  },
});

/** Tells the owner of an account what was done, and what to do if it was somebody else. */
export const securityEventMail = defineMail<Values>('auth.security-event', {
  en: ({ event, tokenName, settingsUrl, resetUrl }) => ({
    ...withHeading(english(tokenName)[event]),
    button: { label: 'Open the settings', url: settingsUrl },
    note: `If this was not you, set a new password at once at ${resetUrl} and look at the sessions and API tokens in the settings: tokens stay valid until you delete them.`,
  }),
  tr: ({ event, tokenName, settingsUrl, resetUrl }) => ({
    ...withHeading(turkish(tokenName)[event]),
    button: { label: 'Ayarları aç', url: settingsUrl },
    note: `Bunu siz yapmadıysanız hemen ${resetUrl} adresinden yeni bir parola belirleyin ve ayarlardaki oturumlara ve API anahtarlarına bakın: anahtarlar siz silene kadar geçerli kalır.`,
  }),
});

function withHeading(wording: Wording) {
  return { ...wording, heading: wording.subject };
}
