import { freezeList } from '../../../platform/constants/freeze-list.js';
import type { LocalizedText } from '../../../platform/errors/app-error.js';
import type { JoinMethod } from '../entities/zone-member.entity.js';

/** The consent text shown when joining a zone. It is stored with the consent. */
export const consentText: LocalizedText = {
  en: 'I agree to receive all emails that the owner of this zone sends to its members. I can leave the zone, and with it the emails, at any time. The owner can see which of the emails I open, which links I click, which files I view and how far I read them.',
  tr: 'Bu bölgenin sahibinin üyelere gönderdiği tüm e-postaları almayı kabul ediyorum. Bölgeden, dolayısıyla e-postalardan, istediğim zaman ayrılabilirim. Bölge sahibi hangi e-postaları açtığımı, hangi bağlantılara tıkladığımı, hangi dosyaları görüntülediğimi ve ne kadarını okuduğumu görebilir.',
};

/**
 * The consent texts that say that the owner sees how far files are read. Only members who agreed to one of them are
 * recorded by page. When `consentText` changes, its earlier words stay in this list.
 */
export const readingConsentTexts = freezeList(Object.values(consentText));

/** Stored when the owner declares the consent of people added by an import. */
export const declaredConsentText: LocalizedText = {
  en: 'The owner of the zone declared that this person agreed to receive all emails that the owner sends to the members of the zone.',
  tr: 'Bölgenin sahibi, bu kişinin bölge üyelerine gönderilen tüm e-postaları almayı kabul ettiğini beyan etti.',
};

interface EmailConsentTerms {
  readonly joinMethod: JoinMethod;
  readonly requiresEmailOptin: boolean;
}

/**
 * Whether a member may stay in the zone without receiving its emails. Allowed for members who joined through a
 * purchase, and for everyone in zones that do not require consent. All others stop the emails by leaving.
 */
export function canStayWithoutEmails({ joinMethod, requiresEmailOptin }: EmailConsentTerms): boolean {
  return joinMethod === 'purchase' || !requiresEmailOptin;
}
