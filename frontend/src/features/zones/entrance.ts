import type { Zone } from './sort-zones';

/** Who may come into a zone, and on what terms. */
export type Entrance = Pick<Zone, 'type' | 'autoJoin' | 'requiresEmailOptin'>;

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

/** What comes of changing the terms, in the order of `consequences`; nothing when they stay what they are. */
export function consequencesOf(before: Entrance, after: Entrance): Consequence[] {
  if (after.type === 'private') return before.type === 'public' ? ['linkEnds'] : [];
  // A private zone has no terms of its own: in becoming public it begins with these.
  const was = before.type === 'public' ? before : { autoJoin: true, requiresEmailOptin: true };
  const found: Record<Consequence, boolean> = {
    linkEnds: false,
    linkBegins: before.type === 'private',
    temporaryEnd: before.type === 'private',
    approvalBegins: was.autoJoin && !after.autoJoin,
    approvalEnds: !was.autoJoin && after.autoJoin,
    optinBegins: !was.requiresEmailOptin && after.requiresEmailOptin,
    optinEnds: was.requiresEmailOptin && !after.requiresEmailOptin,
  };
  return consequences.filter((name) => found[name]);
}
