import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';

/** When an owner was last told of accepted invitations, and by which job. */
export const InvitationNoticeSchema = defineEntity({
  name: 'InvitationNotice',
  tableName: 'invitation_notices',
  properties: {
    ownerId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .primary()
        .fieldName('owner_id')
        .deleteRule('cascade')
        .foreignKeyName('invitation_notices_owner_id_foreign'),
    jobId: p.bigint('number'),
    toldAt: p.datetime(),
  },
});
export class InvitationNotice extends InvitationNoticeSchema.class {}
InvitationNoticeSchema.setClass(InvitationNotice);
