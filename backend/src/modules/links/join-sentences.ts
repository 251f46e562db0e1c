import type { Sentence } from '../../platform/errors/app-error.js';

/** What people are told while they join. */
export const joinSentences = {
  joined: { en: 'You have joined the zone.', tr: 'Bölgeye katıldınız.' },
  waiting: {
    en: 'Your request has been sent to the owner of the zone. We write to you when it is approved.',
    tr: 'İsteğiniz bölgenin sahibine iletildi. Onaylandığında size yazacağız.',
  },
  mailSent: {
    en: 'Please check your email: we have sent you a link to confirm that you want to join.',
    tr: 'Lütfen e-postanıza bakın: katılmak istediğinizi onaylamanız için size bir bağlantı gönderdik.',
  },
  ready: { en: 'One click, and you are in.', tr: 'Tek bir tıklamayla içeridesiniz.' },
  readyToAsk: {
    en: 'One click, and your request goes to the owner of the zone.',
    tr: 'Tek bir tıklamayla isteğiniz bölgenin sahibine iletilir.',
  },
  verified: {
    en: 'Your address is verified and you have joined the zone.',
    tr: 'Adresiniz doğrulandı ve bölgeye katıldınız.',
  },
  addressReady: { en: 'One click, and your address is verified.', tr: 'Tek bir tıklamayla adresiniz doğrulanır.' },
  addressVerified: { en: 'Your address is verified.', tr: 'Adresiniz doğrulandı.' },
  alreadyDone: {
    en: 'This link has done its work already: your address is verified and you have joined.',
    tr: 'Bu bağlantı işini zaten yaptı: adresiniz doğrulandı ve bölgeye katıldınız.',
  },
} satisfies Record<string, Sentence>;
