import type { Texts } from '../../preferences/language';
import type en from './en';

export default {
  text: 'Henüz bölgeniz yok. Bölge, üyelerinizle dosya paylaştığınız yerdir. İlk bölgenizi burada oluşturun.',
  name: 'Bölge adı',
  proposed: 'İlk Bölgem',
  nameRequired: 'Lütfen bölgeye bir ad verin.',
  who: 'Kimler katılabilir',
  anybody: 'Bağlantıya sahip olan herkes',
  anybodyText: 'Paylaşacağınız bir bağlantı alırsınız; açan herkes katılabilir.',
  invited: 'Yalnızca davet ettiklerim',
  invitedText: 'Bağlantı yoktur. Herkesi siz davet edersiniz.',
  later: 'İkisini de sonradan değiştirebilirsiniz.',
  failed: 'Bölge oluşturulamadı',
} satisfies Texts<typeof en>;
