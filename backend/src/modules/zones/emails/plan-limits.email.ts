import { defineEmail } from '../../../platform/email/email-definition.js';

/** `allowed`: formatted size, such as "1 GB". */
export const storageFullEmail = defineEmail<{ url: string; allowed: string }>('zones.storage-full', {
  en: ({ url, allowed }) => ({
    subject: 'Your storage is full',
    heading: 'Your storage is full',
    paragraphs: [
      `Your plan includes ${allowed} of storage. An admin of one of your zones couldn't upload a file.`,
      'Your stored files are safe. To free up storage, empty the trash, delete files or upgrade your plan.',
    ],
    button: { label: 'Open My Zones', url },
    note: 'We send this email at most once a day.',
  }),
  tr: ({ url, allowed }) => ({
    subject: 'Depolama alanınız doldu',
    heading: 'Depolama alanınız doldu',
    paragraphs: [
      `Planınızda ${allowed} depolama alanı var. Bölgelerinizden birinin yöneticisi bir dosyayı yükleyemedi.`,
      'Saklanan dosyalarınız güvende. Yer açmak için çöp kutusunu boşaltın, dosya silin veya planınızı yükseltin.',
    ],
    button: { label: 'Bölgelerimi Aç', url },
    note: 'Bu e-postayı günde en fazla bir kez göndeririz.',
  }),
});

export const zoneFullEmail = defineEmail<{ url: string; allowed: number }>('zones.zone-full', {
  en: ({ url, allowed }) => ({
    subject: "Someone couldn't join your zone",
    heading: "You've reached your member limit",
    paragraphs: [
      `Your plan allows ${allowed} members and invitations, so someone couldn't join one of your zones. Paying customers wait and get access as soon as there's room.`,
      "Current members aren't affected. To let more people in, remove members or upgrade your plan.",
    ],
    button: { label: 'Open My Zones', url },
    note: 'We send this email at most once a day.',
  }),
  tr: ({ url, allowed }) => ({
    subject: 'Birisi bölgenize katılamadı',
    heading: 'Üye sınırınıza ulaştınız',
    paragraphs: [
      `Planınız ${allowed} üye ve davete izin verdiği için birisi bölgelerinizden birine katılamadı. Ödeme yapmış müşteriler bekler ve yer açılır açılmaz erişim alır.`,
      'Mevcut üyeleriniz etkilenmez. Daha fazla kişi almak için üye çıkarın veya planınızı yükseltin.',
    ],
    button: { label: 'Bölgelerimi Aç', url },
    note: 'Bu e-postayı günde en fazla bir kez göndeririz.',
  }),
});

/** `allowed`: formatted daily number of emails. */
export const joinEmailsDelayedEmail = defineEmail<{ url: string; allowed: string }>('zones.joins-wait', {
  en: ({ url, allowed }) => ({
    subject: 'Some people will get their join email later',
    heading: 'More people want to join than we can email today',
    paragraphs: [
      `Your plan allows ${allowed} emails a day to people who aren't members yet. The links of one zone can use up to half of them. Today, more people asked to join.`,
      "Their requests aren't lost. We'll send their emails as soon as the limit allows, from midnight (UTC). You don't need to do anything.",
    ],
    button: { label: 'Open My Zones', url },
    note: "We send this email at most once a day. If you don't know why so many people want to join, replace your zone's link.",
  }),
  tr: ({ url, allowed }) => ({
    subject: 'Katılmak isteyen bazı kişilere e-posta daha sonra gidecek',
    heading: 'Katılmak isteyenlerin sayısı bugünkü e-posta sınırını aştı',
    paragraphs: [
      `Planınız, henüz üye olmayan kişilere günde en fazla ${allowed} e-posta gönderilmesine izin verir. Bir bölgenin bağlantıları bunun en fazla yarısını kullanabilir. Bugün daha fazla kişi katılmak istedi.`,
      'İstekleri kaybolmadı. E-postalarını, sınır izin verir vermez, gece yarısından (UTC) itibaren göndereceğiz. Bir şey yapmanız gerekmez.',
    ],
    button: { label: 'Bölgelerimi Aç', url },
    note: 'Bu e-postayı günde en fazla bir kez göndeririz. Neden bu kadar çok kişinin katılmak istediğini bilmiyorsanız bölgenizin bağlantısını yenileyin.',
  }),
});
