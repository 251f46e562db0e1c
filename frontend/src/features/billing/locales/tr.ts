import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  title: 'Fiyatlar',
  headline: 'Ücretsiz başlayın, takipçilerinizle birlikte büyüyün',
  lead: 'Her planda tüm özellikler var. Yalnızca sınırlar farklı.',
  notSold: 'Bu sitede şu anda plan satın alınamıyor. Ücretsiz planı her zamanki gibi kullanabilirsiniz.',
  interval: { label: 'Ödeme dönemi', monthly: 'Aylık', yearly: 'Yıllık', save: '2 ay ücretsiz' },
  names: {
    free: 'Her Zaman Ücretsiz',
    starter: 'Starter',
    creator: 'Creator',
    'pro-creator': 'Pro Creator',
    enterprise: 'Kurumsal',
  },
  price: '{{amount}} $',
  per: { ever: 'süresiz', monthly: '/ ay', yearly: '/ yıl' },
  about: { free: 'İlk bölgeniz ve üyeleri için.', starter: 'Birkaç bölge ve artan takipçi sayısı için.' },
  hints: {
    creator: '20 bini aşkın abonesi olan kanallar için.',
    'pro-creator': '100 bini aşkın abonesi olan kanallar için.',
    enterprise: '500 bini aşkın abonesi olan kanallar için. Sınırları ve koşulları birlikte belirleriz.',
  },
  ends: '{{plan}} planınız {{date}} tarihinde sona eriyor. Devam ettirmek için o tarihten önce Aboneliği Yönet bölümüne gidin.',
  popular: 'En Çok Seçilen',
  current: 'Mevcut plan',
  currentBilled: { monthly: 'Mevcut plan, aylık', yearly: 'Mevcut plan, yıllık' },
  switchTo: { monthly: 'Aylığa Geç', yearly: 'Yıllığa Geç' },
  start: 'Ücretsiz Başlayın',
  choose: 'Planı Seç',
  chooseNamed: 'Planı Seç: {{plan}}',
  opening: 'Açılıyor…',
  change: 'Planı Değiştir',
  changeTo: 'Planı Değiştir: {{plan}}',
  manage: 'Aboneliği Yönet',
  included: 'Planınıza dahil',
  notForAdmins: 'Süper yöneticilere satılmaz',
  unavailable: 'Şu anda sunulmuyor',
  limits: {
    zones: { some_one: '{{formatted}} bölge', some_other: '{{formatted}} bölge', none: 'Sınırsız bölge' },
    people: { some_one: '{{formatted}} üye', some_other: '{{formatted}} üye', none: 'Sınırsız üye' },
    mails: {
      some_one: 'Ayda {{formatted}} e-posta',
      some_other: 'Ayda {{formatted}} e-posta',
      none: 'Anlaşmaya göre e-posta',
    },
    bytes: {
      some_one: '{{formatted}} GB depolama',
      some_other: '{{formatted}} GB depolama',
      none: 'Anlaşmaya göre depolama',
    },
    file: '{{size}} boyutuna kadar dosyalar',
  },
  shared: 'Her planda',
  features: {
    links: 'Herkese açık ve özel bölgeler, katılma bağlantıları',
    folders: 'Klasörler, önizlemeler ve aynalar',
    campaigns: 'Üyelerinize e-postalar',
    statistics: 'Dosyaları kimlerin açtığı ve indirdiği',
    agreedLimits: 'Size özel sınırlar',
    contact: 'Size özel bir iletişim kişisi',
  },
  enterprise: {
    price: 'Anlaşmaya göre',
    inquiry: 'Kurumsal Başvuru',
    subject: 'Kurumsal plan başvurusu',
    noContact: 'Lütfen bu sitenin yöneticilerine sorun.',
  },
  alreadyFree: 'Zaten Ücretsiz Plandasınız',
  alreadyFreeText: 'Hesabınız ücretsiz planda. Bu plan ücretsizdir ve süresi dolmaz.',
  authRequired: 'Giriş Gerekli',
  authRequiredText: 'Bir plana abone olmak için lütfen giriş yapın',
  subscriptionError: 'Abonelik Hatası',
  faq: {
    title: 'Sıkça sorulan sorular',
    change: {
      question: 'Planımı sonradan değiştirebilir miyim?',
      answer:
        'Evet, istediğiniz zaman Aboneliği Yönet bölümünden değiştirebilirsiniz. Daha büyük bir plan hemen geçerli olur.',
    },
    cancel: {
      question: 'Nasıl iptal ederim?',
      answer:
        'Aboneliği Yönet bölümünden. Ödediğiniz dönemin sonuna kadar planınız devam eder; ardından hesabınız ücretsiz plana geçer.',
    },
    over: {
      question: 'Daha küçük bir plana geçersem dosyalarıma ne olur?',
      answer:
        'Hiçbir şey silinmez. Her şey kalır ve okunabilir; ancak sınırın altına inene kadar yenisini ekleyemezsiniz.',
    },
    people: {
      question: 'Üyeler nasıl sayılır?',
      answer: 'Kaç bölgenizde üye olursa olsun herkes bir kez sayılır. Bekleyen davetler de sayılır.',
    },
    failed: {
      question: 'Bir ödeme alınamazsa ne olur?',
      answer: 'Size hemen e-posta göndeririz ve kartınızı kontrol edebilmeniz için planınız yedi gün daha devam eder.',
    },
    pay: {
      question: 'Ödemeyi kim alıyor?',
      answer:
        'Stripe, kendi sayfaları üzerinden alır. Kart numaranız bize hiç ulaşmaz. Ücretsiz plan için kart gerekmez.',
    },
  },
  checkout: {
    title: 'Aboneliğiniz',
    waiting: 'Teşekkürler',
    waitingText: 'Ödeme sağlayıcısıyla kontrol ediyoruz. Bu işlem biraz sürebilir.',
    done: 'Planınız hazır',
    doneText: 'Artık {{plan}} planındasınız. Planın sınırları hemen geçerli.',
    notYet: 'Ödeme henüz onaylanmadı',
    notYetText: 'Merak etmeyin: ödeme sağlayıcısı onaylar onaylamaz planınız otomatik olarak değişir.',
    canceled: 'Ödeme iptal edildi',
    canceledText: 'Ödeme iptal edildi. İstediğiniz zaman yeniden deneyebilirsiniz.',
    planNow: 'Hesabınız {{plan}} planında.',
    toDashboard: 'Panelim',
    toPlans: 'Planlara Bak',
  },
} satisfies Texts<typeof en>;
