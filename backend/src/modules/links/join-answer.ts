import type { Language } from '../../platform/errors/app-error.js';
import type { JoinAnswerDto } from './dto/join.dto.js';
import { joinSentences } from './join-sentences.js';
import type { JoinOutcome } from './join.service.js';

/** What the page is told of a try to join. */
export function joinAnswer(outcome: JoinOutcome, zoneId: number, language: Language): JoinAnswerDto {
  return {
    message: joinSentences[outcome][language],
    requiresVerification: outcome === 'mailSent',
    requiresLogin: false,
    requiresApproval: outcome === 'waiting',
    redirectUrl: outcome === 'joined' ? `/zones/${zoneId}` : null,
  };
}
