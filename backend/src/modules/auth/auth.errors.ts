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
    en: 'Administrators must use two-step sign-in on this site. Please set it up in your settings.',
    tr: 'Bu sitede yöneticiler iki adımlı giriş kullanmalıdır. Lütfen ayarlarınızdan kurun.',
  },
  PROFILE_COMPLETE: {
    status: 409,
    en: 'Your profile is already complete.',
    tr: 'Profiliniz zaten tamamlanmış.',
  },
  EMAIL_MISMATCH: {
    status: 403,
    en: "This isn't the email address you're signed in with.",
    tr: 'Bu, giriş yaptığınız e-posta adresi değil.',
  },
  ACCOUNT_CHANGED: {
    status: 409,
    en: 'This browser is now signed in to another account, so nothing was changed. Please reload the page.',
    tr: 'Bu tarayıcıda artık başka bir hesapla oturum açık, bu yüzden hiçbir şey değiştirilmedi. Lütfen sayfayı yenileyin.',
  },
  SESSION_REQUIRED: {
    status: 403,
    en: "This isn't possible with an API token. Please use the web page.",
    tr: 'Bu işlem API anahtarıyla yapılamaz. Lütfen web sayfasını kullanın.',
  },
  TOKEN_READ_ONLY: {
    status: 403,
    en: 'This API token is read-only.',
    tr: 'Bu API anahtarı salt okunur.',
  },
  CODE_INVALID: {
    status: 400,
    en: 'This code is wrong or has expired. Please check it or try a new one.',
    tr: 'Bu kod yanlış veya süresi dolmuş. Lütfen kontrol edin veya yeni bir kodla deneyin.',
  },
  TOKEN_INVALID: {
    status: 400,
    en: 'This link is invalid, has already been used or has expired.',
    tr: 'Bu bağlantı geçersiz, daha önce kullanılmış veya süresi dolmuş.',
  },
  WRONG_PASSWORD: {
    status: 400,
    en: 'The current password is incorrect.',
    tr: 'Mevcut parola hatalı.',
  },
  PASSWORD_UNCHANGED: {
    status: 400,
    en: 'This is already your password. Please choose a new one.',
    tr: 'Bu zaten mevcut parolanız. Lütfen yeni bir parola seçin.',
  },
  ADMIN_SCOPE: {
    status: 403,
    en: 'Only administrators can create an API token with the scope “admin”.',
    tr: '“admin” kapsamlı bir API anahtarını yalnızca yöneticiler oluşturabilir.',
  },
  SESSION_NOT_FOUND: {
    status: 404,
    en: 'This session has already ended.',
    tr: 'Bu oturum zaten kapatılmış.',
  },
  CONFIRMATION_BY_OTHER_MEANS: {
    status: 409,
    en: "You don't need a code by email. Confirm with your password, authenticator app or passkey.",
    tr: 'E-postayla koda ihtiyacınız yok. Parolanız, kimlik doğrulama uygulamanız veya geçiş anahtarınızla doğrulayın.',
  },
  FACTOR_ENROLLED: {
    status: 409,
    en: 'You already have an authenticator app. Remove it before you set up another one.',
    tr: 'Zaten bir kimlik doğrulama uygulamanız var. Başka birini kurmak için önce onu kaldırın.',
  },
  FACTOR_MISSING: {
    status: 404,
    en: "Two-step sign-in isn't set up for this account.",
    tr: 'Bu hesapta iki adımlı giriş kurulu değil.',
  },
  SIGN_IN_OVER: {
    status: 401,
    en: 'This sign-in has expired. Please enter your password again.',
    tr: 'Bu girişin süresi doldu. Lütfen parolanızı yeniden girin.',
  },
  API_TOKEN_NOT_FOUND: {
    status: 404,
    en: 'This API token no longer exists.',
    tr: 'Bu API anahtarı artık yok.',
  },
  USERNAME_CHANGE_LIMIT: {
    status: 409,
    en: 'You can change your username twice in 10 days. You can change it again on {date}.',
    tr: 'Kullanıcı adınızı 10 günde 2 kez değiştirebilirsiniz. Bir sonraki değişikliği {date} tarihinde yapabilirsiniz.',
  },
  USERNAME_TAKEN: {
    status: 409,
    en: 'This username is already taken',
    tr: 'Bu kullanıcı adı alınmış',
  },
  USERNAME_RESERVED: {
    status: 409,
    en: 'This username is reserved. Please choose another one.',
    tr: 'Bu kullanıcı adı kullanılamaz. Lütfen başka bir ad seçin.',
  },
});

export const emailChangeErrors = defineErrors({
  EMAIL_UNCHANGED: {
    status: 400,
    en: 'The account already uses this email address.',
    tr: 'Hesap zaten bu e-posta adresini kullanıyor.',
  },
  EMAIL_TAKEN: {
    status: 409,
    en: 'Another account already uses this email address.',
    tr: 'Bu e-posta adresini başka bir hesap kullanıyor.',
  },
});

export const passkeyErrors = defineErrors({
  PASSKEY_INVALID: {
    status: 400,
    en: "Couldn't verify this passkey. Please try again.",
    tr: 'Bu geçiş anahtarı doğrulanamadı. Lütfen yeniden deneyin.',
  },
  PASSKEY_LIMIT: {
    status: 409,
    en: 'You already have ten passkeys. Remove one to add another.',
    tr: 'Zaten 10 geçiş anahtarınız var. Yenisini eklemek için önce birini kaldırın.',
  },
  PASSKEY_NOT_FOUND: {
    status: 404,
    en: 'This passkey no longer exists.',
    tr: 'Bu geçiş anahtarı artık yok.',
  },
});

export const singleSignOnErrors = defineErrors({
  SSO_OFF: {
    status: 404,
    en: "Single sign-on isn't set up on this site.",
    tr: 'Bu sitede tek oturum açma (SSO) kurulu değil.',
  },
  SSO_UNAVAILABLE: {
    status: 503,
    en: "Couldn't reach the sign-in service. Please try again shortly or sign in another way.",
    tr: 'Giriş hizmetine şu anda ulaşılamıyor. Lütfen birazdan yeniden deneyin veya başka bir yöntemle giriş yapın.',
  },
  SSO_EXPIRED: {
    status: 400,
    en: 'This sign-in took too long, has already been used or was started in another browser. Please start again.',
    tr: 'Bu giriş çok uzun sürdü, daha önce kullanıldı veya başka bir tarayıcıda başlatıldı. Lütfen yeniden başlayın.',
  },
  SSO_REFUSED: {
    status: 400,
    en: "The sign-in service couldn't verify your identity. Please start again.",
    tr: 'Giriş hizmeti kimliğinizi doğrulayamadı. Lütfen yeniden başlayın.',
  },
  SSO_EMAIL_UNVERIFIED: {
    status: 403,
    en: "The sign-in service hasn't verified your email address, so you can't sign in with it here.",
    tr: 'Giriş hizmeti e-posta adresinizi doğrulamadığı için bu hizmetle giriş yapamazsınız.',
  },
  SSO_LINK_EXPIRED: {
    status: 400,
    en: 'This took too long, or there were too many wrong attempts. Please start again.',
    tr: 'Bu işlem çok uzun sürdü veya çok fazla yanlış deneme yapıldı. Lütfen yeniden başlayın.',
  },
  SSO_LINKED_ELSEWHERE: {
    status: 409,
    en: 'This identity is already connected to another account.',
    tr: 'Bu kimlik zaten başka bir hesaba bağlı.',
  },
  IDENTITY_NOT_FOUND: {
    status: 404,
    en: 'This identity is no longer connected.',
    tr: 'Bu kimlik artık bağlı değil.',
  },
  LAST_WAY_IN: {
    status: 409,
    en: 'This is your only way to sign in. Please set a password first: choose “Forgot password?” on the sign-in page.',
    tr: 'Giriş yapmak için başka bir yönteminiz yok. Lütfen önce giriş sayfasındaki “Parolanızı mı unuttunuz?” bağlantısıyla bir parola belirleyin.',
  },
});
