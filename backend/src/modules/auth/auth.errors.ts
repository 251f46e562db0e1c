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
  FACTOR_NEEDED: {
    status: 403,
    en: 'Administrators need a second factor here. Please set one up in your settings.',
    tr: 'Burada yöneticilerin ikinci bir doğrulama yöntemi olmalıdır. Lütfen ayarlarınızdan kurun.',
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
  ACCOUNT_CHANGED: {
    status: 409,
    en: 'This browser is signed in to another account now, so nothing was done. Please reload the page.',
    tr: 'Bu tarayıcıda artık başka bir hesapla oturum açık, bu yüzden hiçbir şey yapılmadı. Lütfen sayfayı yenileyin.',
  },
  SESSION_REQUIRED: {
    status: 403,
    en: 'This can only be done in the web page, not with an API token.',
    tr: 'Bu işlem API anahtarıyla değil, yalnızca web sayfasında yapılabilir.',
  },
  TOKEN_READ_ONLY: {
    status: 403,
    en: 'This token is read-only.',
    tr: 'Bu anahtar yalnızca okuyabilir.',
  },
  CODE_INVALID: {
    status: 400,
    en: 'This code is wrong or no longer valid. Please check it, or use a new one.',
    tr: 'Bu kod yanlış veya artık geçerli değil. Lütfen kontrol edin veya yeni bir kod kullanın.',
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
  CONFIRMATION_BY_OTHER_MEANS: {
    status: 409,
    en: 'You can confirm that it is you without a mailed code.',
    tr: 'Siz olduğunuzu e-posta koduna gerek kalmadan doğrulayabilirsiniz.',
  },
  FACTOR_ENROLLED: {
    status: 409,
    en: 'You have an authenticator app already. Remove it first to set up another one.',
    tr: 'Zaten bir kimlik doğrulama uygulamanız var. Başka birini kurmak için önce onu kaldırın.',
  },
  FACTOR_MISSING: {
    status: 404,
    en: 'There is no second factor to this account.',
    tr: 'Bu hesabın ikinci bir doğrulama yöntemi yok.',
  },
  SIGN_IN_OVER: {
    status: 401,
    en: 'This sign-in is over. Please enter your password again.',
    tr: 'Bu girişin süresi doldu. Lütfen parolanızı yeniden girin.',
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

export const emailChangeErrors = defineErrors({
  EMAIL_UNCHANGED: {
    status: 400,
    en: 'This is the address of the account already.',
    tr: 'Bu zaten hesabın adresi.',
  },
  EMAIL_TAKEN: {
    status: 409,
    en: 'This address belongs to another account.',
    tr: 'Bu adres başka bir hesaba ait.',
  },
});

export const passkeyErrors = defineErrors({
  PASSKEY_INVALID: {
    status: 400,
    en: 'This passkey could not be confirmed. Please try again.',
    tr: 'Bu geçiş anahtarı doğrulanamadı. Lütfen yeniden deneyin.',
  },
  PASSKEY_LIMIT: {
    status: 409,
    en: 'You have ten passkeys already. Remove one to add another.',
    tr: 'Zaten on geçiş anahtarınız var. Yenisini eklemek için önce birini kaldırın.',
  },
  PASSKEY_NOT_FOUND: {
    status: 404,
    en: 'This passkey is not there any more.',
    tr: 'Bu geçiş anahtarı artık yok.',
  },
});

export const singleSignOnErrors = defineErrors({
  SSO_OFF: {
    status: 404,
    en: 'Single sign-on is not set up here.',
    tr: 'Burada çoklu oturum açma kurulu değil.',
  },
  SSO_UNAVAILABLE: {
    status: 503,
    en: 'The sign-in service cannot be reached at the moment. Please try again shortly or sign in another way.',
    tr: 'Giriş hizmetine şu anda ulaşılamıyor. Lütfen birazdan yeniden deneyin veya başka bir yolla giriş yapın.',
  },
  SSO_EXPIRED: {
    status: 400,
    en: 'This sign-in took too long, was used already, or was begun in another browser. Please start again.',
    tr: 'Bu giriş çok uzun sürdü, zaten kullanıldı veya başka bir tarayıcıda başlatıldı. Lütfen yeniden başlayın.',
  },
  SSO_REFUSED: {
    status: 400,
    en: 'The sign-in service did not confirm who you are. Please start again.',
    tr: 'Giriş hizmeti kim olduğunuzu doğrulamadı. Lütfen yeniden başlayın.',
  },
  SSO_EMAIL_UNVERIFIED: {
    status: 403,
    en: 'The sign-in service has not verified your email address, so you cannot sign in with it here.',
    tr: 'Giriş hizmeti e-posta adresinizi doğrulamadığı için burada onunla giriş yapamazsınız.',
  },
  SSO_LINK_EXPIRED: {
    status: 400,
    en: 'This took too long, or there were too many wrong tries. Please start again.',
    tr: 'Bu işlem çok uzun sürdü veya çok fazla yanlış deneme yapıldı. Lütfen yeniden başlayın.',
  },
  SSO_LINKED_ELSEWHERE: {
    status: 409,
    en: 'This identity is connected to another account already.',
    tr: 'Bu kimlik zaten başka bir hesaba bağlı.',
  },
  IDENTITY_NOT_FOUND: {
    status: 404,
    en: 'This identity is not connected any more.',
    tr: 'Bu kimlik artık bağlı değil.',
  },
  LAST_WAY_IN: {
    status: 409,
    en: 'You have no other way to sign in. Please set a password first, by “Forgot password?” on the sign-in page.',
    tr: 'Giriş yapmanın başka bir yolu kalmaz. Lütfen önce giriş sayfasındaki “Parolanızı mı unuttunuz?” ile bir parola belirleyin.',
  },
});
