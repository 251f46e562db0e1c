import type { Zone } from './sort-zones';

/** Who can join a zone, and how. */
export type JoinSettings = Pick<Zone, 'type' | 'autoJoin' | 'requiresEmailOptin'>;

export const consequences = [
  'linkEnds',
  'linkBegins',
  'temporaryEnd',
  'approvalBegins',
  'approvalEnds',
  'optinBegins',
  'optinEnds',
] as const;
export type Consequence = (typeof consequences)[number];

/** Returns the consequences of changing the settings, in the order of `consequences`; empty if nothing changes. */
export function listConsequences(before: JoinSettings, after: JoinSettings): Consequence[] {
  if (after.type === 'private') return before.type === 'public' ? ['linkEnds'] : [];
  // A private zone has no join settings of its own: when it becomes public, it starts with these.
  const previous = before.type === 'public' ? before : { autoJoin: true, requiresEmailOptin: true };
  const applies: Record<Consequence, boolean> = {
    linkEnds: false,
    linkBegins: before.type === 'private',
    temporaryEnd: before.type === 'private',
    approvalBegins: previous.autoJoin && !after.autoJoin,
    approvalEnds: !previous.autoJoin && after.autoJoin,
    optinBegins: !previous.requiresEmailOptin && after.requiresEmailOptin,
    optinEnds: previous.requiresEmailOptin && !after.requiresEmailOptin,
  };
  return consequences.filter((name) => applies[name]);
}
