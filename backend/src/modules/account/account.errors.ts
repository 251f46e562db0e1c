import { defineErrors } from '../../platform/errors/app-error.js';

export const accountErrors = defineErrors({
  PICTURE_TYPE: {
    status: 400,
    en: 'Please choose a picture: PNG, JPEG, GIF, WebP or AVIF.',
    tr: 'Lütfen bir resim seçin: PNG, JPEG, GIF, WebP veya AVIF.',
  },
  PICTURE_UNREADABLE: {
    status: 400,
    en: 'This picture is damaged or has too many pixels. Please choose another one.',
    tr: 'Bu resim bozuk veya çok fazla piksel içeriyor. Lütfen başka bir resim seçin.',
  },
  PICTURE_TOO_LARGE: {
    status: 413,
    en: 'The picture is too large. Please choose one of up to 5 MB.',
    tr: 'Resim çok büyük. Lütfen en fazla 5 MB boyutunda bir resim seçin.',
  },
  PICTURE_NOT_FOUND: {
    status: 404,
    en: 'This picture no longer exists.',
    tr: 'Bu resim artık yok.',
  },
  LAST_SUPER_ADMIN: {
    status: 409,
    en: "You're the last super admin. Make someone else a super admin before you delete your account.",
    tr: 'Son süper yöneticisiniz. Hesabınızı silmeden önce başka birini süper yönetici yapın.',
  },
});
