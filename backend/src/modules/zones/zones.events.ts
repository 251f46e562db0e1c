import type { JoinMethod } from './entities/zone-member.entity.js';
import type { ZoneType } from './entities/zone.entity.js';

/** The zone that members join or leave. */
export interface MembershipZone {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
}

/** People who joined together in the same way. */
export interface MembersJoined {
  readonly zone: MembershipZone;
  readonly userIds: readonly number[];
  readonly method: JoinMethod;
}

declare module '../../platform/events/domain-events.js' {
  interface DomainEvents {
    /** Emitted before the zone's counters are updated, because those stay locked until the commit. */
    'zone.membersJoined': MembersJoined;
    /**
     * A request made through a link with a limited number of days was approved. Emitted before the zone's counters are
     * updated.
     */
    'zone.requestApproved': { readonly userId: number; readonly linkId: number };
    'zone.typeChanged': { readonly zoneId: number; readonly type: ZoneType; readonly actorId: number };
    /**
     * A deleted zone is being purged: each module deletes what it stores outside the rows that cascade. Emitted outside
     * a transaction; handlers work in steps of their own, and after a crash the event is emitted again until all
     * succeed.
     */
    'zone.purging': { readonly zoneId: number; readonly ownerId: number };
  }
}
