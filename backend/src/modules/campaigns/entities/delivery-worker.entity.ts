import { defineEntity, p } from '@mikro-orm/core';

/** A process that sends. What it holds goes to others when it has not been seen for a while. */
export const DeliveryWorkerSchema = defineEntity({
  name: 'DeliveryWorker',
  tableName: 'delivery_workers',
  properties: {
    id: p.uuid().primary(),
    seenAt: p.datetime(),
  },
});
export class DeliveryWorker extends DeliveryWorkerSchema.class {}
DeliveryWorkerSchema.setClass(DeliveryWorker);
