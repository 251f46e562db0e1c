import type { Texts } from '../../preferences/language';
import type en from './en';

export default {
  confirm: {
    title: 'Siz Olduğunuzu Doğrulayın',
    text: 'Bu işlem hesabınızın güvenliğini etkiler. On dakika boyunca yeniden sorulmaz.',
    password: 'Parolanız',
    passwordRequired: 'Lütfen parolanızı girin',
    mailText: '{{email}} adresine bir kod göndereceğiz.',
    mailSend: 'Kodu E-posta ile Gönder',
    mailAgain: 'Yeni Kod Gönder',
    appHelp: 'Kimlik doğrulama uygulamanızdaki 6 haneli kodu girin.',
    mailHelp: '{{email}} adresine bir kod gönderdik. Kod 10 dakika geçerlidir.',
    submit: 'Doğrula',
    use: {
      totp: 'Kimlik Doğrulama Uygulamanızı Kullanın',
      password: 'Parolanızı Kullanın',
      mail: 'E-posta ile Kod Kullanın',
      passkey: 'Geçiş Anahtarı Kullanın',
    },
    passkeyText: 'Tarayıcınız parmak izinizi, yüzünüzü veya cihazınızın PIN kodunu ister.',
    passkeyUse: 'Geçiş Anahtarı Kullan',
  },
  code: {
    label: '6 haneli kod',
    digits: 'Lütfen 6 haneli kodu girin',
  },
  factors: {
    on: 'Açık',
    setUp: 'Kur',
    remove: 'Kaldır',
    changeFailed: 'İki adımlı giriş güncellenemedi',
  },
  app: {
    title: 'Kimlik Doğrulama Uygulaması',
    text: 'Telefonunuzdaki bir uygulama 30 saniyede bir yeni kod gösterir.',
    since: '{{when}} tarihinde kuruldu',
    setUpName: 'Kimlik Doğrulama Uygulaması Kur',
    setUpTitle: 'Kimlik Doğrulama Uygulamasını Kurun',
    setUpText:
      'Bu kodu Google Authenticator, Microsoft Authenticator, 1Password veya Aegis gibi bir uygulamayla tarayın.',
    qr: 'Kimlik doğrulama uygulamanız için karekod',
    secret: 'Veya bu anahtarı uygulamaya girin',
    codeHelp: 'Uygulamanın şu anda gösterdiği kod.',
    turnOn: 'Aç',
    done: 'İki adımlı giriş açık',
    doneText: 'Bundan sonra giriş yaparken uygulamanızdaki kod da istenir.',
    removeName: 'Kimlik Doğrulama Uygulamasını Kaldır',
    removeTitle: 'Kimlik doğrulama uygulaması kaldırılsın mı?',
    removeText: 'Girişte bunun yerine geçiş anahtarınız istenir. Uygulamadaki kaydı da silin.',
    removeLastText:
      'Hesabınızı artık yalnızca parolanız korur, kurtarma kodlarınız da silinir. Uygulamadaki kaydı da silin.',
    removed: 'Kimlik doğrulama uygulaması kaldırıldı',
  },
  passkeys: {
    troubles: {
      cancelled:
        'Tarayıcınız geçiş anahtarı alamadı. İşlem iptal edilmiş veya süresi dolmuş olabilir ya da bu cihazda geçiş anahtarı olmayabilir.',
      known: 'Bu cihazda bu hesap için zaten bir geçiş anahtarı var.',
      failed: 'Tarayıcınız burada geçiş anahtarı kullanamadı.',
    },
  },
  codes: {
    title: 'Kurtarma Kodlarınızı Saklayın',
    text: 'Telefonunuzu kaybederseniz bu kodların her biriyle bir kez giriş yapabilirsiniz. Kodlar yalnızca şimdi gösterilir.',
    warning:
      'Güvenli bir yerde saklayın, ancak telefonunuzda tutmayın. Telefonunuz veya bir kod olmadan giriş yapamazsınız.',
    heading: '{{app}} kurtarma kodları',
    once: 'Her kod bir kez kullanılabilir.',
    file: 'kurtarma-kodlari.txt',
    download: 'İndir',
    print: 'Yazdır',
    saved: 'Kodları sakladım',
    done: 'Bitti',
    rowTitle: 'Kurtarma Kodları',
    few: 'Az kaldı',
    left_one:
      '{{formatted}} kod kaldı. Bu kodla uygulamanız veya geçiş anahtarınız olmadan bir kez giriş yapabilirsiniz.',
    left_other:
      '{{formatted}} kod kaldı. Her biriyle uygulamanız veya geçiş anahtarınız olmadan bir kez giriş yapabilirsiniz.',
    renew: 'Yeni Kodlar Oluştur',
    renewTitle: 'Yeni kurtarma kodları oluşturulsun mu?',
    renewText: 'Daha önce sakladığınız kodlar artık çalışmaz.',
    renewed: 'Yeni kurtarma kodlarınız etkin',
    label: 'Kurtarma kodu',
    required: 'Lütfen bir kurtarma kodu girin',
  },
} satisfies Texts<typeof en>;
