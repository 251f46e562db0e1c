import { defineMail } from '../../../platform/mail/mail-definition.js';

/** `allowed` is a size in words, such as "1 GB". */
export const storageFullMail = defineMail<{ url: string; allowed: string }>('zones.storage-full', {
  en: ({ url, allowed }) => ({
    subject: 'Your storage is full',
    heading: 'Your storage is full',
    paragraphs: [
      `Your plan holds ${allowed}, and an administrator of one of your zones could not upload a file.`,
      'Nothing that is stored is lost. To store more, empty the trash, remove files or move to a larger plan.',
    ],
    button: { label: 'Open my zones', url },
    note: 'We write about this at most once a day.',
  }),
  tr: ({ url, allowed }) => ({
    subject: 'Depolama alanınız doldu',
    heading: 'Depolama alanınız doldu',
    paragraphs: [
      `Planınız ${allowed} yer veriyor ve bölgelerinizden birinin yöneticisi bir dosyayı yükleyemedi.`,
      'Saklanan hiçbir şey kaybolmaz. Daha fazlası için çöp kutusunu boşaltın, dosya silin veya daha büyük bir plana geçin.',
    ],
    button: { label: 'Bölgelerimi aç', url },
    note: 'Bunun için günde en fazla bir kez yazarız.',
  }),
});

export const zoneFullMail = defineMail<{ url: string; allowed: number }>('zones.zone-full', {
  en: ({ url, allowed }) => ({
    subject: 'Somebody could not join your zone',
    heading: 'Your audience is full',
    paragraphs: [
      `Your plan allows ${allowed} members and invitations, and somebody who wanted to come into one of your zones found no place. Who has paid for it waits, and comes in as soon as there is one.`,
      'Nobody who is in loses anything. To let more people in, remove members or move to a larger plan.',
    ],
    button: { label: 'Open my zones', url },
    note: 'We write about this at most once a day.',
  }),
  tr: ({ url, allowed }) => ({
    subject: 'Biri bölgenize katılamadı',
    heading: 'Kitleniz doldu',
    paragraphs: [
      `Planınız ${allowed} üye ve davete izin veriyor ve bölgelerinizden birine girmek isteyen biri yer bulamadı. Bunun için ödeme yapanlar bekler, yer açılınca içeri alınır.`,
      'İçeride olan kimse bir şey kaybetmez. Daha fazla kişi almak için üye çıkarın veya daha büyük bir plana geçin.',
    ],
    button: { label: 'Bölgelerimi aç', url },
    note: 'Bunun için günde en fazla bir kez yazarız.',
  }),
});

/** `allowed`: of a day, for people. */
export const joinsWaitMail = defineMail<{ url: string; allowed: string }>('zones.joins-wait', {
  en: ({ url, allowed }) => ({
    subject: 'Some people who want to join get their email later',
    heading: 'More people want to join than can be written to today',
    paragraphs: [
      `Your plan sends up to ${allowed} emails a day to people who are not yet in your zones, and visitors of one zone’s links may use half of them. Today more people asked to join.`,
      'They are not lost: their emails go out as soon as there is room, from midnight (UTC) on. You need to do nothing.',
    ],
    button: { label: 'Open My Zones', url },
    note: 'We write about this at most once a day. If you do not know why so many people ask to join, replace the link of your zone.',
  }),
  tr: ({ url, allowed }) => ({
    subject: 'Katılmak isteyen bazı kişilere e-posta daha sonra gidecek',
    heading: 'Bugün yazılabilecek olandan daha çok kişi katılmak istiyor',
    paragraphs: [
      `Planınız, henüz bölgelerinizde olmayan kişilere günde en fazla ${allowed} e-posta gönderir; bunun yarısını bir bölgenin bağlantılarını ziyaret edenler kullanabilir. Bugün daha fazla kişi katılmak istedi.`,
      'İstekleri kaybolmadı: e-postaları, yer açılır açılmaz, gece yarısından (UTC) itibaren gönderilecek. Bir şey yapmanız gerekmez.',
    ],
    button: { label: 'Bölgelerimi Aç', url },
    note: 'Bunun için günde en fazla bir kez yazarız. Neden bu kadar çok kişinin katılmak istediğini bilmiyorsanız bölgenizin bağlantısını yenileyin.',
  }),
});
