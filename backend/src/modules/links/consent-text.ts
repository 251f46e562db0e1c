import type { Sentence } from '../../platform/errors/app-error.js';

/** The words to which a person agrees when joining. They are shown on the page and stored with the consent. */
export const consentText: Sentence = {
  en: 'I agree to receive all emails that the owner of this zone sends to its members. I can leave the zone, and with it the emails, at any time. The owner can see which of the emails I open, which links I click and which files I view.',
  tr: 'Bu bölgenin sahibinin üyelere gönderdiği tüm e-postaları almayı kabul ediyorum. Bölgeden, dolayısıyla e-postalardan, istediğim zaman ayrılabilirim. Bölge sahibi hangi e-postaları açtığımı, hangi bağlantılara tıkladığımı ve hangi dosyaları görüntülediğimi görebilir.',
};
