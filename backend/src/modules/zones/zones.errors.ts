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
  ZONE_FULL: {
    status: 403,
    en: 'This zone is full at the moment. Its owner has been told.',
    tr: 'Bu bölge şu anda dolu. Sahibine haber verildi.',
  },
});
