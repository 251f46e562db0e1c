import type { Texts } from '../../../shared/preferences/language';
import type en from './faults.en';

export default {
  SENDER_REFUSED:
    'Kendiliğinden duraklatıldı: posta sunucuları bu kampanyayı okurlarınızdan değil, gönderimden kaynaklanan bir nedenle reddediyor. Hiçbir okurunuz bu yüzden e-postalarınızın dışında kalmaz. Verilen yanıtlar aşağıda; neden giderilince sürdürün.',
  READERS_REFUSED:
    'Kendiliğinden duraklatıldı: bir posta sunucusu çok sayıda okurun posta kutusu olmadığını söylüyor. Böyle durumlarda çoğunlukla bir sunucu yanlış ayarlanmıştır; bu yüzden hiçbiri sayılmaz. Verilen yanıtlar aşağıda. Bu adreslerin eski olduğunu biliyorsanız gönderimi sürdürün: o zaman sayılırlar.',
  ALL_REFUSED:
    'Tümü reddedildi: bu kampanya kimseye ulaşmadı. Verilen yanıtlar aşağıda; neden giderilince başarısızları yeniden deneyin.',
  sendAgain: 'Yeniden Gönder',
  reader: 'Adres çalışmıyor',
  sender: 'Gönderimden kaynaklanıyor',
  liftAll: 'Tümüne Yeniden Yaz ({{formatted}})',
  liftedMany_one: '{{formatted}} üye yeniden e-posta alıyor',
  liftedMany_other: '{{formatted}} üye yeniden e-posta alıyor',
  suppressedText:
    'Adresleri üç kampanyada çalışmadı ya da şikâyet ettiler. Gönderimden kaynaklanan nedenle reddedilenler sayılmaz.',
} satisfies Texts<typeof en>;
