import type { Sentence } from '../../../platform/errors/app-error.js';

/** What became of one address of a list. */
export type InviteOutcome =
  | 'INVITED'
  | 'ALREADY_INVITED'
  | 'ALREADY_MEMBER'
  | 'OWNER'
  | 'INVALID_EMAIL'
  | 'DUPLICATE'
  | 'SUPPRESSED'
  | 'PLAN_LIMIT'
  | 'ZONE_FULL'
  | 'RATE_LIMIT';

/** The same for people. */
export const outcomeSentences: Record<InviteOutcome, Sentence> = {
  INVITED: { en: 'Invited', tr: 'Davet edildi' },
  ALREADY_INVITED: { en: 'Has an open invitation already', tr: 'Zaten açık bir daveti var' },
  ALREADY_MEMBER: { en: 'Is already a member', tr: 'Zaten üye' },
  OWNER: { en: 'Owns this zone', tr: 'Bu bölgenin sahibi' },
  INVALID_EMAIL: { en: 'Not a valid email address', tr: 'Geçerli bir e-posta adresi değil' },
  DUPLICATE: { en: 'Stands in the list more than once', tr: 'Listede birden fazla kez var' },
  SUPPRESSED: { en: 'Does not receive mail from you', tr: 'Sizden e-posta almıyor' },
  PLAN_LIMIT: { en: "Over your plan's member limit", tr: 'Planınızın üye sınırını aşıyor' },
  ZONE_FULL: { en: 'The zone is full at the moment', tr: 'Bölge şu anda dolu' },
  RATE_LIMIT: { en: 'Too many invitations this hour', tr: 'Bu saat için çok fazla davet' },
};
