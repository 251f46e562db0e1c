import { defineEmail } from '../../../../platform/email/email-definition.js';

export const emailChangeEmail = defineEmail<{ url: string }>('auth.email-change', {
  en: ({ url }) => ({
    subject: 'Confirm your new email address',
    heading: 'Your new email address',
    paragraphs: [
      'Someone, probably you, wants to use this email address for their account. Please confirm the change.',
    ],
    button: { label: 'Change My Address', url },
    note: "You can use the link once within 24 hours. If this wasn't you, you can ignore this email. Nothing changes until the link is opened and confirmed.",
  }),
  tr: ({ url }) => ({
    subject: 'Yeni e-posta adresinizi doğrulayın',
    heading: 'Yeni e-posta adresiniz',
    paragraphs: [
      'Birisi, büyük olasılıkla siz, hesabı için bu e-posta adresini kullanmak istiyor. Lütfen adresi doğrulayın.',
    ],
    button: { label: 'Adresimi Değiştir', url },
    note: 'Bağlantıyı 24 saat içinde bir kez kullanabilirsiniz. Bunu siz yapmadıysanız bu e-postayı dikkate almayın. Bağlantı açılıp adres doğrulanmadan hiçbir şey değişmez.',
  }),
});

export const emailTakenEmail = defineEmail<Record<never, never>>('auth.email-taken', {
  en: () => ({
    subject: 'This email address already has an account',
    heading: 'This email address already has an account',
    paragraphs: [
      'Someone, probably you, tried to use this email address for another account. It already belongs to an account, so nothing was changed.',
      'To use it for the other account, first delete this account or change its email address.',
    ],
    note: "If this wasn't you, you can ignore this email.",
  }),
  tr: () => ({
    subject: 'Bu e-posta adresinin zaten bir hesabı var',
    heading: 'Bu e-posta adresinin zaten bir hesabı var',
    paragraphs: [
      'Birisi, büyük olasılıkla siz, bu e-posta adresini başka bir hesap için kullanmak istedi. Adres zaten bir hesaba ait olduğu için hiçbir şey değiştirilmedi.',
      'Adresi diğer hesapta kullanmak için önce bu hesabı silin veya e-posta adresini değiştirin.',
    ],
    note: 'Bunu siz yapmadıysanız bu e-postayı dikkate almayın.',
  }),
});

/** Sent to the old address. `url` undoes the change; null if it can't be undone. */
export const emailChangedOldAddressEmail = defineEmail<{ newEmail: string; url: string | null }>('auth.email-left', {
  en: ({ newEmail, url }) => ({
    subject: "Your account's email address has been changed",
    heading: 'Your email address has been changed',
    paragraphs: [
      `Your account now uses ${newEmail}. We no longer send emails about it to this address.`,
      url
        ? "If this wasn't you, undo the change. Your account gets its old address back, all devices are signed out, and you set a new password."
        : "An administrator made this change. If you don't agree with it, please contact us.",
    ],
    ...(url && { button: { label: 'Undo the Change', url } }),
    ...(url && { note: 'The link is valid for 7 days.' }),
  }),
  tr: ({ newEmail, url }) => ({
    subject: 'Hesabınızın e-posta adresi değiştirildi',
    heading: 'E-posta adresiniz değiştirildi',
    paragraphs: [
      `Hesabınız artık ${newEmail} adresini kullanıyor. Hesapla ilgili e-postaları bundan sonra bu adrese göndermeyeceğiz.`,
      url
        ? 'Bunu siz yapmadıysanız değişikliği geri alın. Hesabınız eski adresine döner, tüm cihazlarda oturum kapatılır ve yeni bir parola belirlersiniz.'
        : 'Bu değişikliği bir yönetici yaptı. Değişikliği istemiyorsanız lütfen bizimle iletişime geçin.',
    ],
    ...(url && { button: { label: 'Değişikliği Geri Al', url } }),
    ...(url && { note: 'Bağlantı 7 gün geçerlidir.' }),
  }),
});

/** Sent to the new address. */
export const emailChangedNewAddressEmail = defineEmail<{ oldEmail: string; byAdmin: boolean }>('auth.email-changed', {
  en: ({ oldEmail, byAdmin }) => ({
    subject: 'Your account now uses this email address',
    heading: 'Your account now uses this email address',
    paragraphs: [
      byAdmin
        ? `An administrator changed your account's email address from ${oldEmail} to this one.`
        : `Your account's email address used to be ${oldEmail}. From now on, sign in with this one. We'll send emails here.`,
    ],
  }),
  tr: ({ oldEmail, byAdmin }) => ({
    subject: 'Hesabınız artık bu e-posta adresini kullanıyor',
    heading: 'Hesabınız artık bu e-posta adresini kullanıyor',
    paragraphs: [
      byAdmin
        ? `Bir yönetici, hesabınızın ${oldEmail} olan e-posta adresini bu adresle değiştirdi.`
        : `Hesabınızın e-posta adresi ${oldEmail} idi. Bundan sonra bu adresle giriş yapın. E-postaları buraya göndereceğiz.`,
    ],
  }),
});
