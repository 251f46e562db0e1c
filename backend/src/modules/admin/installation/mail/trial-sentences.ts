import type { Sentence } from '../../../../platform/errors/app-error.js';
import type { MailStage } from '../../../../platform/mail/trial/trial-reading.js';

/** What a try came to, and what to do about it. */
export const trialSentences: Readonly<Record<MailStage | 'taken', Sentence>> = {
  taken: {
    en: 'The mail server took the mail. Look whether it has arrived, also among spam.',
    tr: 'E-posta sunucusu iletiyi kabul etti. Ulaşıp ulaşmadığına bakın, spam klasörüne de.',
  },
  resolve: {
    en: 'No mail server of this name was found. Look at how the host is written; it may also be that this machine cannot look up names.',
    tr: 'Bu adda bir e-posta sunucusu bulunamadı. Sunucu adının yazılışına bakın; bu makine adları çözemiyor da olabilir.',
  },
  connect: {
    en: 'No mail server answered there. Look at host, port and security: port 465 goes with TLS, 587 with STARTTLS. Some networks block these ports.',
    tr: 'Orada yanıt veren bir e-posta sunucusu yok. Sunucu, bağlantı noktası ve güvenliğe bakın: 465 TLS ile, 587 STARTTLS ile kullanılır. Bazı ağlar bu bağlantı noktalarını engeller.',
  },
  tls: {
    en: 'The connection could not be protected by TLS. Look at port and security (465 goes with TLS, 587 with STARTTLS), and whether the certificate of the server is valid for this host.',
    tr: 'Bağlantı TLS ile korunamadı. Bağlantı noktası ve güvenliğe (465 TLS ile, 587 STARTTLS ile) ve sunucu sertifikasının bu ad için geçerli olup olmadığına bakın.',
  },
  'sign-in': {
    en: 'The mail server did not take user and password. Some providers want a password for applications, or a key in its place.',
    tr: 'E-posta sunucusu kullanıcıyı ve parolayı kabul etmedi. Bazı sağlayıcılar bir uygulama parolası ya da onun yerine bir anahtar ister.',
  },
  sender: {
    en: 'The mail server does not send for this sender. Choose a sender whose domain it sends for, and look at the records in the DNS.',
    tr: 'E-posta sunucusu bu gönderen adına göndermiyor. Adına gönderdiği bir alan adından gönderen seçin ve DNS kayıtlarına bakın.',
  },
  recipient: {
    en: 'The mail server does not take this recipient. Try another address; a server that takes none of other domains wants a user and a password.',
    tr: 'E-posta sunucusu bu alıcıyı kabul etmiyor. Başka bir adres deneyin; başka alan adlarına hiç göndermeyen bir sunucu kullanıcı ve parola ister.',
  },
};

export const testLetter: Readonly<
  Record<'en' | 'tr', { subject: (name: string) => string; text: (url: string) => string }>
> = {
  en: {
    subject: (name) => `A test of ${name}`,
    text: (url) => `This mail was sent to try the mail server of ${url}. Nothing else is to be done.\n`,
  },
  tr: {
    subject: (name) => `${name} deneme iletisi`,
    text: (url) =>
      `Bu ileti, ${url} adresinin e-posta sunucusunu denemek için gönderildi. Başka bir şey yapmanız gerekmiyor.\n`,
  },
};
