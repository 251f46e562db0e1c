/** Words common in Turkish passwords. The library's dictionaries cover English words and leaked passwords. */
const WORDS = `şifre parola sifrem şifrem parolam şifreyok bilmiyorum merhaba selam günaydın iyigeceler hoşgeldin teşekkürler
seni seviyorum seviyorum aşkım askim sevgilim canım canim hayatım hayatim bebeğim bebegim birtanem tatlım güzelim meleğim
prenses kraliçe kral aslan kaplan kartal kanarya cimbom fener fenerbahçe fenerbahce galatasaray beşiktaş besiktas
trabzonspor bursaspor göztepe konyaspor sivasspor samsunspor çarşı ultraslan sarıkırmızı sarılacivert siyahbeyaz bordomavi
türkiye turkiye türk turk atatürk ataturk cumhuriyet mustafa kemal osmanlı fatih istanbul ankara izmir bursa antalya adana
konya gaziantep şanlıurfa mersin diyarbakır kayseri eskişehir samsun trabzon malatya erzurum sakarya kocaeli denizli
balıkesir manisa muğla bodrum çanakkale edirne kadıköy kadikoy üsküdar beyoğlu taksim karadeniz akdeniz anadolu boğaziçi
mehmet ahmet ali hüseyin hasan ibrahim ismail osman yusuf murat ömer ramazan halil süleyman abdullah recep salih emre
burak serkan hakan fatma ayşe ayse emine hatice zeynep elif meryem şerife zehra sultan hanife merve özlem esra büşra kübra
yılmaz kaya demir şahin çelik yıldız yıldırım öztürk aydın özdemir arslan doğan kılıç aslan çetin kara koç kurt özkan şimşek
polat korkmaz bulut güneş ay yıldızlı deniz bahar yağmur toprak çiçek gül papatya menekşe kiraz elma karpuz çikolata
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık pazartesi salı çarşamba perşembe cuma cumartesi
pazar bir iki üç dört beş altı yedi sekiz dokuz on yüz bin anne annem baba babam kardeş kardeşim abla abi oğlum kızım
ev okul iş araba bilgisayar telefon internet deneme test admin yönetici kullanıcı misafir giriş hesap hesabım eposta
bismillah allah allahım inşallah maşallah elhamdülillah muhammed ramazan bayram kuran kalem kitap defter öğretmen öğrenci
doktor mühendis polis asker komutan efsane şampiyon bozkurt alperen kurtlar vadisi ezel çukur kuruluş diriliş ertuğrul`;

/** In lower case, the most common first. */
export const turkishWords: readonly string[] = WORDS.split(/\s+/);
