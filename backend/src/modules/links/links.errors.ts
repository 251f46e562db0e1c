import { defineErrors } from '../../platform/errors/app-error.js';
import { zoneErrors } from '../zones/zones.errors.js';

const ofLinks = defineErrors({
  LINK_NOT_FOUND: {
    status: 404,
    en: 'Zone Not Found. This link does not lead to a zone any more.',
    tr: 'Bölge bulunamadı. Bu bağlantı artık bir bölgeye gitmiyor.',
  },
  TEMPORARY_LINK_NOT_FOUND: {
    status: 404,
    en: 'This temporary link is not there any more.',
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
    tr: 'Bu bağlantı en yüksek kullanım sayısına ulaştı. Lütfen yeni bir davet isteyin.',
  },
  LINK_ALREADY_USED: {
    status: 409,
    en: 'You have been a member by this link already, and it gives its days once. Its owner can extend your membership.',
    tr: 'Bu bağlantıyla daha önce üye oldunuz; bağlantı günlerini bir kez verir. Sahibi üyeliğinizi uzatabilir.',
  },
  LINK_PASSWORD_WRONG: {
    status: 403,
    en: 'The password of this link is not right.',
    tr: 'Bu bağlantının parolası doğru değil.',
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

/** Those of links, and those of every way into a zone. */
export const linkErrors = {
  ...ofLinks,
  CONSENT_REQUIRED: zoneErrors.CONSENT_REQUIRED,
  ALREADY_MEMBER: zoneErrors.ALREADY_MEMBER,
};
