import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  headline: 'Belgelerinizi takipçilerinizle paylaşın',
  description:
    'Dosyalarınızı bölgelerde toplayın, insanları tek bir bağlantıyla davet edin, kimlerin katıldığını görün ve onlara e-posta gönderin. Video üreticileri, eğitmenler, koçlar ve yazarlar için.',
  lead: 'Dosyalarınızı bölgelerde toplayın, insanları tek bir bağlantıyla davet edin, kimlerin katıldığını görün ve hepsine aynı yerden e-posta gönderin.',
  start: 'Takipçi Kitlenizi Oluşturun',
  tour: 'Tanıtımı İzle',
  dashboard: 'Panelim',
  upgrade: 'Planı Yükselt',
  note: 'Ücretsiz plan için kredi kartı gerekmez.',
  shot: 'Sahibinin gözünden bir bölge: klasörler ve dosyalar, boyutları, görüntülenme ve indirme sayıları',
  compare: {
    title: 'Paylaşılan klasörler takipçiler için tasarlanmadı',
    topic: 'İhtiyacınız',
    before: 'Sıradan dosya depolama',
    after: 'Zonary bölgesi',
    rows: {
      people: {
        topic: 'İnsanları içeri almak',
        before: 'E-posta adreslerini tek tek girersiniz; yüz kişiyle bu başlı başına bir iştir.',
        after: 'Tek bir bağlantı. Katılan herkesi görür, istediğinizi çıkarırsınız.',
      },
      addresses: {
        topic: 'Dosyalarınızı kimin okuduğunu bilmek',
        before: 'Dosyalarınız elden ele dolaşır, kimin okuduğunu hiç öğrenemezsiniz.',
        after: 'Herkes, doğruladığı bir e-posta adresiyle katılır.',
      },
      mail: {
        topic: 'Onlara e-posta göndermek',
        before: 'İkinci bir hizmet gerekir; oradaki listeyi de güncel tutmanız gerekir.',
        after: 'Bölge üyelerine, onaylarıyla gönderilen kampanyalar; her e-postada abonelikten çıkma bağlantısı.',
      },
      links: {
        topic: 'Bağlantı paylaşmak',
        before: 'Bağlantı, kimin eline geçerse geçsin sonsuza dek çalışır.',
        after: 'Belirli bir tarihte veya kullanım sayısında sona eren ya da parola isteyen bağlantılar.',
      },
      insight: {
        topic: 'Neyin işe yaradığını görmek',
        before: 'Bir dosyanın açılıp açılmadığını ancak tahmin edebilirsiniz.',
        after: 'Her dosya ve her bağlantı için görüntülenme, indirme ve katılım sayıları.',
      },
    },
  },
  features: {
    title: 'Neler sunuyoruz?',
    creators: {
      title: 'İçerik üreticileri için tasarlandı',
      text: 'Klasörler, tarayıcıda önizleme ve büyük dosyalar. Bağlantı koparsa yükleme kaldığı yerden devam eder. Üyeler hiçbir şey kurmadan telefonlarından okur.',
    },
    mail: {
      title: 'Yerleşik e-posta',
      text: 'Bölge üyelerine yazın, önizleyin, zamanlayın ve gönderin. Raporda nelerin ulaştığını, açıldığını ve tıklandığını görürsünüz.',
    },
    zones: {
      title: 'Herkese açık ve özel bölgeler',
      text: 'Herkese açık bir bölgeye bağlantısı olan herkes katılabilir. Özel bir bölgeye yalnızca davet ettiğiniz veya geçici bağlantı verdiğiniz kişiler katılabilir.',
    },
  },
  audiences: {
    title: 'Kimler için',
    videos: {
      title: 'YouTuber’lar',
      text: 'Bir videonun proje dosyaları, ön ayarları ve notları; açıklamadaki bağlantıda.',
    },
    educators: {
      title: 'Eğitmenler',
      text: 'Hafta hafta düzenlenmiş ders malzemeleri ve yeni bir şey eklendiğinde bir e-posta.',
    },
    coaches: { title: 'Koçlar', text: 'Her grup için özel bir bölge; çalışma kâğıtlarını yalnızca üyeleri açabilir.' },
    authors: {
      title: 'Yazarlar',
      text: 'Okurlar için örnek bölümler ve yeni kitabınızdan haber almak isteyenlerin listesi.',
    },
  },
  figures: {
    title: 'Bu sitede',
    creators: 'içerik üreticisi burada dosya paylaşıyor',
    files: 'dosya paylaşıldı',
    people: 'kişi bir bölgeye katıldı',
  },
  pricing: {
    title: 'Başlamak ücretsiz',
    text: 'Bir bölge, 100 üye, 1 GB ve ayda 100 e-posta, istediğiniz sürece ücretsizdir. Ücretli planlar ayda 3,99 dolardan başlar.',
    action: 'Planları Görün',
  },
  faq: {
    title: 'Sıkça sorulan sorular',
    account: {
      question: 'Üyelerimin hesabı olması gerekir mi?',
      answer:
        'Yalnızca e-posta adreslerini girer ve tek tıklamayla doğrularlar. Geri gelmek isterlerse sonradan bir ad ve parola belirleyebilirler.',
    },
    leave: {
      question: 'İnsanlar nasıl ayrılır?',
      answer: 'Bölgede veya herhangi bir e-postada tek tıklamayla. Giriş yapmaları gerekmez ve artık e-posta almazlar.',
    },
    files: {
      question: 'Hangi dosyaları paylaşabilirim?',
      answer:
        'Belgelerden uzun videolara kadar her türden. Resim, video, ses, PDF ve metin tarayıcıda açılır; bu site gösterebiliyorsa Office belgeleri de. Diğer dosyalar indirilir. Bir dosyanın indirilmesini kapatabilirsiniz.',
    },
    see: {
      question: 'Dosyalarımı kimler görebilir?',
      answer:
        'Siz ve bölgenin üyeleri. Her dosya açılırken erişim izni kontrol edilir; hiçbir dosyanın herkese açık adresi yoktur.',
    },
    cost: {
      question: 'Planımdaki bir sınıra ulaşırsam ne olur?',
      answer:
        'Hiçbir şey silinmez, kimsenin erişimi kapanmaz. Yalnızca, sınırın altına inene veya planınızı değiştirene kadar yenisini ekleyemezsiniz.',
    },
  },
  closing: {
    title: 'İlk bölgeniz birkaç tıklama uzakta',
    text: 'Bir hesap oluşturun, bir bölgeye dosya ekleyin ve bağlantıyı birine gönderin.',
  },
  steps: {
    title: 'Kısa bir tur',
    position: '{{step}} / {{count}}',
    previous: 'Geri',
    next: 'İleri',
    done: 'Bitti',
    zone: {
      title: 'Dosyalarınız bir bölgede toplanır',
      text: 'Klasör ve dosyaları sürükleyip bırakın; kaç kez görüntülendiklerini ve indirildiklerini görün.',
    },
    share: {
      title: 'Bölgeyi bağlantıyla paylaşırsınız',
      text: 'Geçici bağlantıların süresi otomatik olarak dolar ve parola isteyebilirler. Herkese açık bir bölgenin QR kodlu, kalıcı tek bir bağlantısı olur.',
    },
    join: {
      title: 'İnsanlar e-posta adresleriyle katılır',
      text: 'Bölgenin kime ait olduğunu görür, e-postalarınızı kabul eder ve adreslerini tek tıklamayla doğrularlar.',
    },
    campaign: {
      title: 'Bölgedeki herkese e-posta gönderirsiniz',
      text: 'Bir yanda metniniz, diğer yanda e-postanın önizlemesi.',
    },
    dashboard: {
      title: 'Gidişatı takip edersiniz',
      text: 'Bölgeler, dosyalar, üyeler ve indirmeler; bir de son etkinlikler.',
    },
  },
} satisfies Texts<typeof en>;
