import { defineEntity, p } from '@mikro-orm/core';
import type { Source } from '../shared/sources.js';

/** A sender that has not been heard of for three times its usual interval, and of which somebody was told. */
export const IntegrationSilenceSchema = defineEntity({
  name: 'IntegrationSilence',
  tableName: 'integration_silences',
  properties: {
    source: p.string().$type<Source>().length(20).primary(),
    /** The last delivery before the silence: another one ends it. */
    webhookId: p.bigint('number'),
    notedAt: p.datetime(),
  },
});
export class IntegrationSilence extends IntegrationSilenceSchema.class {}
IntegrationSilenceSchema.setClass(IntegrationSilence);
