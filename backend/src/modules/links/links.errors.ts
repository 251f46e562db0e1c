import { defineErrors } from '../../platform/errors/app-error.js';
import { zoneErrors } from '../zones/zones.errors.js';

const ownLinkErrors = defineErrors({
  LINK_NOT_FOUND: {
    status: 404,
    en: 'Zone Not Found. This link no longer leads to a zone.',
    tr: 'Bölge bulunamadı. Bu bağlantı artık bir bölgeye ulaşmıyor.',
  },
  TEMPORARY_LINK_NOT_FOUND: {
    status: 404,
    en: 'This temporary link no longer exists.',
    tr: 'Bu geçici bağlantı artık yok.',
  },
  LINK_EXPIRED: {
    status: 410,
    en: 'This link has expired. Please request a new invitation.',
    tr: 'Bu bağlantının süresi doldu. Lütfen yeni bir davet isteyin.',
  },
  LINK_MAX_USES: {
    status: 410,
    en: 'This link has reached its maximum usage. Please request a new invitation.',
    tr: 'Bu bağlantı kullanım sınırına ulaştı. Lütfen yeni bir davet isteyin.',
  },
  LINK_ALREADY_USED: {
    status: 409,
    en: "You've already joined with this link once. Please ask the zone's owner to extend your membership.",
    tr: 'Bu bağlantıyla daha önce üye oldunuz. Üyeliğinizi uzatması için lütfen bölgenin sahibine başvurun.',
  },
  LINK_PASSWORD_WRONG: {
    status: 403,
    en: 'The password for this link is incorrect.',
    tr: 'Bu bağlantının parolası hatalı.',
  },
  ITEM_LINK_NOT_FOUND: {
    status: 404,
    en: 'This link no longer exists.',
    tr: 'Bu bağlantı artık yok.',
  },
  SHARED_NOT_FOUND: {
    status: 404,
    en: "This link doesn't lead anywhere. It may have expired, or what it shared is no longer there.",
    tr: 'Bu bağlantı bir yere ulaşmıyor. Süresi dolmuş veya paylaşılan içerik kaldırılmış olabilir.',
  },
  SHARED_USED_UP: {
    status: 410,
    en: 'This link has been used by as many people as it allows. Please ask the person who sent it for a new one.',
    tr: 'Bu bağlantı izin verilen sayıda kişi tarafından kullanıldı. Lütfen gönderen kişiden yeni bir bağlantı isteyin.',
  },
  SHARED_NOT_ENTERED: {
    status: 403,
    en: 'Please open the link first.',
    tr: 'Lütfen önce bağlantıyı açın.',
  },
  SHARED_NO_UPLOADS: {
    status: 403,
    en: "This link doesn't accept files.",
    tr: 'Bu bağlantı dosya kabul etmiyor.',
  },
  SHARED_CHANGED: {
    status: 409,
    en: 'The folder was moved or deleted while you were sending. Nothing was stored. Please reload the page.',
    tr: 'Gönderim sırasında klasör taşındı veya silindi. Hiçbir dosya kaydedilmedi. Lütfen sayfayı yenileyin.',
  },
  SHARED_NOT_REMOVABLE: {
    status: 403,
    en: 'You can only remove files that you sent, and only while files are accepted.',
    tr: 'Yalnızca kendi gönderdiğiniz dosyaları, dosya kabul edildiği sürece kaldırabilirsiniz.',
  },
  ZONE_IS_PUBLIC: {
    status: 409,
    en: 'Temporary links are for private zones. This zone is public, so share its public link instead.',
    tr: 'Geçici bağlantılar özel bölgeler içindir. Bu bölge herkese açık; bunun yerine herkese açık bağlantısını paylaşın.',
  },
  ZONE_IS_PRIVATE: {
    status: 409,
    en: 'This zone is private and has no public link.',
    tr: 'Bu bölge özel olduğu için herkese açık bağlantısı yok.',
  },
});

/** Errors of links, including those shared by all ways of joining a zone. */
export const linkErrors = {
  ...ownLinkErrors,
  CONSENT_REQUIRED: zoneErrors.CONSENT_REQUIRED,
  ALREADY_MEMBER: zoneErrors.ALREADY_MEMBER,
};
