import { defineErrors } from '../../platform/errors/app-error.js';

export const mirrorErrors = defineErrors({
  MIRROR_SAME_ZONE: {
    status: 400,
    en: "A folder can't be mirrored in its own zone. Please select another target zone.",
    tr: 'Bir klasör kendi bölgesine aynalanamaz. Lütfen başka bir hedef bölge seçin.',
  },
  MIRROR_NOT_FOUND: { status: 404, en: 'Mirror not found', tr: 'Ayna bulunamadı' },
  DUPLICATE_MIRROR: {
    status: 409,
    en: 'This folder is already mirrored in that zone.',
    tr: 'Bu klasör o bölgeye zaten aynalanmış.',
  },
  MIRROR_OF_MIRROR: {
    status: 409,
    en: "A mirror folder can't be mirrored. Please mirror the folder in the source zone instead.",
    tr: 'Ayna klasörü yeniden aynalanamaz. Lütfen kaynak bölgedeki klasörü aynalayın.',
  },
});
