import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  loading: 'Bölge aranıyor…',
  invited: 'Katılmaya davetlisiniz',
  owner: '{{name}} adlı kişinin bölgesi',
  files_one: '{{formatted}} dosya',
  files_other: '{{formatted}} dosya',
  members_one: '{{formatted}} üye',
  members_other: '{{formatted}} üye',
  until: '{{date}} tarihine kadar açık',
  places_one: '{{formatted}} yer kaldı',
  places_other: '{{formatted}} yer kaldı',
  meaning: {
    files: 'Bölgedeki dosyaları okuyabilir ve indirebilirsiniz.',
    emails: 'Bölge sahibinin ({{owner}}) üyelere gönderdiği tüm e-postaları alırsınız.',
    emailsOptional: 'Kabul ederseniz bölge sahibinin ({{owner}}) üyelere gönderdiği tüm e-postaları alırsınız.',
    approval: 'Her isteğe bölgenin sahibi karar verir; sonuç size e-postayla bildirilir.',
    days_one: '{{count}} gün boyunca üye olursunuz.',
    days_other: '{{count}} gün boyunca üye olursunuz.',
    leave: 'İstediğiniz zaman ayrılabilirsiniz; e-postalar da durur.',
  },
  ownerUnknown: 'bölgenin sahibi',
  email: 'E-posta adresi',
  emailRequired: 'E-posta zorunludur',
  emailInvalid: 'Geçersiz e-posta',
  emailHelp: 'Adresin size ait olduğunu onaylamanız için oraya bir bağlantı göndeririz.',
  emailOwn: 'Bu adresle giriş yaptınız; bu yüzden hemen katılırsınız.',
  emailOwnAsk: 'Bu adresle giriş yaptınız; isteğiniz hemen bölge sahibine iletilir.',
  emailOther:
    '{{email}} olarak giriş yaptınız. Bu diğer adresin size ait olduğunu onaylamanız için oraya bir bağlantı göndeririz.',
  password: 'Bağlantının parolası',
  passwordHelp: 'Bağlantıyı size veren kişi bilir.',
  passwordRequired: 'Lütfen bağlantının parolasını girin',
  consentRequired:
    'Katılmak için bölgenin tüm e-postalarını almayı kabul etmelisiniz. Bölge sahipleri kısmi e-posta gönderemez.',
  submit: 'Bölgeye Katıl',
  ask: 'Katılma isteği gönder',
  sending: 'Katılınıyor…',
  asking: 'Gönderiliyor…',
  joined: 'Hoş geldiniz! Bölgeye katıldınız.',
  failed: 'Bölgeye katılınamadı',
  full: { title: 'Bu bölge şu anda dolu' },
  tooMany: { title: 'Lütfen biraz bekleyin' },
  already: {
    title: 'Zaten Üyesiniz',
    text: 'Bu bölgedesiniz. Sizi bölgelerinize götürüyoruz…',
    go: 'Devam et',
  },
  asked: { title: 'İsteğiniz bölge sahibine iletildi' },
  mail: {
    title: 'Lütfen e-postanıza bakın',
    text: '{{email}} adresine bir bağlantı gönderdik. Bağlantıyı açıp onaylayın; “{{zone}}” bölgesine katılmış olursunuz.',
    textAsk:
      '{{email}} adresine bir bağlantı gönderdik. Bağlantıyı açıp onaylayın; isteğiniz “{{zone}}” bölgesinin sahibine iletilir.',
    lasts: 'Bağlantı 24 saat geçerlidir. Gelmediyse istenmeyen posta klasörüne bakın ya da yeniden deneyin.',
    again: 'Başka bir adres kullan',
  },
  notFound: {
    title: 'Bölge Bulunamadı',
    text: 'Bu bağlantı artık bir bölgeye gitmiyor. Bağlantıyı veren kişiden yenisini isteyin.',
  },
  expired: { title: 'Bağlantının Süresi Doldu', text: 'Bu bağlantının süresi doldu. Lütfen yeni bir davet isteyin.' },
  maxUses: {
    title: 'Bağlantı Kullanım Sınırı Aşıldı',
    text: 'Bu bağlantı en yüksek kullanım sayısına ulaştı. Lütfen yeni bir davet isteyin.',
  },
  invalid: {
    title: 'Bağlantının Süresi Dolmuş veya Bağlantı Geçersiz',
    text: 'Bu bağlantı artık kimseyi içeri almıyor. Bağlantıyı veren kişiden yenisini isteyin.',
  },
  home: 'Ana sayfaya git',
} satisfies Texts<typeof en>;
