import type { Texts } from '../../preferences/language';
import type en from './en';

export default {
  username: {
    label: 'Kullanıcı adı',
    help: '3-30 harf, rakam ve alt çizgi.',
    checking: 'Denetleniyor…',
    failed: 'Kullanıcı adı denetlenemedi',
  },
  strength: {
    help: 'En az 8 karakter.',
    weak: 'Kolay tahmin edilir.',
    good: 'İyi bir parola.',
    strong: 'Güçlü bir parola.',
    advice: 'Birbiriyle ilgisiz birkaç sözcük seçin.',
    reasons: {
      common: 'Herkesin ilk denediği parolalardan biri.',
      similar: 'Çok kullanılan bir parolaya çok benziyor.',
      own: 'Adınızı, adresinizi veya bu hizmetin adını içeriyor.',
      word: 'Tek bir sözcük çabuk bulunur.',
      name: 'Adlar çabuk bulunur.',
      date: 'Tarihler çabuk bulunur.',
      year: 'Yıllar çabuk bulunur.',
      keyboard: 'Klavyede yan yana duran tuşlar çabuk bulunur.',
      repeat: 'Aynı karakterleri yinelemek pek bir şey katmaz.',
      sequence: '“abc” veya “123” gibi diziler çabuk bulunur.',
      guessable: 'Çok kısa ya da kolay bulunan parçalardan oluşuyor.',
    },
  },
} satisfies Texts<typeof en>;
