import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  title: 'Benimle Paylaşılanlar',
  description: 'Üyesi olduğunuz, başkalarına ait bölgeler.',
  notice:
    'Üye olarak bu bölgelerin sahiplerinden gelen TÜM e-postaları alırsınız. Bunları durdurmanın tek yolu bölgeden ayrılmaktır.',
  empty: {
    title: 'Henüz sizinle paylaşılan bir şey yok',
    text: 'Katıldığınız ya da davet edildiğiniz bölgeler burada görünür.',
    action: 'Bölgelerime Git',
  },
  failed: 'Bölgeler yüklenemedi',
  list: 'Sizinle paylaşılan bölgeler',
  sort: { name: 'Ad', role: 'Rol', updated: 'Güncelleme' },
  roles: { owner: 'Sahip', admin: 'Yönetici', member: 'Üye' },
  columns: { expiry: 'Erişim', actions: 'İşlemler' },
  expiry: {
    never: 'Süresi dolmaz',
    expired: 'Süresi doldu',
    today: 'Süresi bugün doluyor',
    tomorrow: 'Süresi yarın doluyor',
    days: 'Süresi {{count}} gün sonra doluyor',
  },
  updated: 'Güncelleme: {{date}}',
  view: 'Dosyaları Gör',
  viewOf: '{{name}}: Dosyaları Gör',
  leave: {
    action: 'Bölgeden Ayrıl',
    actionOf: 'Bölgeden Ayrıl: {{name}}',
    title: '“{{name}}” bölgesinden ayrılınsın mı?',
    textPublic: 'Dosyaları size kapanır, e-postaları durur. Herkese açık bağlantısıyla yeniden katılabilirsiniz.',
    textPrivate: 'Dosyaları size kapanır, e-postaları durur. Ancak yeni bir davetle geri dönebilirsiniz.',
    reason: 'Neden',
    reasonHelp: 'Bölgenin sahibi bunu okuyabilir.',
    done: 'Bölgeden ayrıldınız',
    doneText: '“{{name}}” bölgesinden ayrıldınız.',
    failed: 'Bölgeden ayrılırken hata oluştu',
    failedText: 'Bölgeden ayrılınamadı',
    unsubscribe: 'Abonelikten çıkma sayfasını aç',
  },
} satisfies Texts<typeof en>;
