import { defineErrors } from '../../platform/errors/app-error.js';

export const linkErrors = defineErrors({
  LINK_NOT_FOUND: {
    status: 404,
    en: 'Zone Not Found. This link does not lead to a zone any more.',
    tr: 'Bölge bulunamadı. Bu bağlantı artık bir bölgeye gitmiyor.',
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
});
