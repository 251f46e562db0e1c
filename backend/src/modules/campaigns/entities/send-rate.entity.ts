import { defineEntity, p } from '@mikro-orm/core';

/** A bucket from which all processes together take what they may send. */
export const SendRateSchema = defineEntity({
  name: 'SendRate',
  tableName: 'send_rates',
  properties: {
    name: p.string().length(30).primary(),
    tokens: p.double(),
    updatedAt: p.datetime(),
  },
});
export class SendRate extends SendRateSchema.class {}
SendRateSchema.setClass(SendRate);
