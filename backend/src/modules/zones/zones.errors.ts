import { defineErrors } from '../../platform/errors/app-error.js';

export const zoneErrors = defineErrors({
  ZONE_NOT_FOUND: { status: 404, en: 'Zone not found', tr: 'Bölge bulunamadı' },
  ZONE_FORBIDDEN: {
    status: 403,
    en: "You don't have permission to do this in this zone.",
    tr: 'Bu bölgede bunu yapma yetkiniz yok.',
  },
  ZONE_IN_USE: {
    status: 409,
    en: 'This zone is sold: {uses}. If you delete it, paying customers lose access and new buyers get none. Confirm to delete it anyway.',
    tr: 'Bu bölge satılıyor: {uses}. Silerseniz ödeme yapmış müşteriler erişimini kaybeder, yeni alıcılar da erişemez. Yine de silmek için onaylayın.',
  },
  ZONE_CHANGED: {
    status: 409,
    en: "This zone has been changed elsewhere in the meantime. Your changes weren't saved.",
    tr: 'Bu bölge bu arada başka bir yerde değiştirildi. Değişiklikleriniz kaydedilmedi.',
  },
  JOIN_REQUEST_NOT_FOUND: {
    status: 404,
    en: 'This request no longer exists.',
    tr: 'Bu istek artık yok.',
  },
  MEMBER_NOT_FOUND: {
    status: 404,
    en: "This person isn't a member of this zone.",
    tr: 'Bu kişi bu bölgenin üyesi değil.',
  },
  OWNER_STAYS: {
    status: 409,
    en: "You own this zone, so you can't leave it or change your role. You can only delete it.",
    tr: 'Bu bölgenin sahibi olduğunuz için ondan ayrılamaz veya rolünüzü değiştiremezsiniz. Yalnızca bölgeyi silebilirsiniz.',
  },
  LEAVE_LIMIT: {
    status: 409,
    en: 'You have already left this zone twice within a year. You can still leave it with the unsubscribe link in its emails: {url}',
    tr: 'Bu bölgeden bir yıl içinde iki kez ayrıldınız. Bölgenin e-postalarındaki abonelikten çıkma bağlantısıyla yine de ayrılabilirsiniz: {url}',
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
    en: 'Members of this zone receive all its emails. To stop receiving them, leave the zone.',
    tr: 'Bu bölgenin üyeleri tüm e-postalarını alır. E-posta almak istemiyorsanız bölgeden ayrılın.',
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
    en: "This zone is full at the moment. We've notified its owner.",
    tr: 'Bu bölge şu anda dolu. Sahibini bilgilendirdik.',
  },
});

export const importErrors = defineErrors({
  IMPORT_TOO_LARGE: {
    status: 413,
    en: 'This file is too large. A file can have up to 8 MB and 50,000 rows. Please split it.',
    tr: 'Bu dosya çok büyük. Bir dosya en fazla 8 MB ve 50.000 satır olabilir. Lütfen dosyayı bölün.',
  },
  IMPORT_UNREADABLE: {
    status: 400,
    en: "Couldn't read this CSV file: {reason}. Please check record {record} on line {line}.",
    tr: 'Bu CSV dosyası okunamadı: {reason}. Lütfen {line}. satırdaki {record}. kaydı kontrol edin.',
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
    en: 'This invitation was sent to another email address. Please sign in with that address, or sign out and open the invitation again.',
    tr: 'Bu davet başka bir e-posta adresine gönderildi. Lütfen o adresle giriş yapın veya çıkış yapıp daveti yeniden açın.',
  },
  ADDRESS_MAIL_LIMIT: {
    status: 429,
    en: 'This person has already received three emails today. You can send another one tomorrow.',
    tr: 'Bu kişiye bugün zaten üç e-posta gönderildi. Yarın yeniden gönderebilirsiniz.',
  },
  DAILY_MAIL_LIMIT: {
    status: 429,
    en: "You can't invite more people today. You've reached your plan's daily limit of emails to people who aren't members yet. You can send more after midnight (UTC).",
    tr: 'Bugün daha fazla kişi davet edemezsiniz. Planınızın henüz üye olmayan kişilere günlük e-posta sınırına ulaştınız. Gece yarısından (UTC) sonra yeniden gönderebilirsiniz.',
  },
  INVITATION_NOT_FOUND: {
    status: 404,
    en: 'This invitation no longer exists.',
    tr: 'Bu davet artık yok.',
  },
});
