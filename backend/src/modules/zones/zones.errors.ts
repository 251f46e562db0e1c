import { defineErrors } from '../../platform/errors/app-error.js';

export const zoneErrors = defineErrors({
  ZONE_NOT_FOUND: { status: 404, en: 'Zone not found', tr: 'Bölge bulunamadı' },
  ZONE_FORBIDDEN: {
    status: 403,
    en: 'You are not allowed to do this in this zone.',
    tr: 'Bu bölgede bunu yapma yetkiniz yok.',
  },
  ZONE_IN_USE: {
    status: 409,
    en: 'Purchases open this zone: {uses}. If you delete it, people who have paid lose access and new buyers get none. Confirm to delete it anyway.',
    tr: 'Bu bölgeyi satın almalar açıyor: {uses}. Silerseniz ödeme yapmış kişiler erişimini kaybeder, yeni alıcılar da erişemez. Yine de silmek için onaylayın.',
  },
  ZONE_CHANGED: {
    status: 409,
    en: 'This zone was changed elsewhere meanwhile, so nothing was saved.',
    tr: 'Bu bölge bu sırada başka bir yerde değiştirildi, bu yüzden hiçbir şey kaydedilmedi.',
  },
  JOIN_REQUEST_NOT_FOUND: {
    status: 404,
    en: 'This request is not there any more.',
    tr: 'Bu istek artık yok.',
  },
  MEMBER_NOT_FOUND: {
    status: 404,
    en: 'This person is not a member of this zone.',
    tr: 'Bu kişi bu bölgenin üyesi değil.',
  },
  OWNER_STAYS: {
    status: 409,
    en: 'You own this zone: you stay in it, with every right, until you delete it.',
    tr: 'Bu bölgenin sahibisiniz: onu silene kadar bütün yetkilerle içinde kalırsınız.',
  },
  LEAVE_LIMIT: {
    status: 409,
    en: 'You have left this zone twice within a year. You can still leave it by the unsubscribe link of its emails: {url}',
    tr: 'Bu bölgeden bir yıl içinde iki kez ayrıldınız. E-postalarındaki abonelikten çıkma bağlantısıyla yine de ayrılabilirsiniz: {url}',
  },
  UNSUBSCRIBE_LINK_INVALID: {
    status: 404,
    en: 'Invalid or expired unsubscribe link',
    tr: 'Abonelikten çıkma bağlantısı geçersiz veya süresi dolmuş',
  },
  UNDO_TOO_LATE: {
    status: 409,
    en: 'This can no longer be undone.',
    tr: 'Bu artık geri alınamaz.',
  },
  MAILS_BELONG_TO_ZONE: {
    status: 409,
    en: 'Members of this zone receive all of its emails. To stop them, leave the zone.',
    tr: 'Bu bölgenin üyeleri tüm e-postalarını alır. Durdurmak için bölgeden ayrılın.',
  },
  CONSENT_REQUIRED: {
    status: 400,
    en: 'You must agree to receive all zone emails to join. Zone owners cannot send partial emails.',
    tr: 'Katılmak için bölgenin tüm e-postalarını almayı kabul etmelisiniz. Bölge sahipleri kısmi e-posta gönderemez.',
  },
  ALREADY_MEMBER: {
    status: 409,
    en: 'You are already a member of this zone.',
    tr: 'Zaten bu bölgenin üyesisiniz.',
  },
  ZONE_FULL: {
    status: 403,
    en: 'This zone is full at the moment. Its owner has been told.',
    tr: 'Bu bölge şu anda dolu. Sahibine haber verildi.',
  },
});

export const importErrors = defineErrors({
  IMPORT_TOO_LARGE: {
    status: 413,
    en: 'This file is too large. A file may have 8 MB and 50,000 rows; please split it.',
    tr: 'Bu dosya çok büyük. Bir dosya en çok 8 MB ve 50.000 satır olabilir; lütfen bölün.',
  },
  IMPORT_UNREADABLE: {
    status: 400,
    en: 'This file cannot be read as CSV: {reason}. Please check record {record}, line {line} of the file.',
    tr: 'Bu dosya CSV olarak okunamıyor: {reason}. Lütfen dosyanın {line}. satırındaki {record}. kaydı kontrol edin.',
  },
  IMPORT_NO_EMAIL_COLUMN: {
    status: 400,
    en: 'This file has no column named “email”.',
    tr: 'Bu dosyada “email” adlı bir sütun yok.',
  },
});

export const invitationErrors = defineErrors({
  INVITATION_INVALID: {
    status: 404,
    en: 'This invitation link is invalid or expired',
    tr: 'Bu davet bağlantısı geçersiz veya süresi dolmuş',
  },
  INVITATION_OTHER_ADDRESS: {
    status: 403,
    en: 'This invitation was sent to another address. Please sign out and open it again, or sign in with that address.',
    tr: 'Bu davet başka bir adrese gönderildi. Lütfen çıkış yapıp daveti yeniden açın veya o adresle giriş yapın.',
  },
  ADDRESS_MAIL_LIMIT: {
    status: 429,
    en: 'This person has been written to three times today. You can write again tomorrow.',
    tr: 'Bu kişiye bugün üç kez yazıldı. Yarın yeniden yazabilirsiniz.',
  },
  DAILY_MAIL_LIMIT: {
    status: 429,
    en: 'You can invite no more people today: the emails that your plan sends a day to people who are not members yet are used up. More can be sent from midnight (UTC) on.',
    tr: 'Bugün daha fazla kişi davet edemezsiniz: planınızın henüz üye olmayan kişilere günde gönderdiği e-postalar kullanıldı. Gece yarısından (UTC) itibaren yeniden gönderebilirsiniz.',
  },
  INVITATION_NOT_FOUND: {
    status: 404,
    en: 'This invitation is not there any more.',
    tr: 'Bu davet artık yok.',
  },
});
