import { defineErrors } from '../../../platform/errors/app-error.js';

export const importErrors = defineErrors({
  IMPORT_TOO_LARGE: {
    status: 413,
    en: 'This file is too large. A file may have 8 MB and 50,000 rows; please split it.',
    tr: 'Bu dosya çok büyük. Bir dosya en çok 8 MB ve 50.000 satır olabilir; lütfen bölün.',
  },
  IMPORT_UNREADABLE: {
    status: 400,
    en: 'This file cannot be read as CSV. Please check line {line}.',
    tr: 'Bu dosya CSV olarak okunamıyor. Lütfen {line}. satırı kontrol edin.',
  },
  IMPORT_NO_EMAIL_COLUMN: {
    status: 400,
    en: 'This file has no column named “email”.',
    tr: 'Bu dosyada “email” adlı bir sütun yok.',
  },
});
