import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  title: 'Gizlilik',
  lead: '{{name}} hakkınızda neyi, ne kadar süre saklar.',
  whileMember: 'Hesabınız Olduğu Sürece',
  account:
    'Adınızı, e-posta adresinizi, dilinizi ve ayarlarınızı hesabınızı silene kadar saklarız. Hesabınızı sildiğinizde bunlar hemen, bunlara bağlı veriler birkaç dakika içinde silinir.',
  membership:
    'Hangi bölgelerde olduğunuzu ve her birini en son ne zaman ziyaret ettiğinizi, üye olduğunuz sürece saklarız. Son ziyaretinizi yalnızca siz görebilirsiniz. Son 100 dosyada okumayı nerede bıraktığınızı saklarız; bunu da yalnızca siz görebilirsiniz. Hangi e-postalara onay verdiğinizi, bölge ve hesabınız var olduğu sürece kanıt olarak saklarız.',
  lives: 'Süresi Dolanlar',
  livesText: 'Hizmeti kullanımınıza ilişkin kayıtlar otomatik olarak silinir:',
  what: 'Ne',
  howLong: 'Ne kadar süre',
  ips: 'Ziyaretlerin, açılan e-postaların ve hesap değişikliklerinin IP adresleri',
  linkUsages:
    'Bağlantıyla katılma denemelerinin her biri ve bağlantı açmak için girilen adresler; toplamlar, verileriniz olmadan saklanır. Bağlantıyla dosya gönderdiyseniz adres dosyalarla birlikte kalır',
  campaignEvents: 'E-postaların her bir açılışı ve tıklaması; rapordaki toplamlar saklanır',
  activity: 'Bir bölgede olanlar, örneğin katılma veya dosya açma; günlük toplamlar saklanır',
  reading:
    'Bir dosyada okuduğunuz sayfaların her biri ve ne kadar süre okuduğunuz; toplamlar ve ne kadarını okuduğunuz saklanır',
  webhookBodies: 'Mağazaların ve ödeme sağlayıcılarının bir satın alma için gönderdiği iletilerin tam metni',
  days_one: '{{formatted}} gün',
  days_other: '{{formatted}} gün',
  forever: 'Hizmet devam ettiği sürece',
  how: 'Burada Nasıl Çalışır',
  tracking:
    'İçerik üreticilerinin e-postaları, açılıp açılmadıklarını ve hangi bağlantılarına tıklandığını kaydedebilir. İçerik üreticileri bunu kapatabilir.',
  readingText:
    'Bir bölgede belge okuduğunuzda, katılırken buna onay verdiyseniz, bölge sahibi hangi sayfaları, ne zaman ve ne kadar süre okuduğunuzu görebilir. Bölge sahipleri bunu kapatabilir. Hakkınızda kaydedilenleri verilerinizle birlikte indirebilirsiniz.',
  places: {
    country:
      'Bir bağlantıyla ziyaret ettiğinizde IP adresinizin ülkesine kendi sunucumuzdaki bir dosyadan bakılır. IP adresiniz bunun için kimseye gönderilmez.',
    city: 'Bir bağlantıyla ziyaret ettiğinizde IP adresinizin ülkesine ve şehrine kendi sunucumuzdaki bir dosyadan bakılır. IP adresiniz bunun için kimseye gönderilmez.',
  },
  files: {
    machine: 'Dosyalar bu hizmetin kendi sunucusunda saklanır.',
    bucket: 'Dosyalar bir bulut sağlayıcısında, Google Cloud Storage’da saklanır.',
  },
  payments:
    'Plan ödemelerini Stripe alır; adınız, adresiniz ve kart bilgileriniz Stripe’a iletilir. Kart numaranız bize hiçbir zaman ulaşmaz.',
  singleSignOn:
    '{{name}} ile giriş yaparsanız {{name}} her girişinizden haberdar olur ve bize adınızı ve e-posta adresinizi iletir.',
  terms: 'Koşullar',
  imprint: 'Künye',
  elsewhere: 'Metni burada okuyabilirsiniz:',
  loading: 'Yükleniyor…',
  rights: 'Yapabilecekleriniz',
  rightsText:
    'Ayarlarınızdan, hakkınızda sakladığımız her şeyi indirebilir, düzeltebilir ve hesabınızı silebilirsiniz.',
  contact: 'Sorularınız için:',
  failed: 'Bu metin yüklenemedi.',
} satisfies Texts<typeof en>;
