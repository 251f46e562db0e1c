import type { Texts } from '../../preferences/language';
import type en from './en';

export default {
  username: {
    label: 'Kullanıcı adı',
    help: '3–30 karakter: harf, rakam ve alt çizgi.',
    checking: 'Kontrol ediliyor…',
    failed: 'Kullanıcı adı kontrol edilemedi',
  },
  strength: {
    help: 'En az 8 karakter.',
    weak: 'Kolay tahmin edilir.',
    good: 'İyi bir parola.',
    strong: 'Güçlü bir parola.',
    advice: 'Birbiriyle ilgisiz birkaç kelime kullanın.',
    reasons: {
      common: 'İlk denenen parolalardan biri.',
      similar: 'Sık kullanılan bir parolaya çok benziyor.',
      own: 'Adınızı, e-posta adresinizi veya bu hizmetin adını içeriyor.',
      word: 'Tek bir kelimeyi tahmin etmek kolaydır.',
      name: 'Adları tahmin etmek kolaydır.',
      date: 'Tarihleri tahmin etmek kolaydır.',
      year: 'Yılları tahmin etmek kolaydır.',
      keyboard: 'Klavyede yan yana duran tuşları tahmin etmek kolaydır.',
      repeat: 'Aynı karakterleri tekrarlamak parolayı pek güçlendirmez.',
      sequence: '“abc” veya “123” gibi dizileri tahmin etmek kolaydır.',
      guessable: 'Çok kısa veya kolay tahmin edilen parçalardan oluşuyor.',
    },
  },
} satisfies Texts<typeof en>;
