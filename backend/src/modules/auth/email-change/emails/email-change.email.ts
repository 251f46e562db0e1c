import { defineMail } from '../../../../platform/mail/mail-definition.js';

export const emailChangeMail = defineMail<{ url: string }>('auth.email-change', {
  en: ({ url }) => ({
    subject: 'Confirm your new email address',
    heading: 'Your new address',
    paragraphs: ['Somebody, probably you, wants to use this address for their account. One click makes the change.'],
    button: { label: 'Change My Address', url },
    note: 'The link works once and for 24 hours. If this was not you, you can ignore this mail: nothing happens without the click.',
  }),
  tr: ({ url }) => ({
    subject: 'Yeni e-posta adresinizi onaylayın',
    heading: 'Yeni adresiniz',
    paragraphs: [
      'Biri, büyük olasılıkla siz, hesabı için bu adresi kullanmak istiyor. Değişiklik tek bir tıklamayla yapılır.',
    ],
    button: { label: 'Adresimi Değiştir', url },
    note: 'Bağlantı bir kez ve 24 saat boyunca çalışır. Bunu siz yapmadıysanız bu e-postayı dikkate almayın: tıklamadan hiçbir şey değişmez.',
  }),
});

export const emailTakenMail = defineMail<Record<never, never>>('auth.email-taken', {
  en: () => ({
    subject: 'This address already has an account',
    heading: 'This address already has an account',
    paragraphs: [
      'Somebody, probably you, wanted to use this address for another account. It belongs to one already, so nothing was changed.',
      'To use it there, delete or change the address of this account first.',
    ],
    note: 'If this was not you, you need not do anything.',
  }),
  tr: () => ({
    subject: 'Bu adresin zaten bir hesabı var',
    heading: 'Bu adresin zaten bir hesabı var',
    paragraphs: [
      'Biri, büyük olasılıkla siz, bu adresi başka bir hesap için kullanmak istedi. Adres zaten bir hesaba ait olduğu için hiçbir şey değiştirilmedi.',
      'Adresi orada kullanmak için önce bu hesabı silin veya adresini değiştirin.',
    ],
    note: 'Bunu siz yapmadıysanız bir şey yapmanız gerekmez.',
  }),
});

/** To the old address; `url` undoes the change, where it can be undone. */
export const emailLeftMail = defineMail<{ newEmail: string; url: string | null }>('auth.email-left', {
  en: ({ newEmail, url }) => ({
    subject: 'The address of your account has been changed',
    heading: 'Your address has been changed',
    paragraphs: [
      `Your account now belongs to ${newEmail}. Mails about it no longer come here.`,
      url
        ? 'If this was not you, undo it: the old address comes back, everybody is signed out, and you set a new password.'
        : 'An administrator made this change. If you do not agree, please contact us.',
    ],
    ...(url && { button: { label: 'Undo the Change', url } }),
    ...(url && { note: 'The link works for 7 days.' }),
  }),
  tr: ({ newEmail, url }) => ({
    subject: 'Hesabınızın adresi değiştirildi',
    heading: 'Adresiniz değiştirildi',
    paragraphs: [
      `Hesabınız artık ${newEmail} adresine ait. Hesapla ilgili e-postalar bundan sonra buraya gelmez.`,
      url
        ? 'Bunu siz yapmadıysanız geri alın: eski adres geri gelir, tüm oturumlar kapatılır ve yeni bir parola belirlersiniz.'
        : 'Bu değişikliği bir yönetici yaptı. Kabul etmiyorsanız lütfen bizimle iletişime geçin.',
    ],
    ...(url && { button: { label: 'Değişikliği Geri Al', url } }),
    ...(url && { note: 'Bağlantı 7 gün boyunca çalışır.' }),
  }),
});

/** To the new address. */
export const emailChangedMail = defineMail<{ oldEmail: string; byAdmin: boolean }>('auth.email-changed', {
  en: ({ oldEmail, byAdmin }) => ({
    subject: 'This is the address of your account now',
    heading: 'This is the address of your account now',
    paragraphs: [
      byAdmin
        ? `An administrator changed the address of your account from ${oldEmail} to this one.`
        : `The address of your account was ${oldEmail}. From now on you sign in with this one, and mails come here.`,
    ],
  }),
  tr: ({ oldEmail, byAdmin }) => ({
    subject: 'Hesabınızın adresi artık bu',
    heading: 'Hesabınızın adresi artık bu',
    paragraphs: [
      byAdmin
        ? `Bir yönetici, hesabınızın ${oldEmail} olan adresini bu adresle değiştirdi.`
        : `Hesabınızın adresi ${oldEmail} idi. Artık bu adresle giriş yaparsınız ve e-postalar buraya gelir.`,
    ],
  }),
});
