import type { Texts } from '../../preferences/language';
import type en from './en';

export default {
  text: 'Henüz bölgeniz yok. Bölge, dosyalarınızla okurlarınızın buluştuğu yerdir: burada bir tane oluşturulur.',
  name: 'Bölge adı',
  proposed: 'İlk Bölgem',
  nameRequired: 'Lütfen bölgeye bir ad verin.',
  who: 'Kimler girebilir',
  anybody: 'Bağlantıya sahip olan herkes',
  anybodyText: 'Paylaşacağınız bir bağlantı alırsınız; açan herkes katılabilir.',
  invited: 'Yalnızca davet ettiklerim',
  invitedText: 'Bağlantı yoktur. Her kişiyi siz alırsınız.',
  later: 'İkisi de sonradan değiştirilebilir.',
  failed: 'Bölge oluşturulamadı',
} satisfies Texts<typeof en>;
