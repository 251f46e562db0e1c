import { defineEntity, p } from '@mikro-orm/core';

/** Which request works on a resumable upload. It holds only while it is renewed, so that a dead process holds nothing. */
export const UploadLockSchema = defineEntity({
  name: 'UploadLock',
  tableName: 'upload_locks',
  properties: {
    /** The id of the upload, which may not have a row yet. */
    id: p.uuid().primary(),
    /** The holder's. */
    token: p.uuid(),
    /** By the clock of the database, which is one for all processes. */
    heldUntil: p.datetime(),
    /** Another request waits for it. */
    wanted: p.boolean().default(false),
  },
});
export class UploadLock extends UploadLockSchema.class {}
UploadLockSchema.setClass(UploadLock);
