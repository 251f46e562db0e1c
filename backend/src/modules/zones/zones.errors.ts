import { defineErrors } from '../../platform/errors/app-error.js';

export const zoneErrors = defineErrors({
  ZONE_NOT_FOUND: { status: 404, en: 'Zone not found', tr: 'Bölge bulunamadı' },
  ZONE_FORBIDDEN: {
    status: 403,
    en: 'You are not allowed to do this in this zone.',
    tr: 'Bu bölgede bunu yapma yetkiniz yok.',
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
