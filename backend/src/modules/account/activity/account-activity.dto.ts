import { ApiProperty } from '@nestjs/swagger';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { securityEventKinds } from '../../../platform/security-events/security-event-kinds.js';

/** Types of audit log entries that people see about their own account. */
export const visibleAuditTypes = freezeList([
  'user.email-change-undone',
  'user.email-changed',
  'user.factor-enrolled',
  'user.factor-removed',
  'user.factors-reset',
  'user.identity-linked',
  'user.identity-unlinked',
  'user.password-changed',
  'user.password-reset',
  'user.recovery-code-used',
  'user.recovery-codes-made',
  'user.registered',
  'user.role-changed',
  'user.session-ended',
  'user.sessions-ended',
  'user.signed-in',
  'user.token-made',
  'user.token-revoked',
  'user.username-changed',
]);

export const accountActivityKinds = freezeList([...visibleAuditTypes, ...securityEventKinds]);
export type AccountActivityKind = (typeof accountActivityKinds)[number];

/** An event about the security of the user's account. */
export class AccountActivityDto {
  id: string;
  @ApiProperty({ enum: accountActivityKinds, enumName: 'AccountActivityKind' })
  kind: AccountActivityKind;
  /** Number of times on that day from that network. */
  count: number;
  /** Network address; null if unknown, and for actions of administrators. */
  network: string | null;
  /** Time of the last one. */
  at: Date;
}
