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
  rights: 'Yapabilecekleriniz',
  rightsText: 'Ayarlarınızdan, sizinle ilgili saklanan her şeyi alabilir, düzeltebilir ve hesabınızı silebilirsiniz.',
  contact: 'Sorularınız için:',
  failed: 'Bu bilgiler yüklenemedi.',
} satisfies Texts<typeof en>;
