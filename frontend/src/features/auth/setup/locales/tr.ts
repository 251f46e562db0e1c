import type { Texts } from '../../../../shared/preferences/language';
import type en from './en';

export default {
  step: 'Adım {{at}} / {{count}}',
  account: {
    title: 'Sitenizi Kurun',
    text: 'Önce hesabınızı oluşturun. Bu hesap süper yöneticidir: kullanıcıları, planları ve buradaki her şeyi yönetir.',
    firstName: 'Ad',
    lastName: 'Soyad',
    email: 'E-posta',
    emailHelp: 'Bu adresle giriş yaparsınız. Şimdi e-posta gönderilmez.',
    usernameHelp: 'E-posta adresinize göre önerildi. Harf, rakam ve alt çizgi.',
    password: 'Parola',
    submit: 'Hesap Oluştur',
    done: 'Siteniz hazır',
    doneText: 'Süper yönetici olarak giriş yaptınız.',
    failed: 'Hesap oluşturulamadı',
    taken:
      'Bu e-posta adresinin zaten bir hesabı var. Başka bir adres kullanın veya o hesabı terminalde süper yönetici yapın.',
  },
  continue: 'Kaydet ve Devam Et',
  later: 'Daha Sonra',
  finish: 'Bitir',
  failed: 'Değişiklikleriniz kaydedilemedi',
  purpose: {
    title: 'Bu Site Ne İçin?',
    text: 'Amacını, adını ve adresini belirleyin.',
    later: 'Bunların hepsini daha sonra Süper Yönetici → Site Ayarları altında değiştirebilirsiniz.',
  },
  mail: {
    title: 'E-posta',
    text: 'Davetlerin, giriş bağlantılarının ve kampanyaların kişilere nasıl ulaşacağı. Bunu ayarlamadan da başlayabilirsiniz.',
    sender: 'Gönderen',
    saveSender: 'Göndereni Kaydet',
    senderSaved: 'Gönderen kaydedildi',
    later:
      'O zamana kadar e-postalar bu sunucuda saklanır. Daha sonra Süper Yönetici → Site Ayarları altında ayarlayabilirsiniz.',
  },
  done: {
    title: 'Bu site zaten kuruldu',
    text: 'Sitenin süper yöneticisisiniz. Ayarlarını yönetim bölümünden değiştirebilirsiniz.',
    toSettings: 'Ayarlara Git',
  },
  closed: {
    title: 'Bu kurulum adresi artık çalışmıyor',
    text: 'Adres, başlatmadan sonraki bir saat içinde, bir kez ve yalnızca sitenin süper yöneticisi yokken çalışır.',
    signIn: 'Zaten süper yöneticiyseniz giriş yapın.',
    again:
      'Henüz süper yönetici yoksa yeni bir adres almak için Zonary’yi yeniden başlatın. Ya da hesabı, Zonary’nin kurulu olduğu yerde terminalde oluşturun:',
    command: 'npm run admin -- create siz@example.org',
    toSignIn: 'Giriş Sayfasına Git',
  },
} satisfies Texts<typeof en>;
