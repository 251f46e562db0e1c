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
  WRONG_PASSWORD: {
    status: 400,
    en: 'The current password is not right.',
    tr: 'Mevcut parola doğru değil.',
  },
  PASSWORD_UNCHANGED: {
    status: 400,
    en: 'This is the password you already have. Please choose a new one.',
    tr: 'Bu zaten mevcut parolanız. Lütfen yeni bir parola seçin.',
  },
  ADMIN_SCOPE: {
    status: 403,
    en: 'Only admins can make a token with the scope “admin”.',
    tr: '“admin” kapsamlı bir anahtarı yalnızca yöneticiler oluşturabilir.',
  },
  SESSION_NOT_FOUND: {
    status: 404,
    en: 'This session has ended already.',
    tr: 'Bu oturum zaten kapanmış.',
  },
  API_TOKEN_NOT_FOUND: {
    status: 404,
    en: 'This API token is not there any more.',
    tr: 'Bu API anahtarı artık yok.',
  },
  USERNAME_CHANGE_LIMIT: {
    status: 409,
    en: 'You can change your username 2 times in 10 days. The next change is possible on {date}.',
    tr: 'Kullanıcı adınızı 10 günde 2 kez değiştirebilirsiniz. Bir sonraki değişiklik {date} tarihinde mümkün.',
  },
  USERNAME_TAKEN: {
    status: 409,
    en: 'This username is already taken',
    tr: 'Bu kullanıcı adı alınmış',
  },
});
