import type { Language, LocalizedText } from '../../../platform/errors/app-error.js';
import type { EmailContent } from '../../../platform/email/email-definition.js';
import type { SecurityEvent } from '../auth.jobs.js';

/** Values that the sentences can mention. */
export interface SecurityEventDetails {
  /** Name of the API token, for token events. */
  readonly tokenName: string;
  /** The network, for `token-network`; null if it is no longer stored. */
  readonly network: string | null;
  /** Name of the identity provider, for `identity-linked` and `identity-unlinked`. */
  readonly provider: string;
  /** Description of the device, for `new-device`; null if it is no longer stored. */
  readonly device: string | null;
  /** Number of recovery codes left, for `recovery-code-used`. */
  readonly left: number;
  /** For passkey events. */
  readonly passkeyName: string;
}

type EmailText = Pick<EmailContent, 'subject' | 'paragraphs'>;
type LocalizedEmailText = (particulars: SecurityEventDetails) => Record<Language, EmailText>;

const emailText = (subject: string, ...paragraphs: string[]): EmailText => ({ subject, paragraphs });
const passwordAndSessionTexts = {
  'password-changed': () => ({
    en: emailText(
      'Your password has been changed',
      "Your account's password has just been changed. All other devices have been signed out, and all API tokens have been deleted.",
    ),
    tr: emailText(
      'Parolanız değiştirildi',
      'Hesabınızın parolası az önce değiştirildi. Diğer tüm cihazlarda oturum kapatıldı ve tüm API anahtarları silindi.',
    ),
  }),
  'password-reset': () => ({
    en: emailText(
      'Your password has been reset',
      "Your account's password has just been reset with a link that we sent to this email address. All devices have been signed out, and all API tokens have been deleted.",
    ),
    tr: emailText(
      'Parolanız sıfırlandı',
      'Hesabınızın parolası az önce bu e-posta adresine gönderdiğimiz bağlantıyla sıfırlandı. Tüm cihazlarda oturum kapatıldı ve tüm API anahtarları silindi.',
    ),
  }),
  'sessions-ended': () => ({
    en: emailText(
      'You have been signed out everywhere else',
      'All other devices have just been signed out of your account, and all API tokens have been deleted.',
    ),
    tr: emailText(
      'Diğer tüm oturumlarınız kapatıldı',
      'Hesabınızın diğer tüm oturumları az önce kapatıldı ve tüm API anahtarları silindi.',
    ),
  }),
  'sessions-ended-by-admin': () => ({
    en: emailText(
      'You have been signed out everywhere',
      'An administrator has just signed you out on all devices and deleted all your API tokens.',
    ),
    tr: emailText(
      'Tüm oturumlarınız kapatıldı',
      'Bir yönetici az önce hesabınızın tüm oturumlarını kapattı ve tüm API anahtarlarını sildi.',
    ),
  }),
  'new-device': ({ device }: SecurityEventDetails) => ({
    en: emailText(
      'New sign-in from a new device',
      'Someone, probably you, has just signed in to your account from a new browser.',
      ...(device === null ? [] : [device]),
    ),
    tr: emailText(
      'Yeni bir cihazdan giriş yapıldı',
      'Birisi, büyük olasılıkla siz, az önce yeni bir tarayıcıdan hesabınıza giriş yaptı.',
      ...(device === null ? [] : [device]),
    ),
  }),
} satisfies Partial<Record<SecurityEvent, LocalizedEmailText>>;

const tokenTexts = {
  'token-made': ({ tokenName }: SecurityEventDetails) => ({
    en: emailText(
      'A new API token for your account',
      `The API token “${tokenName}” has just been created for your account. Anyone who has it can act on your behalf until it expires or you delete it.`,
    ),
    tr: emailText(
      'Hesabınız için yeni bir API anahtarı',
      `Hesabınız için az önce “${tokenName}” adlı API anahtarı oluşturuldu. Bu anahtara sahip olan herkes, anahtarın süresi dolana veya siz silene kadar sizin adınıza işlem yapabilir.`,
    ),
  }),
  'token-deleted': () => ({
    en: emailText(
      'An API token of your account has been deleted',
      'An API token of your account has just been deleted. Programs that used it no longer have access.',
    ),
    tr: emailText(
      'Hesabınızın bir API anahtarı silindi',
      'Hesabınızın bir API anahtarı az önce silindi. Onu kullanan programların artık erişimi yok.',
    ),
  }),
  'token-network': ({ tokenName, network }: SecurityEventDetails) => ({
    en: emailText(
      'Your API token was used from a new location',
      `The API token “${tokenName}” has just been used from a new location${network === null ? '' : ` (${network})`}.`,
      "If you moved one of your programs or just started using it, you don't need to do anything.",
    ),
    tr: emailText(
      'API anahtarınız yeni bir konumdan kullanıldı',
      `“${tokenName}” adlı API anahtarı az önce yeni bir konumdan${network === null ? '' : ` (${network})`} kullanıldı.`,
      'Programlarınızdan birini taşıdıysanız veya kullanmaya yeni başladıysanız bir şey yapmanız gerekmez.',
    ),
  }),
} satisfies Partial<Record<SecurityEvent, LocalizedEmailText>>;

const identityTexts = {
  'identity-linked': ({ provider }: SecurityEventDetails) => ({
    en: emailText(
      `${provider} has been connected to your account`,
      `From now on you can also sign in to your account with ${provider}.`,
    ),
    tr: emailText(`${provider} hesabınıza bağlandı`, `Artık hesabınıza ${provider} ile de giriş yapabilirsiniz.`),
  }),
  'identity-unlinked': ({ provider }: SecurityEventDetails) => ({
    en: emailText(
      `${provider} has been disconnected from your account`,
      `You can no longer sign in to your account with ${provider}.`,
    ),
    tr: emailText(
      `${provider} bağlantısı hesabınızdan kaldırıldı`,
      `Artık hesabınıza ${provider} ile giriş yapamazsınız.`,
    ),
  }),
} satisfies Partial<Record<SecurityEvent, LocalizedEmailText>>;

const mfaTexts = {
  'authenticator-added': () => ({
    en: emailText(
      'Your account is now protected by an authenticator app',
      'An authenticator app has just been set up for your account. From now on, you also need its code to sign in.',
      'Please keep your recovery codes in a safe place. If you lose your phone, you can sign in with one of them.',
    ),
    tr: emailText(
      'Hesabınızı artık bir kimlik doğrulama uygulaması koruyor',
      'Hesabınız için az önce bir kimlik doğrulama uygulaması kuruldu. Bundan sonra girişte uygulamanın kodu da istenecek.',
      'Lütfen kurtarma kodlarını güvenli bir yerde saklayın: telefonunuzu kaybederseniz bu kodlardan biriyle giriş yapabilirsiniz.',
    ),
  }),
  'authenticator-removed': () => ({
    en: emailText(
      "Your account's authenticator app has been removed",
      'The authenticator app has just been removed from your account. You no longer need its codes to sign in.',
    ),
    tr: emailText(
      'Hesabınızdaki kimlik doğrulama uygulaması kaldırıldı',
      'Kimlik doğrulama uygulaması az önce hesabınızdan kaldırıldı. Artık girişte kodu istenmeyecek.',
    ),
  }),
  'passkey-added': ({ passkeyName }: SecurityEventDetails) => ({
    en: emailText(
      'A passkey has been added to your account',
      `The passkey “${passkeyName}” has just been added. You can use it to sign in without a password. Signing in with your password now also requires a second step.`,
    ),
    tr: emailText(
      'Hesabınıza bir geçiş anahtarı eklendi',
      `Az önce “${passkeyName}” adlı geçiş anahtarı eklendi. Bu anahtarla hesabınıza parolasız giriş yapabilirsiniz. Parolayla girişte ise artık ikinci bir adım da istenecek.`,
    ),
  }),
  'passkey-removed': ({ passkeyName }: SecurityEventDetails) => ({
    en: emailText(
      'A passkey has been removed from your account',
      `The passkey “${passkeyName}” has just been removed. It can no longer be used to sign in.`,
    ),
    tr: emailText(
      'Hesabınızdan bir geçiş anahtarı kaldırıldı',
      `“${passkeyName}” adlı geçiş anahtarı az önce kaldırıldı. Artık bu anahtarla hesabınıza giriş yapılamaz.`,
    ),
  }),
  'factors-reset': () => ({
    en: emailText(
      'Two-step sign-in has been reset',
      'An administrator has just turned off two-step sign-in for your account. Your recovery codes and API tokens have been deleted, and all devices have been signed out.',
      'Please sign in and set up two-step sign-in again.',
    ),
    tr: emailText(
      'İki adımlı girişiniz sıfırlandı',
      'Bir yönetici az önce hesabınızın iki adımlı girişini kapattı. Kurtarma kodlarınız ve API anahtarlarınız silindi, tüm cihazlarda oturum kapatıldı.',
      'Lütfen giriş yapıp iki adımlı girişi yeniden kurun.',
    ),
  }),
  'recovery-code-used': ({ left }: SecurityEventDetails) => ({
    en: emailText(
      'A recovery code was used for your account',
      "Someone, probably you, has just signed in with a recovery code. That code can't be used again.",
      recoveryCodesLeftText(left).en,
    ),
    tr: emailText(
      'Hesabınız için bir kurtarma kodu kullanıldı',
      'Birisi, büyük olasılıkla siz, az önce bir kurtarma koduyla giriş yaptı. O kod yeniden kullanılamaz.',
      recoveryCodesLeftText(left).tr,
    ),
  }),
  'recovery-codes-made': () => ({
    en: emailText(
      'New recovery codes for your account',
      'Ten new recovery codes have just been created for your account. The old ones no longer work.',
    ),
    tr: emailText(
      'Hesabınız için yeni kurtarma kodları',
      'Hesabınız için az önce 10 yeni kurtarma kodu oluşturuldu. Eskileri artık geçerli değil.',
    ),
  }),
} satisfies Partial<Record<SecurityEvent, LocalizedEmailText>>;

const recoveryCodesLeftText = (remaining: number): LocalizedText => {
  if (remaining === 0) {
    return {
      en: 'You have no recovery codes left. Please create new ones in your settings.',
      tr: 'Hiç kurtarma kodunuz kalmadı. Lütfen ayarlardan yenilerini oluşturun.',
    };
  }
  return {
    en: `You have ${remaining} recovery ${remaining === 1 ? 'code' : 'codes'} left.`,
    tr: `${remaining} kurtarma kodunuz kaldı.`,
  };
};

/** Email texts of every event, in both languages. */
export const securityEventTexts: Record<SecurityEvent, LocalizedEmailText> = {
  ...passwordAndSessionTexts,
  ...tokenTexts,
  ...identityTexts,
  ...mfaTexts,
};
