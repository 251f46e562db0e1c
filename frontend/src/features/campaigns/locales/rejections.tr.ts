import type { Texts } from '../../../shared/preferences/language';
import type en from './rejections.en';

export default {
  SENDER_REFUSED:
    'Otomatik olarak duraklatıldı: e-posta sunucuları bu kampanyayı alıcılarınız değil, gönderen nedeniyle reddediyor. Hiçbir alıcı bu yüzden e-postalarınızın dışında bırakılmaz. Sunucuların yanıtları aşağıda. Sorun giderilince gönderime devam edin.',
  READERS_REFUSED:
    'Otomatik olarak duraklatıldı: bir e-posta sunucusu, alıcılarınızın çok büyük bir bölümünün posta kutusunun bulunmadığını bildiriyor. Bu genellikle bir sunucunun yanlış ayarlandığını gösterir; bu yüzden bu hatalar alıcılarınız için sayılmaz. Sunucunun yanıtları aşağıda. Bu adreslerin eski olduğunu biliyorsanız gönderime devam edin; o zaman sayılırlar.',
  ALL_REFUSED:
    'Tüm e-postalar reddedildi, bu kampanya kimseye ulaşmadı. Sunucuların yanıtları aşağıda. Sorun giderilince başarısız olanları yeniden deneyin.',
  sendAgain: 'Yeniden Gönder',
  reader: 'Adres çalışmıyor',
  sender: 'Gönderenden kaynaklanıyor',
  liftAll: 'Tümüne Yeniden Gönder ({{formatted}})',
  liftedMany_one: '{{formatted}} üye yeniden e-posta alıyor',
  liftedMany_other: '{{formatted}} üye yeniden e-posta alıyor',
  suppressedText:
    'Bu kişilere giden e-postalar üç kampanyada geri döndü ya da kişiler bir e-postayı spam olarak bildirdi. Gönderen nedeniyle reddedilen e-postalar sayılmaz.',
} satisfies Texts<typeof en>;
