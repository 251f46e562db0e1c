import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  title: 'Gizlilik',
  lead: '{{name}} sizinle ilgili neyi, ne kadar süre saklar.',
  whileMember: 'Hesabınız olduğu sürece',
  account:
    'Adınız, e-posta adresiniz, diliniz ve ayarlarınız hesabınızı silene kadar saklanır. Hesabı sildiğinizde bunlar hemen, bunlara bağlı olanlar dakikalar içinde silinir.',
  membership:
    'Hangi bölgelerde olduğunuz ve her birine en son ne zaman girdiğiniz, orada olduğunuz sürece saklanır; ikincisi sizden başka kimseye gösterilmez. Hangi e-postalara onay verdiğiniz, bölge ve hesabınız var olduğu sürece kanıt olarak saklanır.',
  lives: 'Süresi dolanlar',
  livesText: 'Hizmeti kullandıkça yazılan kayıtlar kendiliğinden silinir:',
  what: 'Ne',
  howLong: 'Ne kadar süre',
  ips: 'Ziyaretlerin, açılan e-postaların ve hesap değişikliklerinin ağ adresleri',
  linkUsages: 'Bağlantıyla katılma denemelerinin her biri; toplamlar siz olmadan kalır',
  campaignEvents: 'E-postaların her bir açılışı ve tıklaması; raporun toplamları kalır',
  activity: 'Bir bölgede olanlar, örneğin katılma veya dosya açma; günlük sayılar kalır',
  webhookBodies: 'Mağazaların ve ödeme sağlayıcılarının bir satın alma için gönderdiği iletilerin metni',
  days_one: '{{formatted}} gün',
  days_other: '{{formatted}} gün',
  forever: 'Hizmet sürdükçe',
  how: 'Burada nasıl işler',
  tracking:
    'İçerik üreticilerinin e-postaları, açıldıklarını ve hangi bağlantılarına tıklandığını kaydedebilir. İçerik üreticisi bunu kapatabilir.',
  places: {
    country:
      'Bağlantıyla yapılan bir ziyaretin ülkesi, ağ adresinden bu hizmetteki bir dosyayla bulunur: adres bunun için kimseye gönderilmez.',
    city: 'Bağlantıyla yapılan bir ziyaretin ülkesi ve şehri, ağ adresinden bu hizmetteki bir dosyayla bulunur: adres bunun için kimseye gönderilmez.',
  },
  files: {
    machine: 'Dosyalar bu hizmetin makinesinde durur.',
    bucket: 'Dosyalar bir bulut sağlayıcısında, Google Cloud Storage’da durur.',
  },
  payments:
    'Bir plan için ödeme Stripe üzerinden yapılır; adı, adresi ve kartı Stripe öğrenir. Kart numarası buraya hiçbir zaman gelmez.',
  singleSignOn:
    '{{name}} ile giriş yapanlar orada da bilinir: {{name}} bu girişlerin her birini öğrenir, bize de adı ve e-posta adresini bildirir.',
  terms: 'Koşullar',
  imprint: 'Künye',
  elsewhere: 'Şurada okunabilir:',
  loading: 'Yükleniyor …',
  rights: 'Yapabilecekleriniz',
  rightsText: 'Ayarlarınızdan, sizinle ilgili saklanan her şeyi alabilir, düzeltebilir ve hesabınızı silebilirsiniz.',
  contact: 'Sorularınız için:',
  failed: 'Bu bilgiler yüklenemedi.',
} satisfies Texts<typeof en>;
