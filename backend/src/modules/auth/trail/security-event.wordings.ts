import type { Language, Sentence } from '../../../platform/errors/app-error.js';
import type { MailContent } from '../../../platform/mail/mail-definition.js';
import type { SecurityEvent } from '../auth.jobs.js';

/** What a sentence may name. */
export interface Particulars {
  /** Name of the API token, for events of tokens. */
  readonly tokenName: string;
  /** From where, for `token-network`; null when it is known no more. */
  readonly network: string | null;
  /** Name of the provider of identities, for `identity-linked` and `identity-unlinked`. */
  readonly provider: string;
  /** The device in words, for `new-device`; null when nothing is known of it any more. */
  readonly device: string | null;
  /** Recovery codes that are left, for `recovery-code-used`. */
  readonly left: number;
  /** For events of passkeys. */
  readonly passkeyName: string;
}

type Wording = Pick<MailContent, 'subject' | 'paragraphs'>;
type Wordings = (particulars: Particulars) => Record<Language, Wording>;

const said = (subject: string, ...paragraphs: string[]): Wording => ({ subject, paragraphs });
const ofPasswordsAndSessions = {
  'password-changed': () => ({
    en: said(
      'Your password has been changed',
      'The password of your account has just been changed. All other devices have been signed out, and all API tokens have been deleted.',
    ),
    tr: said(
      'Parolanız değiştirildi',
      'Hesabınızın parolası az önce değiştirildi. Diğer tüm cihazlarda oturum kapatıldı ve tüm API anahtarları silindi.',
    ),
  }),
  'password-reset': () => ({
    en: said(
      'Your password has been reset',
      'The password of your account has just been set anew by a link that we mailed to this address. All devices have been signed out, and all API tokens have been deleted.',
    ),
    tr: said(
      'Parolanız sıfırlandı',
      'Hesabınızın parolası az önce bu adrese gönderdiğimiz bir bağlantıyla yeniden belirlendi. Tüm cihazlarda oturum kapatıldı ve tüm API anahtarları silindi.',
    ),
  }),
  'sessions-ended': () => ({
    en: said(
      'You have been signed out everywhere else',
      'All other sessions of your account have just been ended, and all API tokens have been deleted.',
    ),
    tr: said(
      'Diğer tüm oturumlarınız kapatıldı',
      'Hesabınızın diğer tüm oturumları az önce kapatıldı ve tüm API anahtarları silindi.',
    ),
  }),
  'sessions-ended-by-admin': () => ({
    en: said(
      'You have been signed out everywhere',
      'An administrator has just ended all sessions of your account and deleted all its API tokens.',
    ),
    tr: said(
      'Tüm oturumlarınız kapatıldı',
      'Bir yönetici az önce hesabınızın tüm oturumlarını kapattı ve tüm API anahtarlarını sildi.',
    ),
  }),
  'new-device': ({ device }: Particulars) => ({
    en: said(
      'New sign-in from a new device',
      'Somebody, probably you, has just signed in to your account in a browser that was not used before.',
      ...(device === null ? [] : [device]),
    ),
    tr: said(
      'Yeni bir cihazdan giriş yapıldı',
      'Biri, büyük olasılıkla siz, az önce daha önce kullanılmamış bir tarayıcıda hesabınıza giriş yaptı.',
      ...(device === null ? [] : [device]),
    ),
  }),
} satisfies Partial<Record<SecurityEvent, Wordings>>;

const ofTokens = {
  'token-made': ({ tokenName }: Particulars) => ({
    en: said(
      'A new API token for your account',
      `The API token “${tokenName}” has just been made for your account. Whoever has it can act for you until it expires or you delete it.`,
    ),
    tr: said(
      'Hesabınız için yeni bir API anahtarı',
      `Hesabınız için az önce “${tokenName}” adlı API anahtarı oluşturuldu. Bu anahtara sahip olan herkes, anahtarın süresi dolana veya siz silene kadar sizin adınıza işlem yapabilir.`,
    ),
  }),
  'token-deleted': () => ({
    en: said(
      'An API token of your account has been deleted',
      'An API token of your account has just been deleted. Programs that used it have no access any more.',
    ),
    tr: said(
      'Hesabınızın bir API anahtarı silindi',
      'Hesabınızın bir API anahtarı az önce silindi. Onu kullanan programların artık erişimi yok.',
    ),
  }),
  'token-network': ({ tokenName, network }: Particulars) => ({
    en: said(
      'Your API token was used from a new place',
      `The API token “${tokenName}” has just been used from ${network ?? 'a place'}, from where it was not used before.`,
      'If one of your programs has moved or has only begun its work, there is nothing to do.',
    ),
    tr: said(
      'API anahtarınız yeni bir yerden kullanıldı',
      `“${tokenName}” adlı API anahtarı az önce, daha önce kullanılmadığı ${network === null ? 'bir yerden' : `${network} adresinden`} kullanıldı.`,
      'Programlarınızdan biri taşındıysa veya çalışmaya yeni başladıysa yapmanız gereken bir şey yok.',
    ),
  }),
} satisfies Partial<Record<SecurityEvent, Wordings>>;

const ofIdentities = {
  'identity-linked': ({ provider }: Particulars) => ({
    en: said(
      `${provider} has been connected with your account`,
      `From now on you can also sign in to your account with ${provider}.`,
    ),
    tr: said(`${provider} hesabınıza bağlandı`, `Artık hesabınıza ${provider} ile de giriş yapabilirsiniz.`),
  }),
  'identity-unlinked': ({ provider }: Particulars) => ({
    en: said(
      `${provider} has been disconnected from your account`,
      `You can no longer sign in to your account with ${provider}.`,
    ),
    tr: said(`${provider} hesabınızdan ayrıldı`, `Artık hesabınıza ${provider} ile giriş yapılamaz.`),
  }),
} satisfies Partial<Record<SecurityEvent, Wordings>>;

const ofFactors = {
  'authenticator-added': () => ({
    en: said(
      'An authenticator app protects your account',
      'An authenticator app has just been set up for your account. From now on signing in also asks for its code.',
      'Please keep the recovery codes in a safe place: with one of them you get in when you have lost your phone.',
    ),
    tr: said(
      'Hesabınızı artık bir kimlik doğrulama uygulaması koruyor',
      'Hesabınız için az önce bir kimlik doğrulama uygulaması kuruldu. Bundan sonra girişte uygulamanın kodu da istenecek.',
      'Lütfen kurtarma kodlarını güvenli bir yerde saklayın: telefonunuzu kaybederseniz bu kodlardan biriyle giriş yapabilirsiniz.',
    ),
  }),
  'authenticator-removed': () => ({
    en: said(
      'The authenticator app of your account has been removed',
      'The authenticator app has just been removed from your account. Its codes are not asked for any more.',
    ),
    tr: said(
      'Hesabınızdaki kimlik doğrulama uygulaması kaldırıldı',
      'Kimlik doğrulama uygulaması az önce hesabınızdan kaldırıldı. Artık girişte kodu istenmeyecek.',
    ),
  }),
  'passkey-added': ({ passkeyName }: Particulars) => ({
    en: said(
      'A passkey has been added to your account',
      `The passkey “${passkeyName}” has just been added. It signs in to your account without a password, and from now on signing in with the password also asks for a second factor.`,
    ),
    tr: said(
      'Hesabınıza bir geçiş anahtarı eklendi',
      `Az önce “${passkeyName}” adlı geçiş anahtarı eklendi. Bu anahtarla hesabınıza parolasız giriş yapılabilir; parolayla girişte ise artık ikinci bir doğrulama da istenecek.`,
    ),
  }),
  'passkey-removed': ({ passkeyName }: Particulars) => ({
    en: said(
      'A passkey of your account has been removed',
      `The passkey “${passkeyName}” has just been removed. It signs in to your account no more.`,
    ),
    tr: said(
      'Hesabınızın bir geçiş anahtarı kaldırıldı',
      `“${passkeyName}” adlı geçiş anahtarı az önce kaldırıldı. Artık bu anahtarla hesabınıza giriş yapılamaz.`,
    ),
  }),
  'factors-reset': () => ({
    en: said(
      'Your second factor has been reset',
      'An administrator has just removed all second factors and recovery codes of your account, ended all its sessions and deleted its API tokens.',
      'Please sign in and set up a second factor again.',
    ),
    tr: said(
      'İkinci doğrulama yönteminiz sıfırlandı',
      'Bir yönetici az önce hesabınızın tüm ikinci doğrulama yöntemlerini ve kurtarma kodlarını kaldırdı, tüm oturumlarını kapattı ve API anahtarlarını sildi.',
      'Lütfen giriş yapıp ikinci doğrulamayı yeniden kurun.',
    ),
  }),
  'recovery-code-used': ({ left }: Particulars) => ({
    en: said(
      'A recovery code of your account was used',
      'Somebody, probably you, has just signed in with a recovery code. That code works no more.',
      recoveryCodesLeft(left).en,
    ),
    tr: said(
      'Hesabınızın bir kurtarma kodu kullanıldı',
      'Biri, büyük olasılıkla siz, az önce bir kurtarma koduyla giriş yaptı. O kod artık geçerli değil.',
      recoveryCodesLeft(left).tr,
    ),
  }),
  'recovery-codes-made': () => ({
    en: said(
      'New recovery codes for your account',
      'Ten new recovery codes have just been made for your account. The old ones work no more.',
    ),
    tr: said(
      'Hesabınız için yeni kurtarma kodları',
      'Hesabınız için az önce on yeni kurtarma kodu oluşturuldu. Eskileri artık geçerli değil.',
    ),
  }),
} satisfies Partial<Record<SecurityEvent, Wordings>>;

const recoveryCodesLeft = (left: number): Sentence => {
  if (left === 0) {
    return {
      en: 'You have no recovery codes left. Please make new ones in the settings.',
      tr: 'Hiç kurtarma kodunuz kalmadı. Lütfen ayarlardan yenilerini oluşturun.',
    };
  }
  return {
    en: `You have ${left} recovery ${left === 1 ? 'code' : 'codes'} left.`,
    tr: `${left} kurtarma kodunuz kaldı.`,
  };
};

/** What is written of each event, in both languages. */
export const securityEventWordings: Record<SecurityEvent, Wordings> = {
  ...ofPasswordsAndSessions,
  ...ofTokens,
  ...ofIdentities,
  ...ofFactors,
};
