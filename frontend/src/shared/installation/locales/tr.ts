import type { Texts } from '../../preferences/language';
import type en from './en';

export default {
  failed: 'Site ayarları yüklenemedi',
  save: 'Değişiklikleri Kaydet',
  saved: 'Site ayarları kaydedildi',
  saveFailed: 'Site ayarları kaydedilemedi',
  needsStart:
    'Adres http ile https arasında değişti. Çerezlerin ve güvenlik başlıklarının güncellenmesi için sunucuyu yeniden başlatın.',
  byVariable:
    '{{variable}} ortam değişkeniyle ayarlandı. Orada değiştirin veya burada ayarlamak için değişkeni kaldırıp sunucuyu yeniden başlatın.',
  emptyIs: 'Varsayılan: {{value}}',
  emptyIt: 'Varsayılan değere dönmek için boş bırakın.',
  parts: {
    purpose: 'Amaç',
    service: 'Bu Site',
    mails: 'E-postalar',
    company: 'Şirket Bilgileri',
    legal: 'Yasal Metinler',
  },
  partTexts: {
    purpose:
      'Planların, sınırların ve fiyatların bu sitede geçerli olup olmadığı. İstediğiniz zaman değiştirebilirsiniz; hiçbir veri kaybolmaz.',
    service: 'Kullanıcıların gördükleri. Değişiklikler tüm sunucularda birkaç saniye içinde geçerli olur.',
    mails: 'E-postaların kimden gönderildiği ve kullanıcıların nereye yazabileceği.',
    company: 'Herkese açık sayfaların alt bilgisinde gösterilir.',
    legal:
      'Alt bilgide ve hesap oluşturulan veya bölgeye katılınan sayfalarda bağlantı olarak gösterilir. Gizlilik sayfası her zaman vardır ve metninizin altında neyin ne kadar süre saklandığını gösterir.',
  },
  defaultPlan: {
    label: 'Yeni hesapların planı',
    help: 'Başka bir plan satın almamış ve kendisine plan verilmemiş herkes için geçerlidir. Değişen sınırlar birkaç dakika içinde herkese uygulanır.',
  },
  name: { label: 'Ad', help: 'Sitede ve e-postalarda gösterilir.' },
  address: {
    label: 'Herkese açık adres',
    help: 'E-postalardaki bağlantılar buraya gider; örneğin https://zones.example.com. Geçiş anahtarları yalnızca oluşturuldukları adreste çalışır; adresi değiştirirseniz mevcut anahtarlar çalışmaz olur.',
  },
  mailFrom: {
    label: 'Gönderen',
    help: 'Örneğin Zones <hello@example.com>. E-posta sunucunuz bu gönderene izin vermelidir.',
  },
  contactEmail: { label: 'İletişim e-postası', help: 'Planlarla ilgili sorusu olanlara gösterilir.' },
  companyName: { label: 'Şirket' },
  companyDirector: { label: 'Genel müdür' },
  companyType: { label: 'Faaliyet türü' },
  companyPhone: { label: 'Telefon' },
  companyAddress: {
    label: 'Posta adresi',
    help: 'Kendi posta adresini eklememiş bölge sahiplerinin kampanya e-postalarında da kullanılır.',
  },
  termsUrl: {
    label: 'Koşullarınızın bağlantısı',
    help: 'Örneğin https://example.com/terms.',
    write: 'Veya koşullarınızı buraya yazın',
    text: 'Koşullar ({{language}})',
  },
  privacyUrl: {
    label: 'Gizlilik politikanızın bağlantısı',
    help: 'Örneğin https://example.com/privacy.',
    write: 'Veya gizlilik politikanızı buraya yazın',
    text: 'Gizlilik politikası ({{language}})',
  },
  imprintUrl: {
    label: 'Künyenizin bağlantısı',
    help: 'Örneğin https://example.com/imprint.',
    write: 'Veya künyenizi buraya yazın',
    text: 'Künye ({{language}})',
  },
  textHelp:
    'Paragrafları boş satırlarla ayrılan düz metin. Web adresleri bağlantıya dönüşür. Bir dil boşsa diğeri gösterilir. Yukarıda bağlantı varsa bu metin yerine o kullanılır.',
  mail: {
    title: 'E-posta Sunucusu',
    text: 'Bu sitenin e-postalarını gönderen sunucu. Değişiklikler, gönderilmekte olan kampanyalar için de birkaç saniye içinde geçerli olur.',
    none: 'E-posta sunucusu ayarlanmadı: e-postalar bu sunucuda saklanıyor ve gönderilmiyor.',
    lost: 'Sitenin gizli anahtarı değiştiği için parolanın şifresi çözülemiyor. Parolayı yeniden girin; e-postalar o zamana kadar bekler.',
    host: 'Sunucu adresi',
    hostHelp: 'Örneğin mail.example.com. E-posta sağlayıcınızdan öğrenebilirsiniz.',
    security: 'Güvenlik',
    starttls: 'STARTTLS (genellikle 587)',
    tls: 'Doğrudan TLS (genellikle 465)',
    port: 'Bağlantı noktası',
    user: 'Kullanıcı adı',
    userHelp: 'Sunucu kullanıcı adı istemiyorsa boş bırakın.',
    password: 'Parola',
    passwordKept:
      'Kayıtlı bir parola var. Korumak için boş bırakın; sunucu adresini veya kullanıcı adını değiştirirseniz parolayı yeniden girin.',
    passwordHelp: 'Şifrelenerek saklanır ve hiçbir zaman gösterilmez.',
    save: 'E-posta Sunucusunu Kaydet',
    saved: 'E-posta sunucusu kaydedildi',
    forget: 'E-posta Sunucusunu Kaldır',
    serverAs: '{{user}} olarak {{server}}',
    testTo: 'Test e-postasının alıcısı',
    testUnsaved: 'Kaydetmemiş olsanız bile yukarıdaki ayarlarla gönderilir.',
    testInUse: 'Kullanımdaki e-posta sunucusuyla gönderilir.',
    test: 'Test E-postası Gönder',
    testFailed: 'Test e-postası gönderilemedi',
    said: 'Sunucunun yanıtı: {{said}}',
    stages: {
      resolve: 'Sunucu bulunamadı',
      connect: 'Hiçbir e-posta sunucusu yanıt vermedi',
      tls: 'Güvenli bağlantı kurulamadı',
      'sign-in': 'Kullanıcı adı veya parola reddedildi',
      sender: 'Gönderen veya e-posta reddedildi',
      recipient: 'Alıcı reddedildi',
    },
  },
  dns: {
    title: 'DNS Kayıtları',
    text: 'E-posta sağlayıcıları, bir e-postanın gerçekten göndereninden gelip gelmediğini bu kayıtlarla kontrol eder. Kayıtlar yoksa birçok e-posta spam klasörüne düşer.',
    failed: 'Kayıtlar sorgulanamadı',
    noDomain: 'Gönderenin henüz alan adı yok. Önce hello@example.com gibi bir gönderen belirleyin.',
    of: '{{domain}} alan adının kayıtları. Eksik kayıtları alan adı sağlayıcınızda ekleyin; görünmeleri birkaç saat sürebilir.',
    again: 'Yeniden Kontrol Et',
    byServer:
      'E-postalar burada imzalanmıyor. E-posta sağlayıcınıza e-postaları imzalayıp imzalamadığını ve hangi kaydı istediğini sorun.',
    kinds: { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC' },
    states: { done: 'Tamam', missing: 'Eksik', wrong: 'Yanlış', unknown: 'Bilinmiyor' },
    texts: {
      spf: 'Alan adınız adına kimlerin e-posta gönderebileceği. Yalnızca bir tane olabilir: zaten varsa eksik olanı ona ekleyin.',
      dkim: 'E-postaların imzalandığı anahtar.',
      dmarc: 'E-posta sağlayıcılarının, sizin alan adınızdan geliyormuş gibi görünen e-postalara ne yapacağı.',
    },
    name: '{{kind}}: ad',
    value: '{{kind}}: değer ({{type}})',
  },
} satisfies Texts<typeof en>;
