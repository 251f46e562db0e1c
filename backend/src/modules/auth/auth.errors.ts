import { defineErrors } from '../../platform/errors/app-error.js';

export const authErrors = defineErrors({
  INVALID_CREDENTIALS: {
    status: 401,
    en: 'Invalid email or password',
    tr: 'E-posta adresi veya parola hatalı',
  },
  ACCOUNT_DEACTIVATED: {
    status: 403,
    en: 'This account has been deactivated. Please contact us.',
    tr: 'Bu hesap devre dışı bırakıldı. Lütfen bizimle iletişime geçin.',
  },
  PROFILE_INCOMPLETE: {
    status: 403,
    en: 'Please complete your profile to get started.',
    tr: 'Başlamak için lütfen profilinizi tamamlayın.',
  },
  PROFILE_COMPLETE: {
    status: 409,
    en: 'Your profile is already complete.',
    tr: 'Profiliniz zaten tamamlanmış.',
  },
  EMAIL_MISMATCH: {
    status: 403,
    en: 'This is not the address you are signed in with.',
    tr: 'Bu, giriş yaptığınız adres değil.',
  },
  SESSION_REQUIRED: {
    status: 403,
    en: 'This can only be done in the web page, not with an API token.',
    tr: 'Bu işlem API anahtarıyla değil, yalnızca web sayfasında yapılabilir.',
  },
  CODE_INVALID: {
    status: 400,
    en: 'This code is wrong or has expired. Please check it or ask for a new one.',
    tr: 'Bu kod yanlış veya süresi dolmuş. Lütfen kontrol edin veya yeni bir kod isteyin.',
  },
  TOKEN_INVALID: {
    status: 400,
    en: 'This link is invalid, has been used already or has expired.',
    tr: 'Bu bağlantı geçersiz, daha önce kullanılmış veya süresi dolmuş.',
  },
  USERNAME_TAKEN: {
    status: 409,
    en: 'This username is already taken',
    tr: 'Bu kullanıcı adı alınmış',
  },
});
