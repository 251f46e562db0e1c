import { freezeList } from '../../../platform/constants/freeze-list.js';
import type { LocalizedText } from '../../../platform/errors/app-error.js';

/** User-facing outcomes shared by invitations and imports. */
const commonMessages = {
  INVITED: { en: 'Invited', tr: 'Davet edildi' },
  ALREADY_INVITED: { en: 'Already has an open invitation', tr: 'Zaten açık bir daveti var' },
  ALREADY_MEMBER: { en: 'Is already a member', tr: 'Zaten üye' },
  OWNER: { en: 'Owns this zone', tr: 'Bu bölgenin sahibi' },
  INVALID_EMAIL: { en: 'Not a valid email address', tr: 'Geçerli bir e-posta adresi değil' },
  SUPPRESSED: { en: "Doesn't receive emails from you", tr: 'Sizden e-posta almıyor' },
  BLOCKED: { en: 'Is blocked in this zone', tr: 'Bu bölgede engellenmiş' },
  PLAN_LIMIT: {
    en: "Over your plan's limit of members and invitations",
    tr: 'Planınızın üye ve davet sınırını aşıyor',
  },
  DAILY_MAIL_LIMIT: {
    en: "Over today's email limit; can be invited tomorrow",
    tr: 'Bugünün e-posta sınırını aşıyor; yarın davet edilebilir',
  },
  ADDRESS_MAIL_LIMIT: { en: 'Has already received three emails today', tr: 'Bugün zaten üç e-posta aldı' },
  RATE_LIMIT: { en: 'Too many invitations this hour', tr: 'Bu saat için çok fazla davet' },
} satisfies Record<string, LocalizedText>;

/** Outcomes of one address in a list of invitations. */
export const inviteMessages = {
  ...commonMessages,
  DUPLICATE: { en: 'In the list more than once', tr: 'Listede birden fazla kez var' },
  ZONE_FULL: { en: 'The zone is full at the moment', tr: 'Bölge şu anda dolu' },
} satisfies Record<string, LocalizedText>;
export type InviteOutcome = keyof typeof inviteMessages;

/** Actual or predicted outcomes of one row of an import file. */
export const importMessages = {
  ...commonMessages,
  ADDED: { en: 'Added', tr: 'Eklendi' },
  NOT_TOLD: {
    en: "Added without an email (over today's email limit)",
    tr: 'E-posta gönderilmeden eklendi (bugünün e-posta sınırı aşıldı)',
  },
  DUPLICATE: { en: 'In the file more than once', tr: 'Dosyada birden fazla kez var' },
  LEFT: { en: 'Has left this zone or unsubscribed', tr: 'Bu bölgeden ayrılmış veya abonelikten çıkmış' },
} satisfies Record<string, LocalizedText>;

/** Appended to the outcome if a name was truncated. */
export const truncatedNameMessages = {
  firstName: { en: 'The first name was shortened to 50 characters', tr: 'Ad 50 karaktere kısaltıldı' },
  lastName: { en: 'The last name was shortened to 50 characters', tr: 'Soyad 50 karaktere kısaltıldı' },
} satisfies Record<string, LocalizedText>;

export type ImportOutcome = keyof typeof importMessages;
export const importOutcomes = freezeList(Object.keys(importMessages) as ImportOutcome[]);

const successes: readonly ImportOutcome[] = ['ADDED', 'NOT_TOLD', 'INVITED'];
export const isSuccess = (outcome: ImportOutcome): boolean => successes.includes(outcome);
