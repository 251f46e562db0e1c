import type { Texts } from '../../../../shared/preferences/language';
import type en from './en';

export default {
  step: 'Adım {{at}} / {{count}}',
  account: {
    title: 'Kurulumunuzu Hazırlayın',
    text: 'Önce hesabınız. Bu hesap süper yöneticidir: kişilerle, planlarla ve buradaki her şeyle ilgilenir.',
    firstName: 'Ad',
    lastName: 'Soyad',
    email: 'E-posta',
    emailHelp: 'Bununla giriş yaparsınız. Şimdi bu adrese e-posta gönderilmez.',
    usernameHelp: 'Adresinizden önerildi. Harf, rakam ve alt çizgi.',
    password: 'Parola',
    submit: 'Hesap Oluştur',
    done: 'Kurulum artık sizin',
    doneText: 'Süper yönetici olarak giriş yaptınız.',
    failed: 'Hesap oluşturulamadı',
    taken:
      'Bu adresin zaten bir hesabı var. Başka bir adres kullanın ya da o hesabı bir terminalde süper yönetici yapın.',
  },
  continue: 'Kaydet ve Devam Et',
  skip: 'Atla',
  later: 'Daha Sonra',
  finish: 'Bitir',
  failed: 'Bu kaydedilemedi',
  purpose: {
    title: 'Bu Kurulum Ne İçin?',
    text: 'Adı ve kişilerin onu nerede bulacağı ile birlikte.',
    later:
      'Hepsi daha sonra Süper Yönetici → Kurulum altında değiştirilebilir. Atlanırsa başka üreticiler için bir hizmet olur.',
  },
  mail: {
    title: 'E-posta',
    text: 'Davetlerin, giriş bağlantılarının ve kampanyaların kişilere nasıl ulaştığı. Onsuz da başlayabilirsiniz.',
    sender: 'Gönderen',
    saveSender: 'Göndereni Kaydet',
    senderSaved: 'Gönderen değiştirildi',
    later: 'O zamana kadar e-postalar bu makinede tutulur. Süper Yönetici → Kurulum altında bulunur.',
  },
  closed: {
    title: 'Bu kurulum adresi artık çalışmıyor',
    text: 'Adres bir kez, başlangıçtan sonra bir saat boyunca ve yalnızca burada süper yönetici yokken çalışır.',
    signIn: 'Zaten süper yöneticiyseniz giriş yapın.',
    again:
      'Henüz kimse değilse Zonary’yi yeniden başlatın: yeni bir adres yazdırılır. Ya da hesabı, Zonary’nin kurulu olduğu yerde, bir terminalde oluşturun:',
    command: 'npm run admin -- create siz@example.org',
    toSignIn: 'Girişe Git',
  },
} satisfies Texts<typeof en>;
