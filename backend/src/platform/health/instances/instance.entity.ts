import { defineEntity, p } from '@mikro-orm/core';
import { freezeList } from '../../constants/freeze-list.js';

/** Role of a process; `ROLE=all` is a web process with a worker beside it. */
export const instanceRoles = freezeList(['web', 'worker']);
export type InstanceRole = (typeof instanceRoles)[number];

/** A running process. Rows outlive processes that were killed, so only those with a recent heartbeat count. */
export const InstanceSchema = defineEntity({
  name: 'Instance',
  tableName: 'instances',
  properties: {
    id: p.uuid().primary(),
    role: p.string().length(10).$type<InstanceRole>(),
    host: p.string().length(255),
    /** Port on which a web process serves; null for a worker. */
    port: p.integer().nullable(),
    seenAt: p.datetime(),
    /** STORAGE_URL of the process; null until it has reported it. */
    storageUrl: p.string().length(2048).nullable(),
    /** The move of the files for which the process is ready: it reads both storages. */
    storageMoveId: p.bigint('number').nullable(),
    /** Why the process can't take part in the move. */
    storageProblem: p.string().length(500).nullable(),
  },
  checks: [{ name: 'instances_role_check', expression: `"role" in ('web', 'worker')` }],
});
export class Instance extends InstanceSchema.class {}
InstanceSchema.setClass(Instance);
