import { defineEntity, p } from '@mikro-orm/core';
import type { AuditType } from './audit-types.js';

/** Updates may only anonymise: set user ids and the IP address to null, and remove keys from `params`. */
const appendOnly = `
  if tg_op = 'DELETE' then
    raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
  end if;
  if new.id is distinct from old.id or new.type is distinct from old.type
    or new.created_at is distinct from old.created_at
    or (new.actor_id is not null and new.actor_id is distinct from old.actor_id)
    or (new.subject_id is not null and new.subject_id is distinct from old.subject_id)
    or (new.ip_address is not null and new.ip_address is distinct from old.ip_address)
    or not (new.params <@ old.params) then
    raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
  end if;
  return new;`;

/**
 * Append-only audit log, kept forever. User ids are not foreign keys, so that entries outlive the accounts. A database
 * trigger rejects other updates and all deletions.
 */
export const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_log',
  indexes: [
    { name: 'audit_log_created_at_index', properties: ['createdAt'] },
    { name: 'audit_log_traced_index', properties: ['createdAt'], where: 'ip_address is not null' },
    { name: 'audit_log_actor_id_index', properties: ['actorId'] },
    { name: 'audit_log_subject_id_index', properties: ['subjectId'] },
    { name: 'audit_log_type_index', properties: ['type', 'createdAt'] },
  ],
  triggers: [{ name: 'append_only', timing: 'before', events: ['update', 'delete'], forEach: 'row', body: appendOnly }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** The user who did it; null for the system. */
    actorId: p.bigint('number').nullable(),
    /** The user it was done to. */
    subjectId: p.bigint('number').nullable(),
    type: p.string().$type<AuditType>().length(60),
    params: p.json<Record<string, unknown>>(),
    ipAddress: p.string().length(64).nullable(),
    createdAt: p.datetime(),
  },
});
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
