import { defineErrors } from '../../platform/errors/app-error.js';

export const linkErrors = defineErrors({
  LINK_NOT_FOUND: {
    status: 404,
    en: 'Zone Not Found. This link does not lead to a zone any more.',
    tr: 'Bölge bulunamadı. Bu bağlantı artık bir bölgeye gitmiyor.',
  },
  LINK_EXPIRED: {
    status: 410,
    en: 'This link has expired. Please request a new invitation.',
    tr: 'Bu bağlantının süresi doldu. Lütfen yeni bir davet isteyin.',
  },
  LINK_MAX_USES: {
    status: 410,
    en: 'This link has reached its maximum usage. Please request a new invitation.',
    tr: 'Bu bağlantı en yüksek kullanım sayısına ulaştı. Lütfen yeni bir davet isteyin.',
  },
  LINK_PASSWORD_WRONG: {
    status: 403,
    en: 'The password of this link is not right.',
    tr: 'Bu bağlantının parolası doğru değil.',
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
  ZONE_IS_PUBLIC: {
    status: 409,
    en: 'Temporary links are for private zones. This zone is public: share its public link.',
    tr: 'Geçici bağlantılar özel bölgeler içindir. Bu bölge herkese açık: genel bağlantısını paylaşın.',
  },
  ZONE_IS_PRIVATE: {
    status: 409,
    en: 'This zone is private and has no public link.',
    tr: 'Bu bölge özeldir ve genel bağlantısı yoktur.',
  },
});
