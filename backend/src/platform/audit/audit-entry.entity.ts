import { defineEntity, p } from '@mikro-orm/core';
import type { AuditType } from './audit-types.js';

/** Nothing may change but what takes a person out of the record: ids and address to null, params to a part of them. */
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
 * Who did what to whom, for good. Ids are those of users at that time and no foreign keys: the record outlives the
 * account. The database itself refuses changes and deletions.
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
    /** The person who did it; null for the service itself. */
    actorId: p.bigint('number').nullable(),
    /** The person to whom it was done. */
    subjectId: p.bigint('number').nullable(),
    type: p.string().$type<AuditType>().length(60),
    params: p.json<Record<string, unknown>>(),
    ipAddress: p.string().length(64).nullable(),
    createdAt: p.datetime(),
  },
});
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
