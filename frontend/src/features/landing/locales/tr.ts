import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  headline: 'Belgelerinizi sizi izleyenlerle paylaşın',
  description:
    'Dosyalarınızı bölgelerde toplayın, insanları tek bir bağlantıyla içeri alın, kimlerin içeride olduğunu bilin ve onlara yazın. Video üreticileri, eğitmenler, koçlar ve yazarlar için.',
  lead: 'Dosyalarınızı bölgelerde toplayın, insanları tek bir bağlantıyla içeri alın, içeride kimlerin olduğunu bilin ve hepsine aynı yerden yazın.',
  start: 'Kitlenizi oluşturmaya başlayın',
  tour: 'Tanıtımı İzle',
  dashboard: 'Panelim',
  upgrade: 'Planı yükselt',
  note: 'Ücretsiz plan için ödeme yapılmaz, kart bilgisi istenmez.',
  shot: 'Sahibinin gözünden bir bölge: klasörler ve dosyalar, boyutları, görüntülenme ve indirme sayıları',
  compare: {
    title: 'Paylaşılan bir klasör, bir kitle için yapılmadı',
    topic: 'Gereken',
    before: 'Sıradan dosya depolama',
    after: 'Bir bölge',
    rows: {
      people: {
        topic: 'İnsanları içeri almak',
        before: 'Adresler tek tek yazılır; yüz kişiden sonra bu başlı başına bir iştir.',
        after: 'Tek bir bağlantı. Katılan herkesi görür, dilediğinizi çıkarırsınız.',
      },
      addresses: {
        topic: 'Kimin okuduğunu bilmek',
        before: 'Dosyalarınız elden ele dolaşır, kimin okuduğunu hiç öğrenemezsiniz.',
        after: 'Herkes, doğruladığı bir e-posta adresiyle katılır.',
      },
      mail: {
        topic: 'Onlara yazmak',
        before: 'İkinci bir hizmet, oraya kopyalanan ve güncel tutulması gereken bir liste.',
        after: 'Bölge üyelerine, onayları alınmış kampanyalar; her iletide ayrılma yolu.',
      },
      links: {
        topic: 'Bağlantı dağıtmak',
        before: 'Bir bağlantı, nereye ulaşırsa ulaşsın sonsuza dek çalışır.',
        after: 'Belirli bir günde ya da kullanım sayısında biten, parola isteyen bağlantılar.',
      },
      insight: {
        topic: 'Neyin işe yaradığını görmek',
        before: 'Bir dosyanın açılıp açılmadığı ancak tahmin edilir.',
        after: 'Her dosya ve her bağlantı için görüntülenme, indirme ve katılım sayıları.',
      },
    },
  },
  features: {
    title: 'Neler sunuyor',
    creators: {
      title: 'İçerik üretenler için yapıldı',
      text: 'Klasörler, tarayıcıda önizleme, bağlantı kopunca kaldığı yerden süren 100 MB’a kadar dosyalar. Üyeler hiçbir şey kurmadan telefonlarından okur.',
    },
    mail: {
      title: 'E-posta içinde',
      text: 'Bölge üyelerine yazın, önizleyin, zamanlayın ve gönderin. Rapor neyin ulaştığını, açıldığını ve tıklandığını gösterir.',
    },
    zones: {
      title: 'Herkese açık ve gizli bölgeler',
      text: 'Açık bir bölgeye bağlantısını bilen herkes girebilir. Gizli olana yalnızca davet ettikleriniz ya da geçici bağlantı verdikleriniz girer.',
    },
  },
  audiences: {
    title: 'Kimler için',
    videos: {
      title: 'YouTuber’lar',
      text: 'Bir videonun proje dosyaları, ayarları ve notları; açıklamadaki bağlantının ardında.',
    },
    educators: {
      title: 'Eğitmenler',
      text: 'Hafta hafta düzenlenmiş ders malzemesi ve yeni bir şey olduğunda bir ileti.',
    },
    coaches: { title: 'Koçlar', text: 'Her grup için gizli bir bölge; çalışma kâğıtlarını yalnızca üyeleri açabilir.' },
    authors: {
      title: 'Yazarlar',
      text: 'Okurlar için örnek bölümler ve sıradaki kitaptan haber almak isteyenlerin listesi.',
    },
  },
  figures: {
    title: 'Bu kurulumda',
    creators: 'üretici burada dosya paylaşıyor',
    files: 'dosya paylaşıldı',
    people: 'kişi bir bölgeye katıldı',
  },
  pricing: {
    title: 'Başlamak ücretsiz',
    text: 'Bir bölge, 100 üye, 1 GB ve ayda 100 ileti, dilediğiniz sürece ücretsizdir. Ücretli planlar ayda 3,99 dolardan başlar.',
    action: 'Planları görün',
  },
  faq: {
    title: 'Sorular',
    account: {
      question: 'Üyelerimin bir hesabı olması gerekir mi?',
      answer:
        'Bir e-posta adresi verir ve tek tıklamayla doğrularlar. Geri gelmek isteyen, o zaman bir ad ve parola belirler.',
    },
    leave: {
      question: 'İnsanlar nasıl ayrılır?',
      answer:
        'Bölgede ya da herhangi bir iletide tek tıklamayla. Bunun için giriş gerekmez, sonrasında ileti gönderilmez.',
    },
    files: {
      question: 'Hangi dosyaları paylaşabilirim?',
      answer:
        'Her biri 100 MB’a kadar, her türden. Resim, video, ses, PDF ve metin tarayıcıda açılır, ötekiler indirilir. Bir dosyanın indirilmesini kapatabilirsiniz.',
    },
    see: {
      question: 'Dosyalarımı kimler görebilir?',
      answer: 'Siz ve bölgenin üyeleri. Her dosya isteği denetlenir; herkese açık adres yoktur.',
    },
    cost: {
      question: 'Planımın bir sınırına ulaşırsam ne olur?',
      answer:
        'Hiçbir şey silinmez, kimse dışarıda kalmaz. Yalnızca yenisini eklemek, yer açmanızı ya da planı değiştirmenizi bekler.',
    },
  },
  closing: {
    title: 'İlk bölgeniz birkaç tıklama uzakta',
    text: 'Bir hesap açın, bir bölgeye bir dosya koyun ve bağlantıyı birine gönderin.',
  },
  steps: {
    title: 'Kısa bir tur',
    position: '{{step}} / {{count}}',
    previous: 'Geri',
    next: 'İleri',
    done: 'Bitti',
    zone: {
      title: 'Dosyalarınız bir bölgede durur',
      text: 'Sürükleyip bırakılan klasörler ve dosyalar; yanlarında görüntülenme ve indirme sayıları.',
    },
    share: {
      title: 'Onu bağlantıyla paylaşırsınız',
      text: 'Geçici bağlantılar kendiliğinden biter ve parola isteyebilir. Açık bir bölgenin QR kodlu, kalıcı tek bir bağlantısı olur.',
    },
    join: {
      title: 'İnsanlar adresleriyle katılır',
      text: 'Bölgenin kimin olduğunu görür, iletilerinizi kabul eder, tek tıklamayla doğrularlar.',
    },
    campaign: { title: 'İçerideki herkese yazarsınız', text: 'Bir yanda metin, öbür yanda iletinin görüneceği hali.' },
    dashboard: { title: 'Gidişatı görürsünüz', text: 'Bölgeler, dosyalar, üyeler ve indirmeler; en son neler olduğu.' },
  },
} satisfies Texts<typeof en>;
