import type { LocalizedText } from '../../../../platform/errors/app-error.js';
import type { MailStage } from '../../../../platform/email/smtp-test/smtp-error-stage.js';

/** The result of a test, and what to do about it. */
export const mailServerTestMessages: Readonly<Record<MailStage | 'taken', LocalizedText>> = {
  taken: {
    en: 'The email server accepted the email. Check that it has arrived. Look in the spam folder too.',
    tr: 'E-posta sunucusu e-postayı kabul etti. Ulaştığını kontrol edin. Spam klasörüne de bakın.',
  },
  resolve: {
    en: 'No email server with this name was found. Check the spelling of the host, and whether this server can resolve host names.',
    tr: 'Bu adda bir e-posta sunucusu bulunamadı. Sunucu adının yazılışını ve bu makinenin adları çözümleyebildiğini kontrol edin.',
  },
  connect: {
    en: "Couldn't connect to the email server. Check host, port and security: port 465 uses TLS, port 587 uses STARTTLS. Some networks block these ports.",
    tr: 'E-posta sunucusuna bağlanılamadı. Sunucuyu, bağlantı noktasını ve güvenliği kontrol edin: 465 TLS ile, 587 STARTTLS ile kullanılır. Bazı ağlar bu bağlantı noktalarını engeller.',
  },
  tls: {
    en: "Couldn't establish a TLS connection. Check port and security (port 465 uses TLS, port 587 uses STARTTLS), and whether the server's certificate is valid for this host.",
    tr: 'TLS bağlantısı kurulamadı. Bağlantı noktasını ve güvenliği (465 TLS ile, 587 STARTTLS ile kullanılır) ve sunucu sertifikasının bu ad için geçerli olduğunu kontrol edin.',
  },
  'sign-in': {
    en: 'The email server rejected the user or the password. Some providers require an app password or an API key instead.',
    tr: 'E-posta sunucusu kullanıcıyı veya parolayı reddetti. Bazı sağlayıcılar bunun yerine bir uygulama parolası veya API anahtarı ister.',
  },
  sender: {
    en: 'The email server rejected this sender. Use a sender whose domain is set up at your provider, and check the DNS records.',
    tr: 'E-posta sunucusu bu göndereni reddetti. Alan adı sağlayıcınızda tanımlı olan bir gönderen kullanın ve DNS kayıtlarını kontrol edin.',
  },
  recipient: {
    en: 'The email server rejected this recipient. Try another address. If the server rejects all addresses at other domains, enter a user and a password.',
    tr: 'E-posta sunucusu bu alıcıyı reddetti. Başka bir adres deneyin. Sunucu diğer alan adlarındaki tüm adresleri reddediyorsa kullanıcı ve parola girin.',
  },
};

export const testEmail: Readonly<
  Record<'en' | 'tr', { subject: (name: string) => string; text: (url: string) => string }>
> = {
  en: {
    subject: (name) => `Test email from ${name}`,
    text: (url) => `This email was sent to test the email server of ${url}. You don't need to do anything.\n`,
  },
  tr: {
    subject: (name) => `${name} test e-postası`,
    text: (url) =>
      `Bu e-posta, ${url} adresinin e-posta sunucusunu denemek için gönderildi. Bir şey yapmanız gerekmez.\n`,
  },
};
