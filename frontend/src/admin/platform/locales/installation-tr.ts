import type { Texts } from '../../../shared/preferences/language';
import type en from './installation-en';

export default {
  failed: 'Kurulumun ayarları yüklenemedi',
  save: 'Değişiklikleri Kaydet',
  saved: 'Kurulum değiştirildi',
  saveFailed: 'Kurulum değiştirilemedi',
  needsStart:
    'Adres http ile https arasında değişti. Çerezler ve güvenlik başlıkları ürünün bir sonraki başlangıcında buna uyar.',
  byVariable:
    '{{variable}} değişkeniyle ayarlandı. Orada değiştirin veya burada ayarlamak için onu kaldırıp yeniden başlatın.',
  emptyIs: 'Boş bırakılırsa: {{value}}',
  emptyIt: 'Varsayılana dönmek için boşaltın.',
  parts: { purpose: 'Amaç', service: 'Bu kurulum', mails: 'E-postalar', company: 'Kim işletiyor' },
  partTexts: {
    purpose:
      'Planların, sınırların ve fiyatların burada bir anlamı olup olmadığı. Dilediğiniz zaman değiştirilebilir; saklanan hiçbir şey kaybolmaz.',
    service: 'Kişilerin gördükleri. Değişiklikler, başka yerde çalışan süreçlerde de saniyeler içinde geçerli olur.',
    mails: 'Kimin yazdığı ve kişilerin kime yazabileceği.',
    company: 'Herkese açık sayfaların alt bilgisinde yer alır.',
  },
  defaultPlan: {
    label: 'Yeni bir hesabın planı',
    help: 'Daha büyük bir plan için ödeme yapmayan ve kendisine plan verilmeyen herkesin planı. Değişen sınırlar herkes için dakikalar içinde geçerli olur.',
  },
  name: { label: 'Ad', help: 'Sayfada ve e-postalarda.' },
  address: {
    label: 'Herkese açık adres',
    help: 'E-postalardaki bağlantılar buraya gider; örneğin https://zones.example.com. Geçiş anahtarları bir adrese aittir: eskisininkiler yenisini açmaz.',
  },
  mailFrom: {
    label: 'Gönderen',
    help: 'Örneğin Zones <hello@example.com>. E-posta sunucusu göndermesine izin vermelidir.',
  },
  contactEmail: { label: 'İletişim adresi', help: 'Planlarla ilgili sorusu olanlara gösterilir.' },
  companyName: { label: 'Şirket' },
  companyDirector: { label: 'Yönetici' },
  companyType: { label: 'Faaliyet türü' },
  companyPhone: { label: 'Telefon' },
  companyAddress: {
    label: 'Posta adresi',
    help: 'Kendi adresini belirtmemiş sahiplerin kampanya e-postalarında da yer alır.',
  },
} satisfies Texts<typeof en>;
