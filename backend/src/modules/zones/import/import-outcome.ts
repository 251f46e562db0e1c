import type { Sentence } from '../../../platform/errors/app-error.js';

/** What became of one row, or would become of it. */
export const importOutcomes = [
  'ADDED',
  'INVITED',
  'ALREADY_MEMBER',
  'ALREADY_INVITED',
  'OWNER',
  'INVALID_EMAIL',
  'DUPLICATE',
  'LEFT',
  'SUPPRESSED',
  'PLAN_LIMIT',
  'RATE_LIMIT',
] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** The same for people. */
export const importSentences: Record<ImportOutcome, Sentence> = {
  ADDED: { en: 'Added', tr: 'Eklendi' },
  INVITED: { en: 'Invited', tr: 'Davet edildi' },
  ALREADY_MEMBER: { en: 'Is already a member', tr: 'Zaten üye' },
  ALREADY_INVITED: { en: 'Has an open invitation already', tr: 'Zaten açık bir daveti var' },
  OWNER: { en: 'Owns this zone', tr: 'Bu bölgenin sahibi' },
  INVALID_EMAIL: { en: 'Not a valid email address', tr: 'Geçerli bir e-posta adresi değil' },
  DUPLICATE: { en: 'Stands in the file more than once', tr: 'Dosyada birden fazla kez var' },
  LEFT: { en: 'Has left this zone or its emails', tr: 'Bu bölgeden veya e-postalarından ayrılmış' },
  SUPPRESSED: { en: 'Does not receive mail from you', tr: 'Sizden e-posta almıyor' },
  PLAN_LIMIT: { en: "Over your plan's member limit", tr: 'Planınızın üye sınırını aşıyor' },
  RATE_LIMIT: { en: 'Too many invitations this hour', tr: 'Bu saat için çok fazla davet' },
};

export const isSuccess = (outcome: ImportOutcome): boolean => outcome === 'ADDED' || outcome === 'INVITED';
